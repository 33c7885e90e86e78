"""What short commands wait for at their start: no heavy package is even asked for that they do not need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.invented_papers import documents

from anagnosis import api

HEAVY = (
    "pandas",
    "scipy.stats",
    "torch",
    "transformers",
    "sklearn",
    "polars",
    "datasets",
    "onnxruntime",
    "starlette",
)

# Asks of the finder count, so that the test says the same where a package is not installed.
WATCHED = """
import sys
class Watch:
    asked = set()
    def find_spec(self, name, path=None, target=None):
        self.asked.add(name)
sys.meta_path.insert(0, Watch())
from anagnosis.cli import run
run(sys.argv[1:])
print("ASKED", *sorted(Watch.asked))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset with predictions of two heuristics."""
    folder = tmp_path_factory.mktemp("start")
    api.write(documents(40, seed=0), folder / "corpus.pubtator")
    built = api.build("biomrc", [folder / "corpus.pubtator"], folder / "built", workers=1)
    for name in ("BASE1", "BASE4"):
        api.predict(name, built, folder / f"{name}.jsonl")
    return folder


def asked(folder: Path, *arguments: str) -> set[str]:
    """The modules that a command asked for."""
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *arguments], capture_output=True, text=True, cwd=folder, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.partition("ASKED ")[2].split())


def test_predict_with_a_heuristic_needs_neither_gold_side_nor_statistics(folder: Path) -> None:
    found = asked(folder, "predict", "BASE4", "built", "--out", "again.jsonl")
    assert "anagnosis.readers.predict" in found
    assert not found & {*HEAVY, "scipy", "matplotlib", "jinja2"}


@pytest.mark.parametrize("out", ["page.html", "page.json"])
def test_report_needs_no_frames_and_no_models(folder: Path, out: str) -> None:
    found = asked(folder, "report", "built", "BASE1.jsonl", "BASE4.jsonl", "--out", out)
    assert "anagnosis.evaluation.results" in found
    assert not found & {*HEAVY}
    assert ("matplotlib" in found) == out.endswith(".html")


def test_search_needs_no_tables_and_no_statistics(folder: Path) -> None:
    api.index([folder / "corpus.pubtator"], folder / "index")
    for command in ("search", "ask"):
        found = asked(folder, command, "index", "gene")
        assert "anagnosis.searching.index.index" in found
        assert not found & {*HEAVY, "pyarrow", "scipy"}, command


def test_score_needs_no_layout_of_authors_files(folder: Path) -> None:
    found = asked(folder, "score", "built", "BASE1.jsonl")
    assert "anagnosis.evaluation.results" in found
    assert not found & {*HEAVY, "anagnosis.datasets.biomrc.layout"}
