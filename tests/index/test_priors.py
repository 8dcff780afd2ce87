"""Newer and more often used memories first, where that is asked for; languages and pages."""

from __future__ import annotations

import random
import tempfile
import time
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemofs.index.priors import HALF_LIFE, IMPORTANCE, RECENCY, Priors
from mnemofs.index.search import Mode, ScopedIndex, search
from mnemofs.index.sidecar import Index
from mnemofs.index.terms.language import JA, ZH, languages
from mnemofs.index.terms.text import fold
from mnemofs.workspace import Workspace

from .conftest import Store, WordEmbedder, write

TODAY = date(2026, 11, 30)
DAYS = {
    "memory/2026-11-28.md": "- tea with milk and honey\n",
    "memory/2026-09-29.md": "- tea with milk and sugar\n",
    "memory/2024-01-01.md": "- tea with milk and lemon\n",
}


@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
def test_recency_is_off_by_default_and_halves_with_age(store: Store, mode: Mode) -> None:
    index = store(DAYS, embedder=WordEmbedder())
    plain = search([ScopedIndex(index)], "tea milk", mode=mode, explain=True).hits
    assert all("recency" not in hit.parts for hit in plain)
    priors = Priors(recency=1.0, today=TODAY)
    hits = search([ScopedIndex(index)], "tea milk", mode=mode, explain=True, priors=priors).hits
    assert [hit.path for hit in hits] == list(DAYS)
    assert hits[0].parts["recency"] > hits[1].parts["recency"] > hits[2].parts.get("recency", 0)
    halved = RECENCY * 0.5 ** ((TODAY - date(2026, 9, 29)).days / HALF_LIFE)
    assert hits[1].parts["recency"] == pytest.approx(halved, abs=1e-5)
    for hit in hits:
        assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-5)


def test_recency_never_makes_an_answer_of_what_is_none(store: Store) -> None:
    index = store({**DAYS, "memory/2026-11-30.md": "- bought a ladder\n"})
    priors = Priors(recency=1.0, today=TODAY)
    hits = search([ScopedIndex(index)], "tea lemon", mode="lexical", priors=priors).hits
    assert hits[0].path == "memory/2024-01-01.md"
    assert "memory/2026-11-30.md" not in {hit.path for hit in hits}


def test_a_day_ahead_counts_as_today_and_none_as_old(store: Store) -> None:
    index = store({"memory/2027-05-01.md": "- tea ahead\n", "a.md": "tea undated\n"})
    priors = Priors(recency=0.5, today=TODAY)
    hits = search([ScopedIndex(index)], "tea", mode="lexical", explain=True, priors=priors).hits
    parts = {hit.path: hit.parts.get("recency", 0.0) for hit in hits}
    assert parts == {"memory/2027-05-01.md": RECENCY / 2, "a.md": 0.0}


def test_importance_counts_recalls_and_what_was_kept_on_purpose(store: Store) -> None:
    index = store(
        {
            "memory/2026-11-01.md": "- tea with milk\n",
            "memory/2026-11-02.md": "- tea with soy milk\n",
            "structured/user.md": "## drink\ntea with oat milk\n",
        }
    )
    recalls = {("memory/2026-11-02.md", ""): 40}
    place = ScopedIndex(index, usage=lambda: recalls)
    hits = search(
        [place], "tea milk", mode="lexical", explain=True, priors=Priors(importance=1.0)
    ).hits
    parts = {hit.path: hit.parts.get("importance", 0.0) for hit in hits}
    assert parts == {
        "memory/2026-11-01.md": 0.0,
        "memory/2026-11-02.md": IMPORTANCE,
        "structured/user.md": IMPORTANCE / 2,
    }
    for hit in hits:
        assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-5)


