"""Files whose names, ids, titles and annotations would steer a terminal: no command passes that on."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.test_masking import LEFT

from anagnosis import api
from anagnosis.cli import run
from anagnosis.documents.document import Document, Mention, Section

ESC = "\x1b]0;owned\x07\x1b[31m\x9b2J"
TURNED = "\u202e\u2066\u2028"
WORDS = f"{ESC}{TURNED}"
UNPARTED = f"\x1b[31m\x9b2J{TURNED}"  # without what parts identifiers


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder with an id, a title, a text, an annotation and a file name that hold such characters."""
    documents = tmp_path / f"papers{WORDS}"
    documents.mkdir()
    title = f"Aspirin{WORDS} against headaches"
    text = (
        f"Aspirin{WORDS} helped. "
        + "Aspirin and ibuprofen were given to mice. " * 9
        + "Some ibuprofen remained. " * 6
    )
    whole = f"{title}\n{text}"
    mentions = [
        Mention(((found.start(), found.end()),), found[0], f"Chemical{WORDS}", f"MESH:{found[0]}{UNPARTED}")
        for found in re.finditer("Aspirin|ibuprofen", whole)
    ]
    sections = (Section("title", title), Section("abstract", text))
    facts = {"journal": f"J{WORDS}", "date": "2019", "types": f"Review{WORDS}", "doi": f"10.1/{WORDS}"}
    paper = Document(f"1{WORDS}", sections, tuple(mentions), facts=facts)
    api.write([paper], documents / f"a{WORDS}.jsonl", format="jsonl")
    return documents


def clean(capfd: pytest.CaptureFixture[str]) -> str:
    """What was printed on both streams."""
    captured = capfd.readouterr()
    for stream in captured:
        assert not LEFT & set(stream), ascii(stream)
    return captured.out + captured.err


def test_what_commands_say_of_such_files_steers_nothing(
    hostile: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    recipe = ["--recipe", "biomrc-demo", "--workers", "1"]
    out = str(tmp_path / f"built{WORDS}")
    assert run(["build", "biomrc", str(hostile), "--out", out, *recipe]) == 0
    assert "owned" in clean(capfd)
    for name in ("README.md", "receipt.json"):
        assert not LEFT & set(Path(out, name).read_text("utf-8")), name
    assert json.loads(Path(out, "receipt.json").read_bytes())["inputs"][0]["name"].startswith("a␛]0;owned␇")
    for command in (
        ["show", out],
        ["show", out, "--json"],
        ["check", out],
        ["show", out, "--instance", WORDS],
    ):
        run(command)
        clean(capfd)
    for wrong in (
        ["build", f"biomrc{WORDS}", "x", "--out", "y"],
        ["show", f"nothing{WORDS}"],
        ["convert", f"missing{WORDS}.xml", "--out", "-"],
        ["build", "biomrc", str(hostile), "--out", out, "--set", f"split{WORDS}=1"],
        ["recipes", f"none{WORDS}"],
        ["score", out, f"none{WORDS}.jsonl"],
        [f"biuld{WORDS}"],
        ["show", out, f"--{WORDS}"],
    ):
        assert run(wrong) == 2, wrong
        said = clean(capfd)
        assert said.count("\n") == 1, said


def test_an_index_of_such_papers_steers_nothing(
    hostile: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("tantivy", reason="the extra search is not installed")
    index = str(tmp_path / "index")
    assert run(["index", str(hostile), "--out", index]) == 0
    clean(capfd)
    for options in (
        [],
        ["--json"],
        *(["--out", str(tmp_path / f"f.{kind}"), "--replace"] for kind in ("md", "tex", "html", "csv")),
    ):
        for command in ("search", "ask"):
            assert run([command, index, "aspirin mice", *options]) == 0
            said = clean(capfd)
            assert "mice" in said or options[:1] == ["--out"]
            if options[:1] == ["--out"]:
                written = Path(options[1]).read_text("utf-8")
                assert "mice" in written
                assert not LEFT & set(written), ascii(written)
