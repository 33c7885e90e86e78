"""Check an index: verify every file, every paper and every vector against checksums and each other."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from anagnosis.errors import DamagedError, InputError
from anagnosis.io.counts import Counts
from anagnosis.progress import Progress
from anagnosis.searching.engines import Engine, engine_module
from anagnosis.searching.index.settings import CONTINUE, FILE, UNFINISHED, read_settings, was_only_begun
from anagnosis.searching.index.sources import PageFiles
from anagnosis.searching.papers.joined import shown
from anagnosis.searching.papers.records import AGAIN
from anagnosis.searching.rank.dense import FILE as VECTORS
from anagnosis.searching.records import hits
from anagnosis.searching.synonyms.stored_terms import FILE as TERMS
from anagnosis.searching.synonyms.stored_terms import TermNames
from anagnosis.wording import counted


@dataclass(slots=True)
class IndexCheck(Counts):
    """The result of a check of an index. files: verified."""

    files: int = 0
    documents: int = 0
    passages: int = 0
    vectors: int = 0

    @property
    def looked_at(self) -> str:
        """The counts of verified files, documents, passages and vectors, in words."""
        text = f"{counted(self.files, 'file')}, {counted(self.documents, 'document')} with "
        text += counted(self.passages, "passage")
        return f"{text} and {counted(self.vectors, 'vector')}" if self.vectors else text


def check_index(folder: Path) -> IndexCheck:
    """Find all problems of an index.

    InputError: no index there, one of another version, or one that somebody writes to during the check.
    """
    findings = IndexCheck()
    with _noted(findings, folder, "settings"):
        settings = read_settings(folder)
        findings.files = 1
        if was_only_begun(folder):
            findings.add("unfinished", f"{FILE}: is unfinished: nothing was indexed yet; {CONTINUE}")
            return findings
        if settings.unfinished:
            findings.add("unfinished", f"{FILE}: {UNFINISHED}")
        module, place = engine_module(settings.engine), folder / settings.engine
        with _noted(findings, folder, "file"):
            files = dict(module.check(place))
            findings.files += len(files)
            for name, what in files.items():
                if what:
                    findings.add("file", f"{settings.engine}/{name}: {what}")
            if not any(files.values()):
                _check_papers(module.open(place), findings, folder, settings.runs)
        with _noted(findings, folder, "page_files"):
            PageFiles(folder)
        if settings.encoder and not settings.unfinished:
            with _noted(findings, folder, "vectors"):
                from anagnosis.searching.vectors.stored import Vectors, verify

                verify(folder / VECTORS)
                findings.vectors = len(Vectors(folder / VECTORS).numbers)
                findings.files += 1
        if (folder / TERMS).exists():
            with _noted(findings, folder, "terms"):
                TermNames(folder).close()
                findings.files += 1
    return findings


@contextmanager
def _noted(findings: IndexCheck, folder: Path, name: str) -> Generator[None]:
    """Record a DamagedError of this block as a finding, and continue after the block."""
    try:
        yield
    except DamagedError as fault:
        place = Path(fault.where)
        inside = place.relative_to(folder).as_posix() if place.is_relative_to(folder) else fault.where
        findings.add(name, f"{inside}: {fault.what}; {fault.remedy}")


def _check_papers(engine: Engine, findings: IndexCheck, folder: Path, runs: int) -> None:
    """Read every paper, which verifies it."""
    try:
        (version, there), last = engine.committed(), 0
        with Progress("check", there.documents, "documents") as progress:
            for stored in engine.every():
                findings.documents += 1
                findings.passages += len(shown(stored).passages)
                last = max(last, *(record.run for record in stored.records))
                progress.advance()
        if engine.committed().version != version:
            raise InputError(
                "was written to while it was checked",
                str(folder),
                "check it again when no `anagnosis index` runs",
            )
        if last > runs:
            findings.add("settings", f"{FILE}: has {counted(runs, 'run')}, its papers {last}; {AGAIN}")
        if hits.Counts(findings.documents, findings.passages) != there:
            findings.add("count", f"{FILE}: its papers have other passages than were counted; {AGAIN}")
    finally:
        engine.close()
