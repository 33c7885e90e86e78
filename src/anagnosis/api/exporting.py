"""The verb that writes references of papers: export_results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from anagnosis.api import shared
from anagnosis.api.options import Option
from anagnosis.api.searching import expanding, open_collection, refuse_empty, refuse_sort
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike
from anagnosis.progress import print_note

if TYPE_CHECKING:
    from anagnosis.searching.citing.reference import Reference


def export_results(
    folder: shared.IndexFolder,
    question: Annotated[str, Option()] = "",
    *,
    to: Annotated[str, Option("The format to write: ris, bibtex, csv or jsonl.", metavar="FORMAT")],
    out: Annotated[PathLike, Option("The file to write (default: print); .gz and .zst compress.")] = "-",
    ids: Annotated[
        Sequence[str], Option("A paper, instead of a question. Repeatable.", flag="--id", metavar="ID")
    ] = (),
    limit: Annotated[int, Option("Most papers of a question.", 1, 10_000)] = 100,
    filters: shared.FilteredBy = None,
    ranking: shared.Ranking = None,
    sort: shared.Sort = "score",
    encoder: shared.MovedEncoder = None,
    no_synonyms: shared.NoSynonyms = False,
    without: shared.WithoutNames = (),
    replace: shared.Replace = False,
) -> int:
    """Write the papers that match a question as RIS, BibTeX, CSV or JSON lines.
    \f
    Gives their number. A file is written atomically, compressed as its ending says. Without a matching paper the list
    is valid and empty (of CSV its header), and a message says so. InputError: an unknown format or id, neither question
    nor ids, or both.
    """
    from anagnosis.searching.answers.exporting import references, references_of
    from anagnosis.searching.citing import export_format

    format = export_format(to)
    if bool(question.strip()) == bool(ids):
        raise InputError("give a question or ids of papers, one of them", "", "name papers with --id")
    if question:
        refuse_empty(question)
        refuse_sort(sort, ranking)
    opened = open_collection(folder, encoder) if isinstance(folder, PathLike) else folder
    opened = expanding(opened, no_synonyms=no_synonyms, without=without)
    papers = (
        references_of(opened, ids)
        if ids
        else references(opened, question, filters, limit, ranking, sort=sort)
    )
    counted = _Counted(papers)
    _write(
        format.lines(counted), out, inputs=(folder,) if isinstance(folder, PathLike) else (), replace=replace
    )
    if not counted.count:
        print_note(
            f"no paper here matches {question!r}, so the list is empty; other words, or fewer filters, may find more"
        )
    return counted.count


class _Counted:
    """References, and how many were read."""

    def __init__(self, references: Iterable[Reference]) -> None:
        self._references, self.count = references, 0

    def __iter__(self) -> Iterator[Reference]:
        for reference in self._references:
            self.count += 1
            yield reference


def _write(lines: Iterable[str], out: PathLike, *, inputs: Sequence[PathLike], replace: bool) -> None:
    from anagnosis.io import outputs
    from anagnosis.io.files import STANDARD_INPUT, open_output

    if str(out) == STANDARD_INPUT:
        with open_output(out) as stream:
            stream.writelines(line.encode() for line in lines)
        return
    with outputs.writing(out, inputs=inputs, replace=replace), open_output(out) as stream:
        stream.writelines(line.encode() for line in lines)
