"""`annotate` killed at any moment and with workers that die: the same bytes in the end."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.killing import Killing

import anagnosis
from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.documents.document import Document
from anagnosis.progress import Progress

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are other there")

TERMS = carried("terms-tsv")


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled full texts, 24 times over: as many batches as two workers have at once, and one more."""
    articles = list(anagnosis.read(carried("jats"), full_text=True))

    def repeated() -> Iterator[Document]:
        for number in range(24):
            for article in articles:
                yield msgspec.structs.replace(article, id=f"{number}-{article.id}")

    path = tmp_path_factory.mktemp("papers") / "papers.jsonl"
    anagnosis.write(repeated(), path, format="jsonl")
    return path


@pytest.fixture(scope="module")
def expected(papers: Path) -> bytes:
    """What one worker writes that nobody disturbs."""
    out = papers.with_name("expected.jsonl.gz")
    anagnosis.annotate([papers], out, terms=[TERMS], workers=1)
    return out.read_bytes()


def left(out: Path) -> dict[str, bytes]:
    """The files beside an output, unfinished ones too."""
    return {file.name: file.read_bytes() for file in out.parent.iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_the_same_command_ends_in_the_same_bytes_after_a_kill(
    workers: int, papers: Path, expected: bytes, tmp_path: Path
) -> None:
    def words(out: Path) -> list[str]:
        options = ["--terms", str(TERMS), "--workers", str(workers), "--replace", "--out", f"{out}.gz"]
        return ["-q", "annotate", str(papers), *options]

    def seen(out: Path) -> None:
        for name, data in left(out).items():
            assert name != "out.gz" or data == expected

    trial = Killing(run, words, left, tmp_path, seen=seen)
    trial.check(kills=20, seed=30)
    assert trial.undisturbed[0].keys() == {"out.gz"}
    assert trial.undisturbed[0]["out.gz"] == expected


def test_a_worker_that_dies_costs_nothing(
    papers: Path, expected: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from multiprocessing import active_children

    killed: list[int] = []
    advance = Progress.advance

    def kill_one_midway(bar: Progress, n: int = 1, share: float | None = None) -> None:
        advance(bar, n, share)
        if bar.label == "annotate" and bar.done > 20 and not killed:
            (child, *_) = active_children()
            assert child.pid is not None
            killed.append(child.pid)
            os.kill(child.pid, signal.SIGKILL)

    monkeypatch.setattr(Progress, "advance", kill_one_midway)
    anagnosis.annotate([papers], tmp_path / "out.jsonl.gz", terms=[TERMS], workers=2)
    assert len(killed) == 1
    assert (tmp_path / "out.jsonl.gz").read_bytes() == expected
