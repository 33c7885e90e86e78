"""The annotations in files of other programs, and in files of papers that hold mentions (PubTator, BioC, …)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from types import ModuleType

from anagnosis.documents.formats import FORMATS
from anagnosis.documents.formats.detect import format_module
from anagnosis.documents.repairs import Repairs
from anagnosis.entities.third_party import ANNOTATION_FORMATS, Annotation
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.archives import Opened, open_each
from anagnosis.io.compression import without_compression
from anagnosis.io.input_files import input_files
from anagnosis.io.paths import PathLike
from anagnosis.registry import find

_HEAD = 1 << 16


def annotation_formats() -> list[str]:
    """What `read_annotations` takes: formats of annotations and of papers, and BioC, which has several."""
    known = (*ANNOTATION_FORMATS, *FORMATS)
    return sorted({*known, *(name.partition("-")[0] for name in known)})


def read_annotations(
    paths: Sequence[PathLike], format: str, counts: Counter[str]
) -> Iterator[tuple[str, list[Annotation], Sequence[int]]]:
    """(document's id, its annotations, the numbers that the first character may have) of files of one format.

    format: a name in `annotation_formats`; of "bioc" the first bytes of each file decide. A file that names no
    document is of the one that it is called after ("1234.ann"). Counted: text_without_annotation, and what the format's
    reader counts.
    """
    modules = [
        find(ANNOTATION_FORMATS, name, "") if name in ANNOTATION_FORMATS else format_module(name)
        for name in (*ANNOTATION_FORMATS, *FORMATS)
        if name == format or name.startswith(f"{format}-")
    ]
    if not modules:
        raise unknown_name("annotation format", format, annotation_formats())
    suffixes = tuple(suffix for module in modules for suffix in module.SUFFIXES)
    for name, path in input_files(paths, suffixes):
        for opened in open_each(path, suffixes, name=name):
            head = opened.stream.peek(_HEAD)
            module = next((each for each in modules if each.sniff(head)), None)
            if module is None:
                what = f"no annotations of {format}"
                raise InputError(what, f"{opened.name}:1", "name another format with --from")
            if not hasattr(module, "ORIGINS"):
                yield from _of_papers(opened, module, counts)
                continue
            for ident, listed in module.read(opened.stream, counts, opened.name):
                counts["text_without_annotation"] += not listed
                yield ident or _stem(opened.name, module.SUFFIXES), listed, module.ORIGINS


def _of_papers(
    opened: Opened, module: ModuleType, counts: Counter[str]
) -> Iterator[tuple[str, list[Annotation], Sequence[int]]]:
    """The mentions of each paper in a file of papers."""
    repairs = Repairs()
    for document in module.read(opened.stream, repairs, opened.name):
        where = f"{opened.name}: {document.id}"
        listed = [
            Annotation(each.spans, each.text, each.type, each.identifier, each.name, where=where)
            for each in document.mentions
        ]
        yield document.id, listed, (0,)
    counts.update(repairs.counts)
    counts["paper_refused"] += repairs.refused


def _stem(name: str, suffixes: Sequence[str]) -> str:
    """The name of a file without folders and endings: "a/1234.txt.knowtator.xml" is "1234"."""
    bare = PurePath(without_compression(name)).name
    ending = max((each for each in suffixes if bare.endswith(each)), key=len, default="")
    return bare.removesuffix(ending).removesuffix(".txt")
