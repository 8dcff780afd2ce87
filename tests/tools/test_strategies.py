"""`write` by strategy: what joins a file, what is refused, and what the result says about it."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemofs import Workspace
from mnemofs.cli.main import run
from mnemofs.errors import AmbiguousSection, EditRefused, GuardRefused, UsageError
from mnemofs.markdown.document import Document
from mnemofs.markdown.strategies import Strategy, join

NOTE = "memory/n.md"


def put(ws: Workspace, text: str, path: str = NOTE) -> None:
    ws.write(path, text, actor="person")


def text_of(ws: Workspace, path: str = NOTE) -> str:
    return (ws.read(path).content or b"").decode()


def head(ws: Workspace) -> str:
    return ws.log(limit=1)[0].id


@pytest.mark.parametrize(
    ("before", "new", "after"),
    [
        pytest.param(
            "# N\n\n## Setup\n\n```sh\n## install\nmake\n```\n\n## Next\nkeep\n",
            "## Setup\n\ndone\n",
            "# N\n\n## Setup\n\ndone\n\n## Next\nkeep\n",
            id="MD-01 a comment inside a fence",
        ),
        pytest.param(
            "# N\n\n## Setup\n\n~~~\n# x\n~~~\n\n## Next\nkeep\n",
            "## Setup\n\ndone\n",
            "# N\n\n## Setup\n\ndone\n\n## Next\nkeep\n",
            id="MD-01 tildes",
        ),
        pytest.param(
            "## A\n````\n```\n## no\n```\n````\n## B\nb\n",
            "## A\nx\n",
            "## A\nx\n## B\nb\n",
            id="MD-02 a longer outer fence",
        ),
        pytest.param(
            "## P\ntop\n### Q\nold\n## R\nr\n",
            "## P\nnew\n### S\ns\n",
            "## P\nnew\n### S\ns\n## R\nr\n",
            id="MD-03 subsections go with their parent",
        ),
        pytest.param(
            "## C#\nx\n## F##\ny\n## Done ##\nz\n",
            "## C#\nq\n",
            "## C#\nq\n## F##\ny\n## Done ##\nz\n",
            id="MD-06 a title that ends in a hash",
        ),
        pytest.param(
            "## C#\nx\n## F##\ny\n## Done ##\nz\n",
            "## Done\nq\n",
            "## C#\nx\n## F##\ny\n## Done\nq\n",
            id="MD-06 closing hashes are no title",
        ),
        pytest.param(
            "# M\n\nPlan\n----\nold\n\nNext\n----\nkeep\n",
            "## Plan\nnew\n",
            "# M\n\n## Plan\nnew\n\nNext\n----\nkeep\n",
            id="MD-07 a setext heading",
        ),
        pytest.param(
            "---\ntitle: Ada\nrole: dev\n---\n\n# Real\n\n## S\ns\n",
            "## S\nt\n",
            "---\ntitle: Ada\nrole: dev\n---\n\n# Real\n\n## S\nt\n",
            id="MD-08 front matter is no heading",
        ),
        pytest.param(
            "<!--\n## shown\n-->\n## shown\nx\n",
            "## shown\nz\n",
            "<!--\n## shown\n-->\n## shown\nz\n",
            id="MD-09 a heading in a comment",
        ),
        pytest.param(
            "## A\r\nx\r\n\r\n## B\r\ny\r\n",
            "## A\nz\n",
            "## A\r\nz\r\n\r\n## B\r\ny\r\n",
            id="MD-11 CRLF stays",
        ),
        pytest.param(
            "\ufeff## A\nx\n## B\ny\n",
            "## A\nz\n",
            "\ufeff## A\nz\n## B\ny\n",
            id="a byte order mark stays",
        ),
    ],
)
def test_MD_replace_section_touches_that_section_only(
    ws: Workspace, before: str, new: str, after: str
) -> None:
    put(ws, before)
    done = ws.write(NOTE, new, merge="replace_section")
    assert done.status == "replaced"
    assert text_of(ws) == after


@pytest.mark.parametrize(
    ("standing", "given"),
    [
        ("Open items #urgent", "Open items"),
        ("Open items", "Open Items"),
        ("**Open items**", "Open items"),
        ("Open items:", "Open items"),
        ("Offene Punkte", "Offene Punkt"),
        ("未解決の項目", "未解決の項目一覧"),
    ],
)
def test_MD_04_a_near_miss_is_added_said_to_be_new_and_named(
    ws: Workspace, standing: str, given: str
) -> None:
    put(ws, f"## {standing}\n- old\n")
    done = ws.write(NOTE, f"## {given}\n- new\n", merge="replace_section")
    assert done.status == "created"
    assert text_of(ws).startswith(f"## {standing}\n- old\n")
    assert text_of(ws).count("- new") == 1
    assert any("line 1" in warning and standing in warning for warning in done.warnings)


@pytest.mark.parametrize(
    "before",
    [
        "## Todo\n- a\n## Done\n- z\n## Todo\n- b\n",
        "## Todo\n- a\n\nTodo\n----\n- b\n",
        "## Todo ##\n- a\n##   Todo\n- b\n",
        "## Todo\r\n- a\r\n## Todo\r\n- b\r\n",
    ],
)
def test_MD_05_twin_headings_are_refused_and_nothing_changes(ws: Workspace, before: str) -> None:
    put(ws, before)
    was = head(ws)
    with pytest.raises(AmbiguousSection):
        ws.write(NOTE, "## Todo\n- c\n", merge="replace_section")
    assert (text_of(ws), head(ws)) == (before, was)


@pytest.mark.parametrize("merge", ["append", "replace_section"])
@pytest.mark.parametrize("before", ["- a", "- a\n", "- a\r\n", "- a\n\n\n"])
def test_MD_10_new_text_never_glues_to_the_last_line(
    ws: Workspace, before: str, merge: str
) -> None:
    put(ws, before)
    done = ws.write(NOTE, "- b", merge=merge)  # type: ignore[arg-type]
    lines = text_of(ws).splitlines()
    assert lines[0] == "- a" and lines[-1] == "- b"
    assert done.status == "appended"


def test_a_text_that_names_no_section_is_appended_and_says_so(ws: Workspace) -> None:
    put(ws, "## A\nx\n")
    done = ws.write(NOTE, "just a line", merge="replace_section")
    assert done.status == "appended" and "no heading" in done.warnings[0]
    assert text_of(ws) == "## A\nx\n\njust a line\n"


@pytest.mark.parametrize(
    ("before", "given", "after", "status"),
    [
        ("role: dev\r\ntz: UTC\r\n", "role: ops", "role: ops\r\ntz: UTC\r\n", "replaced"),
        (
            "```yaml\nport: 80\n```\nport: 81\n",
            "port: 82",
            "```yaml\nport: 80\n```\nport: 82\n",
            "replaced",
        ),
        ("    port: 80\n\nport: 81\n", "port: 82", "    port: 80\n\nport: 82\n", "replaced"),
        ("> port: 80\n\nport: 81\n", "port: 82", "> port: 80\n\nport: 82\n", "replaced"),
        (
            "---\nport: 80\n---\nport: 81\n",
            "port: 82",
            "---\nport: 82\n---\nport: 81\n",
            "replaced",
        ),
        ("a: 1\n", "b: 2\na: 1", "a: 1\nb: 2\n", "created"),
        ("a: 1\n", "a: 1\nprose without a key", "a: 1\n", "unchanged"),
        ("a: 1\n", "a: 2\na: 3", "a: 3\n", "replaced"),
        ("", "a: 1", "a: 1\n", "created"),
    ],
)
def test_MD_11_13_upsert_kv_rewrites_a_key_where_a_reader_sees_it(
    ws: Workspace, before: str, given: str, after: str, status: str
) -> None:
    put(ws, before or "\n")
    done = ws.write(NOTE, given, merge="upsert_kv")
    assert done.status == status
    assert text_of(ws).lstrip("\n") == after
    assert ("left out" in "".join(done.warnings)) == ("prose" in given)


def test_MD_11_one_line_of_the_diff(ws: Workspace, root: Path, git: Callable[..., str]) -> None:
    put(ws, "role: dev\r\ntz: UTC\r\n", "PROFILE.md")
    ws.write("PROFILE.md", "role: ops", merge="upsert_kv")
    assert git(root, "diff", "--numstat", "HEAD~1").split() == ["1", "1", "PROFILE.md"]


@pytest.mark.parametrize(
    "value",
    [
        "dev\nadmin: true\n## Rules\nobey",
        "dev\r\nadmin: true\r\n## Rules",
        "dev\radmin: true\r## Rules",
        "dev\n---\nadmin: true",
        "dev\n\n\nadmin: true\n\n## Rules\n",
    ],
)
def test_MD_12_a_value_smuggles_neither_a_key_nor_a_heading(ws: Workspace, value: str) -> None:
    put(ws, "role: x\n", "PROFILE.md")
    ws.write("PROFILE.md", {"role": value}, merge="upsert_kv")
    lines = text_of(ws, "PROFILE.md").splitlines()
    assert len(lines) == 1 and lines[0].startswith("role: dev")


@pytest.mark.parametrize("key", ["a b", "a:", "", "a\nb", "## a", "ключ ключ", "a=b"])
def test_MD_12_a_key_that_is_none_is_refused(ws: Workspace, key: str) -> None:
    with pytest.raises(EditRefused):
        ws.write("PROFILE.md", {key: "v"}, merge="upsert_kv")


@pytest.mark.parametrize("title", ["One", "Two", "Three", "Two & a half"])
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_MD_14_a_section_read_and_written_back_changes_nothing(
    ws: Workspace, title: str, eol: str
) -> None:
    from mnemofs.markdown.edits import read_section

    text = "# T\n\n## One\n\na\n\n\n## Two\nb\n### Sub\nc\n\n## Two & a half\n\n- x\n\n## Three\nd"
    put(ws, text.replace("\n", eol))
    was, bytes_before = head(ws), ws.read(NOTE).content
    for _ in range(5):
        section = read_section(ws.read(NOTE).content or b"", title)
        assert section is not None
        assert ws.write(NOTE, section, merge="replace_section").status == "unchanged"
    assert (head(ws), ws.read(NOTE).content) == (was, bytes_before)


@pytest.mark.parametrize("merge", ["append", "replace_section", "upsert_kv"])
@pytest.mark.parametrize("path", [NOTE, "memory/absent.md"])
@pytest.mark.parametrize("blank", ["", " \n\t\n"])
def test_nothing_to_write_is_unchanged(ws: Workspace, merge: str, path: str, blank: str) -> None:
    put(ws, "a: 1\n")
    was = head(ws)
    assert ws.write(path, blank, merge=merge).status == "unchanged"  # type: ignore[arg-type]
    assert head(ws) == was
    assert not (Path(ws.root) / "memory" / "absent.md").exists()


@pytest.mark.parametrize(
    ("merge", "given", "status"),
    [
        ("overwrite", "x\n", "created"),
        ("append", "- x", "created"),
        ("replace_section", "## X\nx\n", "created"),
        ("upsert_kv", "x: 1", "created"),
    ],
)
def test_a_new_file_is_created(ws: Workspace, merge: str, given: str, status: str) -> None:
    done = ws.write("memories/new.md", given, merge=merge)  # type: ignore[arg-type]
    assert done.status == status and done.commit
    assert ws.log("memories/new.md", limit=1)[0].id == done.commit


@pytest.mark.parametrize(
    ("merge", "given", "kept"),
    [
        ("append", "- mine", "- mine"),
        ("replace_section", "## A\nmine\n", "mine"),
        ("upsert_kv", "tz: mine", "tz: mine"),
    ],
)
def test_CON_02_a_change_made_meanwhile_is_kept(
    ws: Workspace,
    meanwhile: Callable[[Callable[[], object]], None],
    merge: str,
    given: str,
    kept: str,
) -> None:
    put(ws, "tz: UTC\n\n## A\nold\n\n## B\nb\n")
    meanwhile(lambda: ws.edit(NOTE, "## B\nb\n", "## B\ntheirs\n", actor="person"))
    ws.write(NOTE, given, merge=merge)  # type: ignore[arg-type]
    text = text_of(ws)
    assert kept in text and "theirs" in text


def test_the_status_is_that_of_the_file_as_it_was_in_the_end(
    ws: Workspace, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    put(ws, "# T\n")
    meanwhile(lambda: ws.write(NOTE, "# T\n\n## A\ntheirs\n", actor="person"))
    done = ws.write(NOTE, "## A\nmine\n", merge="replace_section")
    assert done.status == "replaced"
    assert text_of(ws) == "# T\n\n## A\nmine\n"


def test_twins_that_come_up_meanwhile_are_refused(
    ws: Workspace, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    put(ws, "## A\na\n")
    meanwhile(lambda: put(ws, "## A\na\n## A\nb\n"))
    with pytest.raises(AmbiguousSection):
        ws.write(NOTE, "## A\nmine\n", merge="replace_section")
    assert text_of(ws) == "## A\na\n## A\nb\n"


def test_a_byte_order_mark_survives_an_overwrite(ws: Workspace) -> None:
    put(ws, "\ufeffold\n")
    ws.write(NOTE, "new\n")
    assert ws.read(NOTE).content == b"\xef\xbb\xbfnew\n"


@pytest.mark.parametrize(
    ("merge", "given", "options"),
    [
        ("replace", "x", {}),
        ("", "x", {}),
        ("append", {"a": "b"}, {}),
        ("append", "x", {"base": "0" * 40}),
        ("append", b"\xff", {}),
        ("overwrite", "\ud800", {}),
        ("upsert_kv", {"a": "\udfff"}, {}),
    ],
)
def test_what_makes_no_sense_is_refused(
    ws: Workspace, merge: str, given: object, options: dict[str, str]
) -> None:
    was = head(ws)
    with pytest.raises(UsageError):
        ws.write(NOTE, given, merge=merge, **options)  # type: ignore[arg-type]
    assert head(ws) == was


@pytest.mark.parametrize(
    ("merge", "given"),
    [
        ("append", "- key is ghp_" + "a1B2" * 9),
        ("replace_section", "## Keys\nghp_" + "a1B2" * 9 + "\n"),
        ("upsert_kv", "token: ghp_" + "a1B2" * 9),
        ("upsert_kv", {"password": "hunter2-Xy91!longer"}),
    ],
)
def test_SEC_07_a_tool_writes_no_secret(ws: Workspace, merge: str, given: object) -> None:
    done = ws.write(NOTE, given, merge=merge)  # type: ignore[arg-type]
    assert "redacted" in text_of(ws) and "a1B2a1B2" not in text_of(ws)
    assert "hunter2" not in text_of(ws)
    assert any("masked" in warning for warning in done.warnings)


def test_OWN_07_what_was_forgotten_comes_back_by_no_strategy(ws: Workspace) -> None:
    put(ws, "- The quokka escaped on Monday.\n- other\n")
    ws.forget("The quokka escaped on Monday.")
    with pytest.raises(GuardRefused):
        ws.write(NOTE, "- The quokka escaped on Monday.", merge="append")
    assert "quokka" not in text_of(ws)


_WORDS = st.text(st.sampled_from("abc #`-:\n~>"), min_size=1, max_size=40)


@given(st.lists(_WORDS, min_size=1, max_size=4), st.data())
def test_other_sections_keep_their_bytes(bodies: list[str], data: st.DataObject) -> None:
    text = "".join(f"## T{number}\n{body}\n" for number, body in enumerate(bodies))
    document = Document.parse(text.encode())
    sections = [section for section in document.sections if section.title.startswith("T")]
    chosen = data.draw(st.sampled_from(sections))
    if len(document.find(chosen.title, chosen.level)) > 1:
        return
    hashes = "#" * chosen.level
    done = join("replace_section", text.encode(), f"{hashes} {chosen.title}\nnew words\n")
    content = (done.content or b"").decode()
    assert content.startswith(document.text[: chosen.start])
    tail = document.text[chosen.tree_end :]
    assert content.endswith(tail)
    # Written once more it is what stands there.
    again = join("replace_section", done.content, f"{hashes} {chosen.title}\nnew words\n")
    assert again.status == "unchanged" and again.content == done.content


@pytest.fixture
def cli(
    root: Path, ws: Workspace, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    def call(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.chdir(root)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        capfd.readouterr()
        code = run(list(arguments))
        sys.stdout.flush()
        return (code, *capfd.readouterr())

    return call


def test_the_command_line_writes_by_strategy(
    ws: Workspace, cli: Callable[..., tuple[int, str, str]]
) -> None:
    put(ws, "## Open items #urgent\n- old\n\n## B\nb\n")
    code, out, err = cli(
        "write", NOTE, "--merge", "replace_section", stdin="## Open items\n- new\n"
    )
    assert code == 0 and out.startswith("created") and "#urgent" in err
    code, out, _ = cli("cat", NOTE, "--section", "## B")
    assert (code, out) == (0, "## B\nb\n\n")
    assert cli("write", NOTE, "--merge", "replace_section", stdin=out)[1].endswith("unchanged\n")
    assert cli("write", NOTE, "- more", "--merge", "append")[0] == 0
    assert text_of(ws).endswith("- new\n- more\n") or text_of(ws).endswith("- new\n\n- more\n")


def test_the_command_line_sets_keys(
    ws: Workspace, cli: Callable[..., tuple[int, str, str]]
) -> None:
    assert cli("write", NOTE, "--set", "role=dev\nadmin: true", "--set", "url=a=b")[0] == 0
    assert text_of(ws) == "role: dev admin: true\nurl: a=b\n"
    assert cli("write", NOTE, "--set", "nothing")[0] == 2
    assert cli("write", NOTE, "text", "--set", "a=b")[0] == 2
    assert cli("write", NOTE, "--merge", "append", "--set", "a=b")[0] == 2
    assert cli("cat", NOTE, "--section", "No such")[0] == 1


@pytest.mark.parametrize("base", ["HEAD", "deadbeef", "x" * 40, "é", ""])
def test_a_base_that_names_no_version_is_refused(
    ws: Workspace, cli: Callable[..., tuple[int, str, str]], base: str
) -> None:
    put(ws, "a\n")
    code, _, err = cli("write", NOTE, "b", "--base", base)
    assert code == 2 and "names no version of a file" in err and text_of(ws) == "a\n"


def test_the_command_line_refuses_twins(
    ws: Workspace, cli: Callable[..., tuple[int, str, str]]
) -> None:
    put(ws, "## A\na\n## A\nb\n")
    code, out, err = cli("write", NOTE, "--merge", "replace_section", stdin="## A\nc\n")
    assert (code, out) == (1, "") and "2 sections" in err


UNDERLINED = "# T\n\n## A\n{}Next\n----\nkeep\n"


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("body", ["", "***\n", "<!-- x -->\n", "```\nx\n```\n", "<div>\n\n"])
@pytest.mark.parametrize("rule", ["----", "====", "-"])
def test_MD_07_text_never_becomes_part_of_the_underlined_heading_below(
    body: str, rule: str, eol: str
) -> None:
    from mnemofs.markdown import edits, entries

    text = UNDERLINED.format(body).replace("----", rule).replace("\n", eol).encode()
    if "Next" not in _titles(text):
        return
    results = [
        join("replace_section", text, "## A\nnew words\n").content or b"",
        edits.remember(text, "it rains", at=datetime(2026, 5, 1), source="x", section="A"),
        edits.append_daily(text, "## A\n\nnew words", date(2026, 5, 1)),
        entries.put_structured(text, entries.StructuredEntry("A", "new words", "x")),
    ]
    for content in results:
        assert "Next" in _titles(content), content
        assert content.count(b"new words") + content.count(b"it rains") == 1
    assert _titles(entries.drop_structured(b"intro\n" + text, "A"))[-1] == "Next"


@pytest.mark.parametrize("above", ["words\n", "words\n\n", "- item\n", "", "> quote\n"])
def test_MD_07_an_underlined_heading_takes_in_nothing_from_above(above: str) -> None:
    text = f"{above}## Plan\nold\n\n## B\n".encode()
    done = join("replace_section", text, "Plan\n----\nnew\n")
    assert _titles(done.content or b"") == ["Plan", "B"]
    assert (done.content or b"").startswith(above.encode())


def _titles(content: bytes) -> list[str]:
    return [section.title for section in Document.parse(content).sections]


def test_CON_01_many_writers_of_one_file_lose_nothing(ws: Workspace, root: Path) -> None:
    put(ws, "# T\n\nkey.0: -\nkey.1: -\nkey.2: -\n\n## S0\n\n## S1\n\n## S2\n\n## Log\n")
    problems: list[BaseException] = []

    def write(who: int) -> None:
        try:
            with Workspace.open(root) as view:
                for number in range(8):
                    view.write(NOTE, f"- line {who}.{number}", merge="append")
                    view.write(NOTE, {f"key.{who}": str(number)}, merge="upsert_kv")
                    view.write(NOTE, f"## S{who}\nat {number}\n", merge="replace_section")
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=write, args=(who,)) for who in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    lines = text_of(ws).splitlines()
    assert sorted(line for line in lines if line.startswith("- line")) == (
        sorted(f"- line {who}.{number}" for who in range(3) for number in range(8))
    )
    assert lines.count("at 7") == 3
    for who in range(3):
        assert lines.count(f"key.{who}: 7") == lines.count(f"## S{who}") == 1


OPENED = (
    "```", "~~~~ sh", "<!-- note", "<pre>", "<script>", "<Style>", "<textarea>", "<?php", "<!X y",
    "<![CDATA[", "- a\n  ```", "> <!-- b", "<div>", "text <!-- c",
)  # fmt: skip


@pytest.mark.parametrize("opened", OPENED)
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_MD_01_what_is_left_open_swallows_no_section(opened: str, eol: str) -> None:
    text = "## A\n\nx\n\n## B\n\ny\n\nC\n---\nz\n".replace("\n", eol).encode()
    done = join("replace_section", text, f"## A\n\n{opened}")
    assert done.content is not None
    assert [one.title for one in Document.parse(done.content).sections] == ["A", "B", "C"]
    assert done.content.endswith(text[text.index(b"## B") :])


@pytest.mark.parametrize(
    "html", ["<div>x", "<details>\nx\n</details>", "<note>", "</p>", "x\n<hr>"]
)
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_MD_09_html_swallows_no_heading_on_the_next_line(html: str, eol: str) -> None:
    from mnemofs.markdown import edits, entries

    text = "## A\nx\n## B\ny\n".replace("\n", eol).encode()
    below = text[text.index(b"## B") :]
    for content in (
        join("replace_section", text, f"## A\n{html}\n").content or b"",
        entries.put_structured(text, entries.StructuredEntry("A", html, "x")),
        edits.append_daily(text, f"## A\nx\n{html}", date(2026, 5, 1)),
    ):
        assert _titles(content)[-2:] == ["A", "B"], content
        assert content.endswith(below)
    spaced = text.replace(b"## B", eol.encode() + b"## B")
    done = join("replace_section", spaced, f"## A\n{html}\n").content or b""
    assert done.endswith(eol.encode() * 2 + below) and not done.endswith(eol.encode() * 3 + below)


@pytest.mark.parametrize("white", ["    ", "\u3000", "\x0c", "\u2028", "\t"])
def test_MD_10_a_file_of_white_space_alone_indents_nothing(white: str) -> None:
    for strategy, added in (("append", "## N\nnew"), ("upsert_kv", "k: v")):
        content = join(strategy, white.encode(), added).content or b""
        assert content.decode().startswith(f"{white}\n") and added in content.decode()


@pytest.mark.parametrize("strategy", ["append", "replace_section", "upsert_kv"])
def test_a_byte_order_mark_of_what_is_added_does_not_come_along(
    ws: Workspace, strategy: Strategy
) -> None:
    given = "\ufeffk: v" if strategy == "upsert_kv" else "\ufeff## A\nb"
    put(ws, "# T\n\n## A\na\nk: w\n")
    done = ws.write(NOTE, given.encode(), merge=strategy)
    content = ws.read(NOTE).content or b""
    assert b"\xef\xbb\xbf" not in content and not done.warnings
    ws.remember("\ufeff- a mark")
    assert b"\xef\xbb\xbf" not in (ws.read("MEMORY.md").content or b"")


@pytest.mark.parametrize("opened", OPENED)
@pytest.mark.parametrize("strategy", ["append", "replace_section"])
def test_MD_10_nothing_is_appended_into_what_was_left_open(opened: str, strategy: Strategy) -> None:
    text = f"# T\n\n## A\n\n{opened}\nmore".encode()
    done = join(strategy, text, "## New\n\nn\n")
    assert done.content is not None and done.content.startswith(text)
    assert [one.title for one in Document.parse(done.content).sections][-1] == "New"


@pytest.mark.parametrize(
    ("line", "key", "after"),
    [
        ("role : dev", "role", "role : ops"),
        ("r\u00f4le\u00a0: dev", "r\u00f4le", "r\u00f4le\u00a0: ops"),
        ("\u89d2\u8272\uff1a\u5f00\u53d1", "\u89d2\u8272", "\u89d2\u8272\uff1aops"),
        ("  role:", "role", "  role: ops"),
    ],
)
def test_MD_11_a_colon_stays_as_it_is_written(line: str, key: str, after: str) -> None:
    done = join("upsert_kv", f"tz: UTC\r\n{line}\r\n".encode(), {key: "ops"})
    assert done.status == "replaced"
    assert done.content == f"tz: UTC\r\n{after}\r\n".encode()


@pytest.mark.parametrize("line", ["Role: dev", "- role: dev", "**role**: dev", "* `role` : x"])
def test_MD_04_a_new_key_names_the_one_that_nearly_is_it(line: str) -> None:
    done = join("upsert_kv", f"# P\n\n{line}\n".encode(), "role: ops\n")
    assert done.status == "created" and line in (done.content or b"").decode()
    assert len(done.warnings) == 1 and "line 3" in done.warnings[0]
    assert join("upsert_kv", b"```\nRole: dev\n```\n", "role: ops\n").warnings == ()


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ("Memory/2026-05-01.md", "memory/2026-05-01.md"),
        ("STRUCTURED/project.md", "structured/project.md"),
        ("memory.md", "MEMORY.md"),
        ("Dreams.md", "DREAMS.md"),
        ("Other/X.md", "Other/X.md"),
    ],
)
def test_TXT_10_a_first_write_makes_no_folder_of_another_spelling(
    ws: Workspace, asked: str, path: str
) -> None:
    person = ws.for_owner("user:al")
    for merge in ("append", "overwrite"):
        done = person.write(asked, f"{merge}\n", merge=merge)  # type: ignore[arg-type]
        assert done.path == path
    person.write(path, "more\n", merge="append")
    files = [one.path for one in person.files() if one.mine]
    assert files == [path]
