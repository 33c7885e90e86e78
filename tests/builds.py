"""Builds that can be watched, killed and compared.

`python -m tests.builds OPTIONS build …` runs that command of anagnosis in small blocks and parts, so that a small
input has many of them, and says on standard output which phase it is in: start, screen, resolve, write. A test reads
these lines and kills the process in the phase it wants.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from anagnosis.datasets.build.inputs import InputFiles
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.documents.document import Document
    from anagnosis.documents.repairs import Repairs

BLOCK_BYTES = 12_000
ROOT = Path(__file__).resolve().parents[1]
PHASES = ("screen", "resolve", "write")
_MARK = "phase "


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, hidden ones too, by its relative path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def sources(folder: Path) -> list[Path]:
    """The carried corpus, which every rule drops something of, synthetic documents, and some of these again."""
    from benchmarks.invented_papers import documents

    from anagnosis import api
    from anagnosis.corpus import carried

    shutil.copy(carried(), folder / "carried.pubtator")
    api.write(documents(40, seed=5), folder / "synthetic.pubtator.gz")
    api.write(documents(10, seed=5), folder / "repeated.pubtator")
    return [folder / name for name in ("carried.pubtator", "synthetic.pubtator.gz", "repeated.pubtator")]


def read_by_workers(inputs: InputFiles, *, whole_articles: bool = False) -> tuple[list[Document], Repairs]:
    """All documents of an input, as the builders get them, and what was repaired."""
    from anagnosis.datasets.build.inputs import documents
    from anagnosis.datasets.definition import Builder
    from anagnosis.documents.repairs import Repairs

    builder, repairs = Builder(recipe=object, whole_articles=whole_articles), Repairs()
    accept = inputs.accept_truncated
    pieces = (piece for block in inputs.blocks() for piece in block)
    found = [each for piece in pieces for each in documents(piece, repairs, builder, accept_truncated=accept)]
    repairs.add(inputs.repairs)
    return found, repairs


def texts(count: int, seed: int) -> list[bytes]:
    """Synthetic documents as PubTator text, one by one."""
    from benchmarks.invented_papers import documents

    from tests.articles import text

    return [text(document) for document in documents(count, seed)]


def citations(folder: Path) -> list[Path]:
    """The carried citations, as often as there are enough for several blocks, under other identifiers."""
    import msgspec

    from anagnosis import api
    from anagnosis.corpus import carried
    from anagnosis.documents.formats import jsonl

    papers = list(api.read(carried("medline")))
    with (folder / "citations.jsonl").open("wb") as stream:
        jsonl.write(
            (
                msgspec.structs.replace(paper, id=str(9_000_000 + 100 * number + place))
                for number in range(12)
                for place, paper in enumerate(papers)
            ),
            stream,
        )
    return [folder / "citations.jsonl"]


@dataclass(frozen=True, slots=True)
class Input:
    """What a dataset is built from in tests. settings: of its recipe, for texts as short as these.

    has_terms: whether the build takes the bundled terms.
    """

    sources: Callable[[Path], list[Path]]
    settings: dict[str, int | str]
    has_terms: bool = False

    @property
    def terms(self) -> list[Path]:
        """The vocabularies of the build."""
        from anagnosis.corpus import carried

        return [carried("terms-tsv")] if self.has_terms else []

    @property
    def options(self) -> list[str]:
        """Settings and vocabularies as the command line takes them."""
        chosen = [part for key, value in self.settings.items() for part in ("--set", f"{key}={value}")]
        return chosen + [part for path in self.terms for part in ("--terms", str(path))]


# Every dataset of ours that is built from documents.
INPUTS = {
    "biomrc": Input(sources, {}),
    "bioread": Input(
        sources, {"passage_sentences": 2, "minimum_question_tokens": 0, "minimum_candidates": 0}
    ),
    "clicr": Input(sources, {"query_section": "last-sentences(1)"}, has_terms=True),
    "pubmedqa": Input(citations, {}),
}


@dataclass(frozen=True, slots=True)
class Builder:
    """Builds from the same files in small blocks; with one worker where nothing else is said."""

    paths: list[Path]
    folder: Path
    dataset: str = "biomrc"

    def __call__(self, out: str, **given: Any) -> Dataset:
        usual = INPUTS[self.dataset]
        settings = {**usual.settings, **given.pop("settings", {})}
        small = {"workers": 1, "block_bytes": BLOCK_BYTES, "settings": settings, "terms": usual.terms}
        given = {**small, **given}
        from anagnosis import api

        return api.build(self.dataset, self.paths, self.folder / out, **given)

    def files(self, out: str, **given: Any) -> dict[str, bytes]:
        return contents(self(out, **given).folder)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a watched build ended. phase: the last it was in; seconds: how long it was in each."""

    code: int
    phase: str
    seconds: dict[str, float]
    errors: str