TONGUES = {
    "en": ("The dentist moved my appointment to Friday.", "When is my appointment?"),
    "de": ("Der Zahnarzt hat den Termin auf Freitag verlegt.", "Wann ist mein Termin?"),
    "es": ("El dentista cambió la cita al viernes.", "¿Cuándo es mi cita?"),
    "fr": ("Le dentiste a déplacé notre rendez-vous à vendredi.", "Quand est mon rendez-vous ?"),
    "zh": ("牙医把预约改到了星期五。", "我的预约是什么时候?"),
    "ja": ("歯医者の予約が金曜日に変わった。", "予約はいつですか?"),
    "ko": ("치과 예약이 금요일로 바뀌었다.", "예약은 언제인가요?"),
    "ru": ("Стоматолог перенёс приём на пятницу.", "Когда мой приём?"),
}


@pytest.mark.parametrize("one", TONGUES)
@pytest.mark.parametrize("other", TONGUES)
def test_texts_share_a_language_or_certainly_do_not(one: str, other: str) -> None:
    same = languages(fold(TONGUES[one][0])) & languages(fold(TONGUES[other][1]))
    assert bool(same) == (one == other)


@pytest.mark.parametrize("text", ["Kubernetes", "v1.28", "", "🎉", "Ada Lovelace", "x = y[0]"])
def test_names_and_signs_belong_to_no_language(text: str) -> None:
    assert languages(fold(text)) == 0


def test_characters_of_both_scripts_may_be_either() -> None:
    assert languages("東京") == ZH | JA
    assert languages("对") == ZH
    assert languages("働") == JA


@pytest.mark.parametrize("first", ["en", "de", "es", "zh", "ja"])
def test_of_two_that_say_the_same_the_askers_language_comes_first(store: Store, first: str) -> None:
    class Alike(WordEmbedder):
        def embed(self, texts):  # type: ignore[no-untyped-def]
            return super().embed(["one meaning"] * len(texts))

    files = {f"{name}.md": fact + "\n" for name, (fact, _asked) in TONGUES.items()}
    index = store(files, embedder=Alike())
    hits = search([ScopedIndex(index)], TONGUES[first][1], explain=True).hits
    assert hits[0].path == f"{first}.md"
    assert "language" not in hits[0].parts
    assert hits[-1].parts["language"] < 0
    assert len(hits) == len(TONGUES)  # the others are answers, too


WORDS = ("tea", "milk", "oolong", "harbour", "violin", "attic", "ladder", "soup")


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 10_000),
    notes=st.integers(1, 6),
    lines=st.integers(1, 90),
    size=st.integers(1, 30),
    mode=st.sampled_from(["lexical", "hybrid"]),
)
def test_pages_are_slices_of_one_list(
    seed: int, notes: int, lines: int, size: int, mode: Mode
) -> None:
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        places = []
        for name in ("TEAM", "GLOBAL"):
            files = {
                f"n{note}.md": "".join(
                    f"- {' '.join(rng.choices(WORDS, k=rng.randint(1, 6)))} {name}{note}x{line}\n"
                    for line in range(lines)
                )
                for note in range(notes)
            }
            root = Path(folder) / name
            root.mkdir()
            write(root, files)
            index = Index(root, embedder=WordEmbedder())
            index.refresh()
            index.embed_pending()
            places.append(ScopedIndex(index, name))
        query = " ".join(rng.choices(WORDS, k=2))
        whole = search(places, query, limit=200, mode=mode, fresh=False).hits
        for offset in range(0, 200 - size, size):
            page = search(places, query, limit=size, offset=offset, mode=mode, fresh=False).hits
            assert page == whole[offset : offset + size]
        scores = [hit.score for hit in whole]
        assert len({(hit.scope, hit.path, hit.line_start) for hit in whole}) == len(whole)
        if len(whole) <= 120:
            assert scores == sorted(scores, reverse=True)
        for place in places:
            place.index.close()


