"""BioASQ as its users drive it: import several files, look, check, export; and what such questions are not for."""

from __future__ import annotations

import json
import re
import shlex
from fnmatch import fnmatch
from itertools import pairwise
from pathlib import Path

import pytest
from tests.builds import contents
from tests.golden_files import gson, ident, python2, question, questions, written
from tests.typed import Said

from anagnosis.cli import run

PAGE = Path(__file__).resolve().parents[2] / "docs/bioasq.md"


@pytest.fixture(scope="module")
def golden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("golden")
    written(folder / "8B1_golden.json", python2([*questions(4), question(5, body="Name gene 5.")]))
    again = question(7, body=question(2)["body"].lower())
    written(folder / "9B5_golden.json", gson([*questions(1, 6), again]))
    return folder


@pytest.fixture(scope="module")
def built(golden: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("bioasq") / "built"
    files = sorted(map(str, golden.iterdir()))
    assert run(["import", *files, "--layout", "bioasq", "--out", str(out)]) == 0
    return out


def test_import_tells_what_is_left_out_and_repeated(said: Said, golden: Path, tmp_path: Path) -> None:
    out = said("import", golden, "--layout", "bioasq", "--out", tmp_path / "built")
    assert "7 instances: train 7" in out
    assert re.search(r"repeated_question +1\n", out)
    assert "published" not in out
    checked = said("import", golden, "--layout", "bioasq", "--check", code=2)
    assert "7 instances looked at" in checked
    assert "9B5_golden.json" in checked


def test_other_splits_are_another_dataset(said: Said, golden: Path, tmp_path: Path) -> None:
    words = ["import", golden, "--layout", "bioasq", "--out", tmp_path / "built", "--part"]
    said(*words, "test=8B")
    before = contents(tmp_path / "built")
    error = said(*words, "dev=8B", code=2)
    assert "holds a dataset already" in error
    assert contents(tmp_path / "built") == before


def test_show_and_check(said: Said, built: Path) -> None:
    out = said("show", built, "--full")
    assert re.search(r"documents that differ +\d+", out)
    assert re.search(r"9B5_golden.json +2$", out, re.MULTILINE)
    assert "sound: 3 files and 7 instances looked at" in said("check", built)
    one = said("show", built, "--instance", ident(1))
    assert "exact answer: XYZ1 = XYZ-1" in one
    statistics = json.loads(said("show", built, "--json"))
    assert (statistics["folder"], statistics["kind"]) == ("built", "question")


def test_export_gives_the_files_back(said: Said, golden: Path, built: Path, tmp_path: Path) -> None:
    out = said("export", built, "--out", tmp_path / "out")
    assert "8B1_golden.json (5 instances)" in out
    for source in golden.iterdir():
        assert json.loads((tmp_path / "out" / source.name).read_bytes()) == json.loads(source.read_bytes())
    said("export", built, "--compress", "--out", tmp_path / "packed")
    assert "9B5_golden.json.gz" in [path.name for path in (tmp_path / "packed").iterdir()]


NOT_FOR = {
    "predict a cloze reader": ["predict", "BASE1", "{built}", "--split", "train", "--out", "{out}"],
    "train": ["train", "attention-sum", "--data", "{built}", "--out", "{out}"],
    "another layout": ["export", "{built}", "--layout", "biomrc", "--out", "{out}"],
    "answers to one": ["show", "{built}", "{lines}", "--instance", ident(1)],
}


@pytest.mark.parametrize("words", NOT_FOR.values(), ids=NOT_FOR)
def test_what_needs_candidates_refuses_in_one_line(
    built: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], words: list[str]
) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text(json.dumps({"id": ident(1), "answer": "XYZ1"}) + "\n")
    names = {"built": built, "out": tmp_path / "out", "lines": lines}
    assert run([word.format(**names) for word in words]) == 2
    told = capfd.readouterr().err.strip().splitlines()
    assert len(told) == 1
    assert "holds questions with snippets and exact answers" in told[0]


def test_the_python_of_the_page_of_measures_says_what_it_says() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.with_name("measures.md").read_text("utf-8"), re.DOTALL)
    exec(compile(block, "measures.md", "exec"), {})


PATH = re.compile(r"(?:\w+=)?([\w.*-]+/[\w./*-]*|[\w*-]+\.(?:jsonl|json|html|bin|pubtator\.gz|tar\.gz))")


def test_the_page_s_commands_read_only_what_an_earlier_line_makes_or_its_first_table_names() -> None:
    text = PAGE.read_text("utf-8")
    blocks = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    there = set(re.findall(r"`([^`\n]+)`", text[: text.index("## Files")].replace("```", "")))
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    commands = [shlex.split(line, comments=True) for line in lines if line.startswith("anagnosis ")]
    assert len(commands) > 40
    for words in commands:
        made = {
            after.rstrip("/")
            for word, after in pairwise(words)
            if word == "--out" or (word == "--sheets" and "--draw" in words)
        }
        named = [match[1].rstrip("/") for word in words[1:] if (match := PATH.fullmatch(word))]
        missing = {name for name in named if not any(fnmatch(name, one) for one in there | made)}
        assert not missing, f"{shlex.join(words)}: no earlier line makes {', '.join(sorted(missing))}"
        there |= made
