"""Invented Chinese and Japanese notes and questions, as many as wanted, with plausible statistics.

Words are drawn from a Zipf distribution: of a dictionary's counts where one is given (lines of
`word count`, such as the one that jieba ships), else of 30 000 words made of the common characters
of GB 2312. Japanese is made of kanji words, katakana words, endings and particles. A fourth of the
lines holds a name in Latin letters, as technical notes do. Text that is drawn word by word has no
topics, which is unkind to questions.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

_GLUE = "的了是在我不有和人就这中大为上个到说们你对以要他时来用也会可还很都把被从给让跟与及或但而"
_ASKED = (
    *("{}是什么", "{}吗", "{}在哪里", "{}怎么样", "谁负责{}", "为什么{}", "{}什么时候", "{}多少"),
    *("有没有{}", "我们的{}"),
)
_PARTICLES = ("は", "が", "を", "に", "で", "と", "の", "も", "から", "まで", "へ", "や", "より")
_ENDINGS = (
    *("する", "した", "します", "しました", "している", "しない", "です", "でした", "だった"),
    *("ない", "です。"),
)
_ASKED_JA = ("{}は何", "{}はいつ", "{}はどこ", "{}ですか", "誰が{}", "なぜ{}")
_KATAKANA = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモラリルレロン"
_NAMES = (
    *("PostgreSQL", "Redis", "Python", "Rust", "Docker", "GitHub", "API", "Linux", "MySQL"),
    *("React", "Kafka", "Nginx", "JSON", "CPU", "iPhone", "Excel", "Go", "Java", "AWS", "SQLite"),
)
_ZHS_SHARE = 0.65
_WORDS = 30_000


class Writer:
    """Writes lines and asks questions; the same dice give the same texts."""

    def __init__(self, dice: random.Random, dictionary: Path | None = None) -> None:
        self._dice = dice
        words = _counted(dictionary) if dictionary else _made(dice, _common_characters("gb2312"))
        self._chinese = _Bag(dice, words)
        self._glue = _Bag(dice, {char: 1 / (rank + 1) for rank, char in enumerate(_GLUE)})
        self._glued = 0.0 if dictionary else 0.4
        kanji = _made(dice, _common_characters("euc_jp"))
        kana = {"".join(dice.choices(_KATAKANA, k=dice.randint(3, 6))) for _ in range(4000)}
        self._kanji = _Bag(dice, kanji)
        self._kana = _Bag(dice, {word: 1 / (n + 10) for n, word in enumerate(sorted(kana))})
        self._names = _Bag(dice, {name: 1 / (rank + 2) for rank, name in enumerate(_NAMES)})

    def line(self) -> str:
        """What one bullet says: some twenty to sixty characters."""
        write = self._in_chinese if self._dice.random() < _ZHS_SHARE else self._in_japanese
        return write(self._dice.randint(8, 24))

    def question(self) -> str:
        """A question of two or three words; one in seven names something in Latin letters."""
        words, some = self._dice.randint(2, 3), self._dice
        if some.random() < _ZHS_SHARE:
            about, asked = "".join(self.word() for _ in range(words)), _ASKED
        else:
            about = "の".join(self._kanji.draw() for _ in range(words))
            asked = _ASKED_JA
        if some.random() < 1 / 7:
            about = f"{about} {self._names.draw()} "
        return some.choice(asked).format(about)

    def mixed(self) -> str:
        """`用 PostgreSQL 吗`: single characters and a name."""
        before, after = self._dice.choice("用有在装改"), self._dice.choice("吗呢了")
        return f"{before} {self._names.draw()} {after}"

    def word(self) -> str:
        """A Chinese word of two characters or more, common ones more often."""
        while len(word := self._chinese.draw()) < 2:
            pass
        return word

    def short(self) -> str:
        """A word of two characters."""
        while len(word := self.word()) != 2:
            pass
        return word

    def character(self) -> str:
        """A single character, common ones more often."""
        return self._dice.choice(self.word())

    def _in_chinese(self, count: int) -> str:
        dice, parts = self._dice, []
        for place in range(count):
            parts.append(self._chinese.draw())
            if dice.random() < self._glued:
                parts.append(self._glue.draw())
            if place % 8 == 7:
                parts.append("，")
        return self._with_name(parts) + "。"

    def _in_japanese(self, count: int) -> str:
        dice, parts = self._dice, []
        for place in range(count // 2):
            parts.append((self._kana if dice.random() < 0.2 else self._kanji).draw())
            parts.append(dice.choice(_ENDINGS if place % 4 == 3 else _PARTICLES))
        return self._with_name(parts)

    def _with_name(self, parts: list[str]) -> str:
        if self._dice.random() < 0.25:
            parts.insert(self._dice.randrange(len(parts)), f" {self._names.draw()} ")
        return "".join(parts)


class _Bag:
    """Words with weights; drawing from it is what the generator does most, so it draws ahead."""

    def __init__(self, dice: random.Random, weights: dict[str, float]) -> None:
        self._words = list(weights)
        self._sums = list(accumulate(weights.values()))
        self._dice = dice
        self._next: Callable[[], str] = iter(()).__next__

    def draw(self) -> str:
        """One word."""
        try:
            return self._next()
        except StopIteration:
            drawn = self._dice.choices(self._words, cum_weights=self._sums, k=4096)
            self._next = iter(drawn).__next__
            return self._next()


def _counted(dictionary: Path) -> dict[str, float]:
    rows = (line.split() for line in dictionary.read_text("utf-8").splitlines())
    return {row[0]: float(row[1]) for row in rows if len(row) > 1 and 0 < len(row[0]) < 5}


def _made(dice: random.Random, characters: str) -> dict[str, float]:
    """Words of two and three characters, both drawn by Zipf."""
    bag = _Bag(dice, {char: 1 / (rank + 30) for rank, char in enumerate(characters)})
    words: dict[str, None] = {}
    while len(words) < _WORDS:
        words["".join(bag.draw() for _ in range(2 if dice.random() < 0.85 else 3))] = None
    return {word: 1 / (rank + 20) for rank, word in enumerate(words)}


def _common_characters(charset: str) -> str:
    """The two or three thousand characters of a charset's first level, in a fixed order."""
    rows = range(0xB0, 0xD7) if charset == "gb2312" else range(0xB0, 0xCF)
    cells = (bytes((row, cell)) for row in rows for cell in range(0xA1, 0xFF))
    characters = [cell.decode(charset, "ignore") for cell in cells]
    random.Random(charset).shuffle(characters)
    return "".join(characters)
