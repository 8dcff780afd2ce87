"""Facts, contradictions and cards of one person are nobody else's."""

from __future__ import annotations

import pytest

from mnemofs.errors import GuardRefused, MnemofsError, NotFound
from tests.facts.conftest import Cli, Desk, one, texts

A, B = "user:a", "user:b"


@pytest.fixture
def people(desk: Desk) -> Desk:
    """A lives with zebra1 and contradicts themselves; B has a memory; the team knows a day."""
    desk.ws.remember("The deploy day is Friday", actor="person")
    first = desk.ws.for_owner(A)
    first.remember("My favourite animal is Zebra1", actor="person")
    first.remember("I live in Zebra1town", actor="person")
    first.remember("I live in Rome", actor="person")
    desk.ws.for_owner(B).remember("I live in Oslo", actor="person")
    return desk


ACTS = {
    "get": lambda view, name: view.fact(name),
    "forget": lambda view, name: view.forget_fact(name),
    "helpful": lambda view, name: view.fact_feedback(name, "HELPFUL"),
    "unhelpful": lambda view, name: view.fact_feedback(name, "UNHELPFUL"),
    "resolve": lambda view, name: view.resolve(name, "KEEP_A"),
    "look": lambda view, name: view.review_item(name),
    "decide": lambda view, name: view.decide(name, "ignored"),
    "confirm": lambda view, name: view.card_confirm(name),
    "edit": lambda view, name: view.card_edit(name, "x"),
    "card forget": lambda view, name: view.card_forget(name),
    "seen": lambda view, name: view.card_seen(name),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("who", [B, "user:nobody", ""])
def test_OWN_04_an_id_of_somebody_else_is_as_unknown_as_any(
    people: Desk, act: str, who: str
) -> None:
    owner = people.ws.for_owner(A)
    view = people.ws.for_owner(who) if who else people.ws
    if act in ("resolve", "look", "decide"):
        name = owner.contradictions()[0].found.id
    elif act in ("confirm", "edit", "card forget"):
        from mnemofs.lifecycle.identity import entry_id

        name = entry_id("I live in Rome")
    else:
        name = owner.facts(entity="Rome")[0].id
    folder = people.root / "owners"
    before = {path: path.read_bytes() for path in folder.rglob("*.md")}
    said = []
    for one_name in (name, "0123456789ab"[: len(name)]):
        with pytest.raises(NotFound) as refused:
            ACTS[act](view, one_name)
        said.append((refused.value.message.replace(one_name, "ID"), refused.value.hint))
    assert said[0] == said[1]
    assert {path: path.read_bytes() for path in folder.rglob("*.md")} == before
    assert owner.facts(entity="Rome")[0].helpful == 0


def test_OWN_05_no_read_surface_shows_what_another_person_knows(people: Desk, cli: Cli) -> None:
    other, team = people.ws.for_owner(B), people.ws
    for view in (other, team, people.ws.for_owner("user:nobody")):
        shown = [
            *texts(view.facts()),
            *texts(view.facts("zebra1 animal favourite")),
            *texts(view.facts(entity="Zebra1")),
            view.fact_probe("zebra1"),
            view.fact_probe("animal"),
            view.fact_list_contradictions(),
            str(view.contradictions()),
            str(view.review()),
            str(view.card()),
            str(view.rebuild_facts()),
        ]
        assert not [text for text in shown if "zebra1" in text.casefold()]
        assert "deploy day is Friday" in texts(view.facts())
    for command in (["facts", "list"], ["contradictions"], ["review"], ["card"]):
        for more in ([], ["--json"]):
            for who in ([], ["--owner", B]):
                done = cli(*command, *who, *more)
                assert done.code == 0
                assert "zebra1" not in (done.out + done.err).casefold()
    owner = people.ws.for_owner(A)
    assert "favourite animal is Zebra1" in texts(owner.facts())
    assert len(owner.contradictions()) == 1


def test_OWN_05_each_store_keeps_its_own_table(people: Desk) -> None:
    for owner in (A, B, ""):
        view = people.ws.for_owner(owner) if owner else people.ws
        view.facts()
        view.fact_probe("Rome")
    for place in people.root.rglob("*facts.db*"):
        holds = b"Zebra1" in place.read_bytes()
        assert holds <= ("owners/user=3aa/" in str(place))


def test_a_shared_fact_is_rated_for_oneself_and_forgotten_by_the_team(people: Desk) -> None:
    view = people.ws.for_owner(B)
    shared = one(view.facts(entity="deploy"))
    view.fact_feedback(shared.id, "UNHELPFUL")
    assert view.fact(shared.id).trust == pytest.approx(shared.trust - 0.2, abs=1e-3)
    assert people.ws.fact(shared.id).trust == pytest.approx(shared.trust, abs=1e-3)
    assert people.ws.for_owner(A).fact(shared.id).trust == pytest.approx(shared.trust, abs=1e-3)
    with pytest.raises(GuardRefused):
        view.forget_fact(shared.id)
    assert "Friday" in people.text()
    people.ws.forget_fact(shared.id)
    assert view.facts(entity="deploy") == []


def test_the_same_fact_of_two_people_has_two_ids(people: Desk) -> None:
    first, second = people.ws.for_owner(A), people.ws.for_owner(B)
    second.remember("I live in Rome", actor="person")
    ids = {view.facts(entity="Rome")[0].id for view in (first, second)}
    assert len(ids) == 2
    for name in ids:
        for view in (first, second):
            try:
                assert view.fact(name).owner == view.owner
            except MnemofsError as error:
                assert isinstance(error, NotFound)


def test_without_isolation_everybody_shares_one_table(desk: Desk) -> None:
    settings = desk.root / "mnemofs.toml"
    settings.write_text(settings.read_text() + "\n[owners]\nisolation = false\n")
    with type(desk.ws).open(desk.root, clock=desk.ws.clock) as ws:
        ws.for_owner(A).remember("I live in Rome", actor="person")
        assert texts(ws.for_owner(B).facts()) == ["user lives in Rome"]