class Watched:
    """A build in a process group of its own. options: those of this module's command line."""

    def __init__(self, command: Sequence[str], *options: str) -> None:
        self.began: dict[str, float] = {}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.builds", *options, *command],
            cwd=ROOT,
            env={**os.environ, "ANAGNOSIS_QUIET": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def wait_for(self, phase: str) -> None:
        """Come back when the phase begins."""
        assert self.process.stdout is not None
        while phase not in self.began:
            line = self.process.stdout.readline()
            assert line, f"ended before {phase}: {self.process.communicate()[1]}"
            self._note(line)

    def signal(self, number: int, *, group: bool = False) -> None:
        """Send a signal to the build alone, or to its workers too, as a terminal does."""
        if group and self.process.poll() is None:
            os.killpg(self.process.pid, number)
        elif not group:
            self.process.send_signal(number)

    def end(self, within: float = 60) -> Ended:
        """Wait until the build and all its workers have ended: they hold the other end of its output."""
        out, errors = self.process.communicate(timeout=within)
        for line in out.splitlines():
            self._note(line)
        times = [*self.began.values(), time.monotonic()]
        seconds = {phase: after - at for (phase, at), after in zip(self.began.items(), times[1:])}
        return Ended(self.process.returncode, list(self.began)[-1], seconds, errors)

    def _note(self, line: str) -> None:
        if line.startswith(_MARK):
            phase, at = line.removeprefix(_MARK).split()
            self.began[phase] = float(at)


def _mark(phase: str) -> None:
    # The clock is that of the whole machine, so the watching process can use it.
    print(f"{_MARK}{phase} {time.monotonic()}", flush=True)


def _say_phases() -> None:
    from anagnosis.progress import Progress

    enter, leave = Progress.__enter__, Progress.__exit__

    def entered(self: Progress) -> Progress:
        if self.label in PHASES:
            _mark(self.label)
        return enter(self)

    def left(
        self: Progress,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        leave(self, kind, fault, trace)
        if self.label == "screen" and kind is None:
            _mark("resolve")

    Progress.__enter__, Progress.__exit__ = entered, left


def _slowly(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function with pauses among the calls inside it: milliseconds become time enough to be killed in."""
    calls = count()

    def slow(*given: Any) -> Any:
        sys.setprofile(lambda *_: time.sleep(1e-4) if next(calls) % 20 == 0 else None)
        try:
            return function(*given)
        finally:
            sys.setprofile(None)

    return slow


def main() -> int:
    _mark("start")
    parser = argparse.ArgumentParser()
    parser.add_argument("--block-bytes", type=int, default=20_000)
    parser.add_argument("--part-rows", type=int, default=20)
    parser.add_argument("--file-bytes", type=int, help="no file may become larger, as if the disk were full")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    from functools import partial, update_wrapper

    from anagnosis import api, cli
    from anagnosis.datasets.build import three_phases
    from anagnosis.datasets.folder import writing

    if options.file_bytes:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (options.file_bytes, options.file_bytes))
    api.build = update_wrapper(partial(api.build, block_bytes=options.block_bytes), api.build)
    writing.PART_ROWS = options.part_rows
    three_phases.resolve = _slowly(three_phases.resolve)
    _say_phases()
    return cli.run(options.command)


if __name__ == "__main__":
    sys.exit(main())