HOSTILE = [
    '"' * 10_000,
    '"a" ' * 2_500,
    "(" * 10_000,
    "a* " * 3_000,
    "(a+)+$" * 1_700,
    "NEAR(" * 2_000,
    "AND OR NOT " * 900,
    "a" * 10_000,
    "a_" * 5_000,
    "1.2." * 2_500,
    "部署" * 5_000,
    "😀" * 5_000,
    "'s " * 3_300,
    "“" * 5_000 + "”",
    "「「" * 2_500 + "」",
    "\\" * 10_000,
    "é̂" * 3_000,
    "-" * 10_000 + "a",
    " " * 10_000 + "tea",
    "\u200b" * 10_000,
    "@#$%^&" * 1_600,
    "kuberntees " * 900,
]


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_SEC_08_hostile_questions_take_no_time(store: Store, number: int) -> None:
    files = {
        f"n{n}.md": f"- tea {n} file_name_{n} C++ 部署方案 kubernetes\n" * 5 for n in range(40)
    }
    index = store(files, embedder=WordEmbedder())
    started = time.process_time()
    for mode in ("lexical", "hybrid"):
        search([ScopedIndex(index)], HOSTILE[number], mode=mode, fresh=False)  # type: ignore[arg-type]
    assert time.process_time() - started < 2


@pytest.mark.parametrize("parts", [2, 3])
@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
def test_a_corpus_in_several_stores_ranks_as_in_one(store: Store, parts: int, mode: Mode) -> None:
    rng = random.Random(3)
    topics = [f"topic{n}" for n in range(60)]
    files = {
        f"memory/2026-{1 + n // 28:02d}-{1 + n % 28:02d}.md": "# day\n\n"
        + "".join(f"- {' '.join(rng.sample(topics, 3))} and {rng.choice(WORDS)}\n" for _ in "12345")
        for n in range(84)
    }
    names = sorted(files)
    one = [ScopedIndex(store(files, embedder=WordEmbedder(), name="one"))]
    several = [
        ScopedIndex(
            store(
                {name: files[name] for name in names[part::parts]},
                embedder=WordEmbedder(),
                name=f"part{part}",
            ),
            f"S{part}",
        )
        for part in range(parts)
    ]
    lines = [line[2:] for text in files.values() for line in text.split("\n")[2:] if line]
    for line in rng.sample(lines, 20):
        query = f"what about {line}"
        for places in (one, several):
            found = [hit.text for hit in search(places, query, limit=3, mode=mode).hits]
            assert f"- {line}" in found


def test_SRC_02_in_hybrid_no_word_is_invented_while_meaning_answers(store: Store) -> None:
    index = store(
        {"a.md": "quit coffee in march\n", "b.md": "urlaub an der ostsee\n"},
        embedder=WordEmbedder(),
    )
    result = search([ScopedIndex(index)], "wo machen ich marchs urlaub an der", mode="hybrid")
    assert result.hits[0].path == "b.md"
    assert not any("searched for" in warning for warning in result.warnings)
    spelt = search([ScopedIndex(index)], "cofee", mode="hybrid")
    assert [hit.path for hit in spelt.hits] == ["a.md"]
    assert any("searched for" in warning for warning in spelt.warnings)


def test_a_view_prefers_as_its_settings_or_the_caller_say(tmp_path: Path) -> None:
    workspace = Workspace.init(tmp_path / "w", agent="ada")
    workspace.remember("Prefers oolong tea")

    def parts(**asked: float) -> set[str]:
        hits = workspace.search("tea", mode="lexical", explain=True, **asked).hits  # type: ignore[arg-type]
        return set(hits[0].parts)

    assert not parts() & {"recency", "importance"}
    assert parts(recency=0.5) & {"recency", "importance"} == {"recency"}
    assert parts(importance=1) & {"recency", "importance"} == {"importance"}
    with (tmp_path / "w" / "mnemofs.toml").open("a", encoding="utf-8") as file:
        file.write("\n[search]\nrecency = 0.3\n")
    workspace = Workspace.open(tmp_path / "w")
    assert "recency" in parts()
    assert "recency" not in parts(recency=0)
