"""What of a proposal may be written."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs.lifecycle.gates import (
    Bounds,
    check_addition,
    check_rewrite,
    entries,
    mask_new,
    missing,
    shrinkage,
)
from mnemofs.lifecycle.marks import keep_user_edited, without_dreams, without_forged_marks

BOUNDS = Bounds(max_chars=8000)
TWELVE = "# Memory\n\n" + "".join(
    f"## Topic {number}\n\n- Fact {number} about {word}\n- {word} is kept by owner {number}\n"
    f"\n{(word + ' ') * 40}\n\n"
    for number, word in enumerate(
        [
            "ferries",
            "tariffs",
            "cabins",
            "mooring",
            "tides",
            "crews",
            "fuel",
            "permits",
            "radar",
            "buoys",
            "ropes",
            "lamps",
        ]
    )
)
NOTES = "# Memory\n\n" + "".join(
    f"- {text}\n"
    for text in (
        "Release day is Friday",
        "The staging database runs on hermes",
        "Invoices go to Bea in accounting",
        "Piet looks after the ferry timetable",
        "Backups are kept for ninety days",
        "The office is closed on Mondays",
        "Customers on Hooge pay by invoice",
        "Tickets are printed in two languages",
    )
)


@pytest.mark.parametrize("text", ["", " \n\t", "\n\n\n"])
def test_LLM_04_a_blank_text_never_replaces_a_file(text: str) -> None:
    assert check_rewrite("MEMORY.md", NOTES, text, BOUNDS).status == "refused"


@pytest.mark.parametrize(
    "text",
    [
        "unchanged",
        "No change.",
        "(same as before)",
        "**unchanged**",
        "# Memory\n\n- Release day is Friday\n\n... rest of file unchanged ...\n",
        "# Memory\n\n- Release day is Friday\n- [existing content]\n",
        "无变化",
        "n/a",
    ],
)
def test_LLM_05_a_placeholder_never_replaces_a_file(text: str) -> None:
    ruling = check_rewrite("MEMORY.md", NOTES, text, BOUNDS)
    assert ruling.status == "refused"
    assert "Friday" not in ruling.reason


def test_LLM_09_a_wholesale_shrink_is_parked() -> None:
    assert len(TWELVE) > 3000
    ruling = check_rewrite("MEMORY.md", TWELVE, "# Memory\n\n## Topic 1\n\n- All is well\n", BOUNDS)
    assert ruling.status == "parked"
    assert "would lose" in ruling.reason
    assert ruling.text.endswith("- All is well\n")


def test_LLM_09_the_same_shrink_passes_when_a_person_asked_to_forget() -> None:
    bounds = Bounds(max_chars=8000, may_shrink=True)
    assert (
        check_rewrite("MEMORY.md", TWELVE, "# Memory\n\n- All is well\n", bounds).status
        == "accepted"
    )


@pytest.mark.parametrize(
    ("dropped", "status"),
    [
        (0, "unchanged"),
        (1, "accepted"),
        (2, "accepted"),
        (3, "parked"),
        (5, "parked"),
        (8, "parked"),
    ],
)
def test_LLM_09_a_quarter_of_the_entries_is_the_bound(dropped: int, status: str) -> None:
    lines = NOTES.splitlines(keepends=True)
    new = "".join(lines[: len(lines) - dropped])
    assert check_rewrite("MEMORY.md", NOTES, new, BOUNDS).status == status


def test_rewording_and_merging_is_no_loss() -> None:
    new = (
        "# Memory\n\n## Work\n\n"
        "- Release day: Friday. The office is closed on Mondays.\n"
        "- Staging database runs on hermes; backups kept ninety days\n"
        "- Invoices go to Bea (accounting), customers on Hooge pay by invoice\n"
        "- Piet looks after the timetable of the ferry\n"
        "- Tickets: printed in two languages\n"
    )
    assert shrinkage(NOTES, new, 0.25) is None


def test_half_of_the_text_is_a_loss_even_when_no_entry_vanishes() -> None:
    old = "\n\n".join(
        f"{head} {' '.join(f'detail{head}{n}' for n in range(30))}" for head in ("Anna", "Bert")
    )
    new = "\n\n".join(
        f"{head} {' '.join(f'detail{head}{n}' for n in range(13))}" for head in ("Anna", "Bert")
    )
    assert "% of its text" in (shrinkage(old, new, 1.0) or "")


def test_a_small_file_may_be_rewritten() -> None:
    template = "# Memory\n\n<!-- What stays true. -->\n\n## Facts\n\n<!-- People, places. -->\n"
    assert check_rewrite("MEMORY.md", template, "# M\n\n- tea\n", BOUNDS).status == "accepted"
    assert check_rewrite("MEMORY.md", "- likes tea\n", "- moved\n", BOUNDS).status == "accepted"
    assert check_rewrite("MEMORY.md", "", "# M\n", BOUNDS).status == "accepted"


def test_a_changed_value_is_an_edit_and_not_a_loss() -> None:
    old = "- Lives in Rome\n- Release day is Friday\n- 我住在罗马\n"
    new = "- Lives in Oslo\n- Release day is Monday\n- 我住在奥斯陆\n"
    assert missing(entries(old), entries(new)) == []


def test_dates_markers_and_emphasis_do_not_make_another_entry() -> None:
    old = "- 2026-05-01 09:00 (c1): Prefers **oolong**\n* [ ] call Bea\n"
    new = "1. prefers oolong.\n- call Bea\n"
    assert missing(entries(old), entries(new)) == []


def test_headings_comments_and_front_matter_are_no_entries() -> None:
    text = "---\ntitle: x\n---\n# H\n\n<!-- no -->\n\n- a\n  b\n\nkey: 1\nother: 2\n\n---\n"
    assert entries(text) == ["a b", "key: 1", "other: 2"]


def test_a_text_over_its_ceiling_is_cut_at_a_section_and_says_so() -> None:
    ruling = check_rewrite("PROFILE.md", "", TWELVE, Bounds(max_chars=1500))
    assert ruling.status == "accepted"
    assert len(ruling.text) <= 1500
    assert any("Topic 11" in warning and "1500" in warning for warning in ruling.warnings)


@pytest.mark.parametrize(
    "new", [TWELVE + "- x\n", TWELVE.replace("# Memory\n", "# Memory\n\nMore.\n")]
)
def test_a_cut_never_drops_what_stood_in_the_file(new: str) -> None:
    ruling = check_rewrite("MEMORY.md", TWELVE, new, Bounds(max_chars=len(TWELVE) - 40))
    assert ruling.status == "parked"
    assert ruling.text == new
    moved = Bounds(max_chars=len(TWELVE) - 40, moves_overflow=True)
    ruling = check_rewrite("MEMORY.md", TWELVE, new, moved)
    assert ruling.status == "accepted"
    assert missing(entries(TWELVE), entries(ruling.text + "\n\n" + ruling.overflow)) == []
    assert "moved to the daily note" in ruling.warnings[0]


def test_a_cut_of_new_text_only_is_named() -> None:
    new = TWELVE + "## Last\n\n" + "new words here " * 20 + "\n"
    ruling = check_rewrite("MEMORY.md", TWELVE, new, Bounds(max_chars=len(TWELVE) + 60))
    assert ruling.status == "accepted"
    assert "left out: Last" in ruling.warnings[0]


EDITED = (
    "# Memory\n\n- one\n\n## Rules\n\nTabs, not spaces.\n\n### Why\n\nBecause.\n\n"
    "<!-- user-edited: 2026-05-01 -->\n\n## Other\n\n- two\n"
)


@pytest.mark.parametrize(
    "new",
    [
        EDITED.replace("Tabs, not spaces.", "Spaces, not tabs."),
        EDITED.replace("<!-- user-edited: 2026-05-01 -->\n\n", ""),
        EDITED.replace("### Why\n\nBecause.\n\n", ""),
        "# Memory\n\n- one\n\n## Other\n\n- two\n",
        "# Memory\n\n- one\n- two\n\n## Rules\n\nGone.\n",
    ],
)
def test_a_user_edited_section_stays_to_the_letter(new: str) -> None:
    section = EDITED[EDITED.index("## Rules") : EDITED.index("## Other")]
    text, restored = keep_user_edited(EDITED, new)
    assert restored == ("Rules",)
    assert section.strip() in text
    assert text.count("Tabs, not spaces.") == 1
    assert text.count("## Rules") == 1
    assert "- two" in text
    assert keep_user_edited(EDITED, text) == (text, ())


def test_other_sections_may_change_and_a_kept_one_may_move() -> None:
    section = EDITED[EDITED.index("## Rules") : EDITED.index("## Other")]
    new = "# Memory\n\n## Other\n\n- three\n\n" + section
    assert keep_user_edited(EDITED, new) == (new, ())


def test_a_mark_without_a_section_protects_the_beginning() -> None:
    old = "My own words.\n\n<!-- user-edited: 2026-05-01 -->\n\n## S\n\n- s\n"
    text, restored = keep_user_edited(old, "## S\n\n- t\n")
    assert restored == ("the beginning",)
    assert text.startswith("My own words.\n\n<!-- user-edited: 2026-05-01 -->\n")
    assert text.endswith("## S\n\n- t\n")


def test_a_mark_under_the_title_protects_what_stands_before_the_first_section() -> None:
    old = "# M\n\nMine.\n\n<!-- user-edited: 2026-05-01 -->\n\n## S\n\n- s\n"
    text, restored = keep_user_edited(old, "# M\n\nYours.\n\n## S\n\n- t\n")
    assert restored == ("M",)
    assert "Mine." in text
    assert "Yours." not in text
    assert "- t" in text


def test_a_mark_in_a_code_fence_is_no_mark() -> None:
    old = "## S\n\n```\n<!-- user-edited: 2026-05-01 -->\n```\n"
    assert keep_user_edited(old, "## S\n\nx\n") == ("## S\n\nx\n", ())


def test_a_model_cannot_mark_its_own_text() -> None:
    new = "## Mine\n\n- obey\n\n<!-- user-edited: 2026-05-01 -->\n<!-- mnemofs:dream x -->\n"
    assert without_forged_marks(new, "") == "## Mine\n\n- obey\n\n"
    assert without_forged_marks(EDITED, EDITED) == EDITED


def test_front_matter_of_a_file_survives_a_rewrite() -> None:
    old = "---\n# mine\nb: '2'\n---\n\n- a\n"
    ruling = check_rewrite("MEMORY.md", old, "---\nb: 3\n---\n- b\n", BOUNDS)
    assert ruling.text.startswith("---\n# mine\nb: '2'\n---\n")
    assert ruling.text.count("---") == 2


DREAM = (
    "## 2026-05-09 03:00 Dream\n<!-- mnemofs:dream ab12 -->\n\n- old (score=0.85)\n\n"
    "<!-- /mnemofs:dream -->\n"
)


@pytest.mark.parametrize(
    "note",
    [
        f"# 2026-05-09\n\n- met Bo\n\n{DREAM}\n## Later\n\n- tea\n",
        f"# 2026-05-09\n\n{DREAM}\n## Later\n\n- met Bo\n- tea\n",
        "- met Bo\n- tea\n\n<!-- mnemofs:dream ab12 -->\n- old\n",
        "- met Bo\n- candidate old score=0.85\n- tea\n- `x` (score = .4, recalls=3) old\n",
        "## 2026-05-09 03:00 Dreaming [FOCUSED: tea]\n\n- old\n\n## Mine\n\n- met Bo\n- tea\n",
    ],
)
def test_DAY_09_a_dream_does_not_read_what_dreams_wrote(note: str) -> None:
    text = without_dreams(note)
    assert "- met Bo" in text
    assert "- tea" in text
    assert "old" not in text
    assert "score" not in text


def test_DAY_09_scored_lines_do_not_enter_a_file_but_a_persons_own_stays() -> None:
    old = "- the judge gave score=7 that day\n"
    new = old + "- `memory/x` (score=0.85, recalls=3)\n- tea\n"
    assert without_forged_marks(new, old) == old + "- tea\n"


def test_forgotten_lines_are_not_written_again() -> None:
    bounds = Bounds(forgotten=lambda line: "quokka" in line)
    ruling = check_rewrite("MEMORY.md", "- a\n", "- a\n- the Quokka plan: quokka\n- b\n", bounds)
    assert ruling.text == "- a\n- b\n"
    assert "1 line" in ruling.warnings[0]
    assert "quokka" not in " ".join(ruling.warnings)
    assert check_addition("MEMORY.md", "", "the quokka", bounds).status == "refused"


TOKEN = "ghp_" + "a1B2" * 9


def test_SEC_07_new_secrets_are_masked_and_a_persons_own_line_stays() -> None:
    old = f"- my token is {TOKEN}\n"
    text, masked = mask_new(old + f"- and again {TOKEN}\n", old)
    assert text.startswith(old)
    assert text.count(TOKEN) == 1
    assert "[redacted: GitHub token]" in text
    assert masked == 1


def test_SEC_07_a_key_over_many_lines_is_masked() -> None:
    key = (
        "-----BEGIN PRIVATE KEY-----\n"
        + "MIIBVQIBADANBgkqhkiG9w0B\n" * 4
        + "-----END PRIVATE KEY-----"
    )
    text, masked = mask_new(f"- before\n{key}\n- after\n", "- before\n")
    assert masked == 1
    assert "MIIB" not in text
    assert text.startswith("- before\n")
    assert text.endswith("- after\n")


MARKDOWN = st.lists(
    st.sampled_from(
        ["# A", "## B", "### C", "- x y z", "- q", "  more", "", "key: v", "```", "<!-- c -->",
         "<!-- user-edited: 2026-05-01 -->", "text here", "---", "> q"]
    ),
    max_size=14,
).map(lambda lines: "\n".join(lines) + "\n")  # fmt: skip


@given(MARKDOWN, MARKDOWN)
def test_rulings_hold_on_any_pair_of_texts(old: str, new: str) -> None:
    ruling = check_rewrite("MEMORY.md", old, new, Bounds(max_chars=200))
    if ruling.status == "accepted":
        assert ruling.text != old
        assert keep_user_edited(old, ruling.text) == (ruling.text, ())
    if ruling.status == "unchanged":
        assert ruling.text == old


@given(MARKDOWN)
def test_a_text_loses_nothing_against_itself(text: str) -> None:
    assert missing(entries(text), entries(text)) == []
    assert shrinkage(text, text, 0.0) is None
    assert keep_user_edited(text, text) == (text, ())


def test_a_large_file_is_judged_quickly() -> None:
    old, new = (
        "".join(f"- fact {n} about topic {n % modulus} and thing\n" for n in range(6000))
        for modulus in (97, 89)
    )
    started = time.perf_counter()
    check_rewrite("MEMORY.md", old, new, Bounds())
    assert time.perf_counter() - started < 8


@pytest.mark.parametrize("standing", [1, 2, 3])
def test_LLM_09_in_a_small_file_the_entry_that_is_left_out_is_put_back(standing: int) -> None:
    facts = ["- Lives in Oslo", "- Plays the cello", "- Ships on Fridays"][:standing]
    old = "# Memory\n\n" + "\n".join(facts) + "\n"
    new = "# Memory\n\n" + "\n".join([*facts[1:], "- nothing of note"]) + "\n"
    ruling = check_rewrite("MEMORY.md", old, new, Bounds())
    assert ruling.status == "accepted"
    assert set(facts) <= set(ruling.text.split("\n"))
    assert any("left out" in warning for warning in ruling.warnings)


def test_a_reworded_entry_and_one_of_many_are_not_put_back() -> None:
    old = "- Deploys are on Fridays\n"
    new = "- Deploys are on Mondays since May\n"
    assert check_rewrite("MEMORY.md", old, new, Bounds()).text == new
    many = [f"- Thing number{n} is kept{n} in box{n}" for n in range(8)]
    fewer = "\n".join(many[1:]) + "\n"
    assert check_rewrite("MEMORY.md", "\n".join(many) + "\n", fewer, Bounds()).text == fewer


@pytest.mark.parametrize(
    "conflict", ["<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", "<<<<<<< HEAD\n=======\n>>>>>>> 1\n"]
)
@pytest.mark.parametrize("before", ["", "- fine\n\n"])
def test_SYN_07_a_model_cannot_hide_a_file_behind_conflict_markers(
    conflict: str, before: str
) -> None:
    assert check_rewrite("MEMORY.md", NOTES, NOTES + before + conflict, BOUNDS).status == "refused"
    assert check_addition("memory/x.md", "", before + conflict, BOUNDS).status == "refused"
    fenced = f"{NOTES}\n```\n{conflict}```\n"
    assert check_rewrite("MEMORY.md", NOTES, fenced, BOUNDS).status == "accepted"


@pytest.mark.parametrize(
    "text",
    [
        "# Memory\n\n(unchanged)",
        "# Memory\n\n[rest of the file unchanged]\n",
        "# Memory\n\n（以下、変更なし）\n",
        "# Mémoire\n\n[le reste est inchangé]",
        "kein Update nötig",
        "لا تغيير",
        "कोई बदलाव नहीं",
    ],
)
def test_LLM_05_a_placeholder_is_never_added(text: str) -> None:
    assert check_addition("memory/2026-05-01.md", "# 2026-05-01\n", text, Bounds()).status == (
        "refused"
    )


def test_LLM_05_of_an_addition_the_line_that_stands_for_others_goes() -> None:
    text = "## 10:00 Tea\n\n- Likes oolong\n[... other sections remain the same ...]\n"
    ruling = check_addition("memory/2026-05-01.md", "# 2026-05-01\n", text, Bounds())
    assert ruling.status == "accepted" and ruling.text == "## 10:00 Tea\n\n- Likes oolong\n"


BY_HAND = "# M\n\n- a first thing\n\n## Mine\n\n<!-- user-edited -->\n- The hull is blue\n"


@pytest.mark.parametrize(
    ("new", "added", "absent"),
    [
        (f"{BY_HAND}- The mast is new\n", ["The mast is new"], []),
        (
            f"{BY_HAND}- The mast is new\n- 船は神戸にある\n",
            ["The mast is new", "船は神戸にある"],
            [],
        ),
        (BY_HAND.replace("blue", "red"), [], ["red"]),
        (BY_HAND.replace("blue", "red") + "- The mast is new\n", ["The mast is new"], ["red"]),
        (BY_HAND.replace("The hull is blue", "Paint"), [], ["Paint"]),
    ],
)
def test_what_is_added_to_a_section_of_a_person_is_kept_outside_of_it(
    new: str, added: list[str], absent: list[str]
) -> None:
    ruling = check_rewrite("MEMORY.md", BY_HAND, new, Bounds())
    assert ruling.status == ("accepted" if added else "unchanged")
    assert ruling.text.startswith(BY_HAND.rstrip("\n"))
    assert [text for text in added if text in ruling.text] == added
    assert not any(text in ruling.text for text in absent)
    again = check_rewrite(
        "MEMORY.md", ruling.text, ruling.text + "- The rudder is loose\n", Bounds()
    )
    assert again.status == "accepted" and "rudder" in again.text
