"""Builds from small inputs in small blocks, and the bytes of folders."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from anagnosis.datasets.build.inputs import InputFiles
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.documents.document import Document
    from anagnosis.documents.repairs import Repairs

BLOCK_BYTES = 12_000


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
