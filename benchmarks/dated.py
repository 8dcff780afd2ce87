"""Questions that say when, in several languages: the same thing happened on many days.

    python benchmarks/dated.py

A diary of ninety days, one note a day, in five languages. Each of the topics comes back on several
days; a question names the topic, in words of its note, and a day, a week or a month. Right is a hit
of that topic within that time. The yardstick asks the same question without its time, so it finds
the topic but has to guess the day.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from mnemofs.index.meaning.sentence_encoder import SentenceEncoder
from mnemofs.index.search import ScopedIndex, search
from mnemofs.index.sidecar import Index

TODAY = date(2026, 12, 1)
DAYS = 90

# Language -> (note, question without its time).
TOPICS = {
    "en": (
        ("The plumber repaired the boiler in the cellar", "What did the plumber repair"),
        ("Dinner with Hanna at the harbour", "With whom was dinner at the harbour"),
        ("Deployed the billing service", "Which service was deployed"),
        ("Ran ten kilometres along the river", "How many kilometres did I run"),
        ("Dentist appointment, two fillings", "What did the dentist do"),
        ("Bought paint for the kitchen", "What paint was bought"),
    ),
    "de": (
        ("Der Klempner hat im Keller den Kessel repariert", "Was hat der Klempner repariert"),
        ("Abendessen mit Hanna am Hafen", "Mit wem war das Abendessen am Hafen"),
        ("Den Rechnungsdienst ausgeliefert", "Welcher Dienst wurde ausgeliefert"),
        ("Zehn Kilometer am Fluss gelaufen", "Wie viele Kilometer bin ich gelaufen"),
        ("Termin beim Zahnarzt, zwei Füllungen", "Was hat der Zahnarzt gemacht"),
        ("Farbe für die Küche gekauft", "Welche Farbe wurde gekauft"),
    ),
    "es": (
        ("El fontanero arregló la caldera del sótano", "Qué arregló el fontanero"),
        ("Cena con Hanna en el puerto", "Con quién fue la cena en el puerto"),
        ("Desplegamos el servicio de facturas", "Qué servicio desplegamos"),
        ("Corrí diez kilómetros junto al río", "Cuántos kilómetros corrí"),
        ("Cita con el dentista, dos empastes", "Qué hizo el dentista"),
        ("Compré pintura para la cocina", "Qué pintura compré"),
    ),
    "zh": (
        ("水管工修好了地下室的锅炉", "水管工修了什么"),
        ("和汉娜在港口吃晚饭", "和谁在港口吃晚饭"),
        ("上线了账单服务", "上线了哪个服务"),
        ("沿着河跑了十公里", "跑了多少公里"),
        ("看牙医，补了两颗牙", "牙医做了什么"),
        ("买了厨房用的油漆", "买了什么油漆"),
    ),
    "ja": (
        ("配管工が地下室のボイラーを修理した", "配管工は何を修理した"),
        ("港でハンナと夕食を食べた", "港で誰と夕食を食べた"),
        ("請求サービスを公開した", "どのサービスを公開した"),
        ("川沿いを十キロ走った", "何キロ走った"),
        ("歯医者で詰め物を二つした", "歯医者で何をした"),
        ("台所のペンキを買った", "どんなペンキを買った"),
    ),
}
_EN_MONTHS = ("September", "October", "November", "December")
_DE_MONTHS = ("September", "Oktober", "November", "Dezember")
_ES_MONTHS = ("septiembre", "octubre", "noviembre", "diciembre")


class Asked(NamedTuple):
    """A time in words, and its days."""

    kind: str
    words: str
    first: date
    last: date


def times(language: str, day: date) -> Iterator[Asked]:
    """Ways to speak of `day`, of its week and of its month."""
    month, back = day.month - 9, (TODAY - day).days
    monday = TODAY - timedelta(TODAY.weekday())
    weeks = (monday - (day - timedelta(day.weekday()))).days // 7
    n, y, d = day.month, day.year, day.day
    dates = {
        "en": (f"on {d} {_EN_MONTHS[month]}", f"on {_EN_MONTHS[month]} {d}, {y}"),
        "de": (f"am {d}. {_DE_MONTHS[month]}", f"am {d:02}.{n:02}.{y}"),
        "es": (f"el {d} de {_ES_MONTHS[month]}", f"el {d} de {_ES_MONTHS[month]} de {y}"),
        "zh": (f"{n}月{d}日", f"{y}年{n}月{d}号"),
        "ja": (f"{n}月{d}日", f"{y}年{n}月{d}日"),
    }[language]
    for words in dates:
        yield Asked("date", words, day, day)
    ago = {
        "en": f"{back} days ago",
        "de": f"vor {back} Tagen",
        "es": f"hace {back} días",
        "zh": f"{back}天前",
        "ja": f"{back}日前",
    }
    if 1 < back < 15:
        yield Asked("days ago", ago[language], day, day)
    if weeks == 1:
        last = {
            "en": "last week",
            "de": "letzte Woche",
            "es": "la semana pasada",
            "zh": "上周",
            "ja": "先週",
        }
        yield Asked("last week", last[language], monday - timedelta(7), monday - timedelta(1))
    if day.month != TODAY.month:
        named = {
            "en": f"in {_EN_MONTHS[month]}",
            "de": f"im {_DE_MONTHS[month]}",
            "es": f"en {_ES_MONTHS[month]}",
            "zh": f"{n}月",
            "ja": f"{n}月",
        }
        begin = day.replace(day=1)
        end = (begin + timedelta(31)).replace(day=1) - timedelta(1)
        yield Asked("month", named[language], begin, end)


def write(folder: Path, language: str, dice: random.Random) -> dict[date, list[int]]:
    """The diary; the topics of each day."""
    happened: dict[date, list[int]] = {}
    for back in range(1, DAYS):
        day = TODAY - timedelta(back)
        topics = sorted(dice.sample(range(len(TOPICS[language])), 2))
        happened[day] = topics
        lines = "".join(f"- {TOPICS[language][topic][0]}\n" for topic in topics)
        note = folder / "memory" / f"{day}.md"
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(f"# {day}\n\n{lines}", encoding="utf-8")
    return happened


def main() -> None:
    """Prints one table."""
    embedder = SentenceEncoder()
    print("| language | time | n | lane | right first | asked without its time |")
    print("|---|---|---|---|---|---|")
    for language, topics in TOPICS.items():
        dice = random.Random(7)
        with tempfile.TemporaryDirectory() as temporary:
            happened = write(Path(temporary), language, dice)
            index = Index(temporary, embedder=embedder)
            index.refresh()
            index.embed_pending()
            place = [ScopedIndex(index)]
            asked: dict[str, list[tuple[str, str, Asked]]] = {}
            for day, held in happened.items():
                topic = dice.choice(held)
                note, question = topics[topic]
                for time in times(language, day):
                    asked.setdefault(time.kind, []).append((question, note, time))
            for kind, questions in asked.items():
                for mode in ("lexical", "hybrid"):
                    right = plain = 0
                    for question, note, time in questions:
                        joint = "" if language in ("zh", "ja") else " "
                        for words, counts in (
                            (f"{question}{joint}{time.words}?", 1),
                            (question, 0),
                        ):
                            hits = search(
                                place,
                                words,
                                limit=1,
                                mode=mode,  # type: ignore[arg-type]
                                fresh=False,
                                today=lambda: TODAY,
                            ).hits
                            found = any(
                                note in hit.text
                                and time.first <= date.fromisoformat(hit.date) <= time.last
                                for hit in hits
                            )
                            right, plain = (
                                right + (found and counts),
                                plain + (found and not counts),
                            )
                    n = len(questions)
                    figures = f"{right / n:.2f} | {plain / n:.2f}"
                    print(f"| {language} | {kind} | {n} | {mode} | {figures} |")


if __name__ == "__main__":
    main()
