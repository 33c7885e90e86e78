"""What the pages say works: their examples run.

The `python` blocks of docs/python.md are one session. So are a page's `console` blocks:
each line that starts with `$ anagnosis` is run, in order, in an
empty folder where `corpus/` holds the bundled corpus. Other commands (make, pip, a download) are not run. A `toml`
block whose first line is a comment with a path is a file of that folder.
"""

from __future__ import annotations

import re
import shlex
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from anagnosis import api
from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.errors import InputError
from tests.encoders.tiny import tiny_encoder

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^( *)```console\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"^```toml\n(# ([\w./-]+\.toml)\n.*?)^```$", re.DOTALL | re.MULTILINE)


def generated(page: Path) -> bool:
    return "generated" in page.read_text(encoding="utf-8").partition("\n")[0].lower()


def examples(text: str) -> list[str]:
    """The commands of a page's console blocks, a line that ends in a backslash joined with the next."""
    commands: list[str] = []
    for _, block in BLOCK.findall(text):
        lines = iter(block.splitlines())
        for line in lines:
            command = line.strip()
            while command.endswith("\\"):
                command = command[:-1] + next(lines, "").strip().removeprefix("> ")
            if command.startswith("$ anagnosis"):
                commands.append(command.removeprefix("$ "))
    return commands


def expanded(word: str) -> list[str]:
    """What a shell makes of a word with a star in it."""
    return sorted(map(str, Path().glob(word))) if "*" in word else [word]


WITH_EXAMPLES = [page for page in PAGES if not generated(page) and examples(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.name)
def test_every_example_of_a_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """In this process: starting Python for each line would cost more than all the work."""
    (tmp_path / "corpus").mkdir()
    for format in ("pubtator", "medline", "jats", "terms-tsv"):
        shutil.copy(carried(format), tmp_path / "corpus")
    monkeypatch.chdir(tmp_path)
    for content, file in FILE.findall(page.read_text(encoding="utf-8")):
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_text(content, "utf-8")
    for command in examples(page.read_text(encoding="utf-8")):
        words = [found for word in shlex.split(command)[1:] for found in expanded(word)]
        code = run(words)
        assert code == 0, f"{page.name}: {command}\n{capfd.readouterr()}"


def test_the_python_page_runs_and_is_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks whose packages are not installed are left out, and named by a skip. Nothing is uploaded."""
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    assert len(page.split()) <= 900
    (tmp_path / "corpus").mkdir()
    for format in ("pubtator", "medline"):
        shutil.copy(carried(format), tmp_path / "corpus")
    monkeypatch.chdir(tmp_path)
    uploaded: list[dict[str, str]] = []
    with suppress(ImportError):
        monkeypatch.setattr("huggingface_hub.upload_folder", lambda **given: uploaded.append(given))
    session: dict[str, Any] = {}
    missing: list[str] = []
    blocks = PYTHON.findall(page)
    for block in blocks:
        try:
            exec(block, session)
        except ModuleNotFoundError as fault:
            missing.append(str(fault.name))
        except InputError as fault:
            if "which is not installed" not in str(fault):
                raise
            missing.append(fault.what)
    assert len(missing) < len(blocks)
    if "scores" in session:
        assert dict(zip(session["scores"].system, session["scores"].n)) == {"first": 62, "base4": 62}
    if "found" in session:
        assert session["found"].answer in session["found"].scores
    if "ranked" in session:
        assert [*session["ranked"].docno] == [*session["hits"].document]
    for given in uploaded:
        assert Path(given["folder_path"], "README.md").is_file()
    if missing:
        pytest.skip(f"all blocks ran but those with {', '.join(missing)}")


def test_the_hugging_face_model_of_the_page_of_readers_writes_predictions_that_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("transformers", reason="the extra train is not installed")
    monkeypatch.chdir(tmp_path)
    tiny_encoder(tmp_path / "models/mine", limit=512)
    dataset = api.build("biomrc", [carried()], "built/mine", recipe="biomrc-demo", workers=1)
    (block,) = PYTHON.findall((ROOT / "docs/readers.md").read_text("utf-8"))
    exec(block, {})
    (score,) = api.score(dataset, ["mine@names=mine.jsonl"]).systems
    assert (score.instances, score.view, score.problems) == (62, "names", {})


def test_the_number_is_cited_as_the_citation_file_says() -> None:
    page, cited = ((ROOT / name).read_text("utf-8") for name in ("docs/evaluation.md", "CITATION.cff"))
    (block,) = re.findall(r"^```bibtex\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    title, version = (re.search(rf'^{key}: "?(.*?)"?$', cited, re.MULTILINE) for key in ("title", "version"))
    assert title
    assert version
    assert f"title = {{{title[1]}}}" in block
    assert f"version = {{{version[1]}}}" in block
    (doi,) = re.findall(r"doi = \{(.*)\}", block)
    assert f"doi: {doi}\n" in cited


def test_the_python_of_the_page_of_measures_says_what_it_says() -> None:
    (block,) = PYTHON.findall((ROOT / "docs/measures.md").read_text("utf-8"))
    exec(compile(block, "measures.md", "exec"), {})
