"""Verbs over a collection: search, ask, related, filters, export_results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec.structs import replace as replaced

from anagnosis.api import shared
from anagnosis.api.options import Option
from anagnosis.errors import ArgumentError, unknown_name
from anagnosis.io.paths import PathLike
from anagnosis.progress import print_note

if TYPE_CHECKING:
    from anagnosis.searching.answers.judging import Judge
    from anagnosis.searching.citing.reference import Reference
    from anagnosis.searching.filters import Filters
    from anagnosis.searching.index.index import Index
    from anagnosis.searching.queries.asked import AskedQuery
    from anagnosis.searching.records.hits import AskAnswer, RelatedAnswer, SearchAnswer
    from anagnosis.searching.sentences.highlighting import Highlighter

_MOST = 1_000
_Question = Annotated[str, Option("What is asked.")]


def _sections() -> Sequence[str]:
    from anagnosis.searching.passages import SECTIONS

    return SECTIONS


def search(
    folder: shared.IndexFolder,
    question: _Question = "",
    *,
    limit: Annotated[int, Option("Number of papers.", 1, _MOST)] = 10,
    offset: Annotated[int, Option("Number of papers to leave out before them.", 0, _MOST)] = 0,
    by: Annotated[
        Literal["paper", "passage"],
        Option("List each paper once, by its best passage; or passages of the best papers."),
    ] = "paper",
    filters: shared.FilteredBy = None,
    ranking: shared.Ranking = None,
    no_synonyms: shared.NoSynonyms = False,
    without: shared.WithoutNames = (),
    sort: shared.Sort = "score",
    facets: Annotated[
        bool, Option("Count the papers of each year, section, journal, type, collection, tag.")
    ] = False,
    highlight: Annotated[bool, Option("Score the sentences; without, a search is faster.")] = True,
    files: bool = True,
) -> SearchAnswer:
    """The passages that fit a question best, with their best sentences highlighted.

    A question may have PubMed's and Google's signs: "a phrase", -word, word*, AND, OR, NOT, parentheses, and fields:
    [ti] [ab] [au] [ta] [dp] [pt] [mh]. A DOI, a PMID or a PMC number goes to its paper. On the command line a question
    that begins with a minus sign stands behind --. Without a question all papers are listed, the latest first.
    \f
    files: whether a hit names its PDF file on this machine.
    """
    from anagnosis.searching.answers.asking import search as searched
    from anagnosis.searching.index.sources import PageFiles
    from anagnosis.searching.sentences.highlighting import UNTRAINED

    asked, order = _asked(question, sort, ranking)
    opened = _opened(folder, no_synonyms, without)
    how: dict[str, Any] = {"scorer": UNTRAINED if highlight else None, "by": by, "sort": order}
    found = searched(opened, asked, filters, limit, ranking, offset=offset, with_facets=facets, **how)
    if not files:
        return found
    address = PageFiles(opened.folder).address
    hits = [replaced(hit, file=address(hit.passage, hit.passage.pages)) for hit in found.found]
    return replaced(found, found=hits)


def ask(
    folder: shared.IndexFolder,
    question: _Question,
    *,
    limit: Annotated[int, Option("Number of sentences.", 1, 100)] = 5,
    filters: shared.FilteredBy = None,
    readers: Annotated[PathLike | Highlighter | None, shared.ASK_READERS] = None,
    device: shared.Device = "auto",
    threads: shared.Threads = None,
    judge: Annotated[str | Judge | None, shared.JUDGE] = None,
    endpoint: shared.Endpoint = None,
    key_env: shared.KeyEnv = None,
    ranking: shared.Ranking = None,
    no_synonyms: shared.NoSynonyms = False,
    without: shared.WithoutNames = (),
    files: bool = True,
) -> AskAnswer:
    """The sentences of a collection that fit a question best, each with its paper.

    A yes/no question also gets what each paper about it concludes. A trained reader orders the
    sentences if it is named. A question may have the signs of `anagnosis search`.
    \f
    judge: its name; or one that is made already, without an endpoint.
    files: whether a sentence names its PDF file on this machine.
    """
    from anagnosis.searching.answers.asking import ask as answer
    from anagnosis.searching.index.sources import PageFiles
    from anagnosis.searching.queries.asked import nothing_to_answer

    _refuse(nothing_to_answer(question))
    opened = _opened(folder, no_synonyms, without)
    loaded, judging = load_scorer(readers, device, threads), load_judge(judge, endpoint, key_env)
    answered = answer(opened, question, filters, limit, loaded, ranking, judging)
    if not files:
        return answered
    address = PageFiles(opened.folder).address
    evidence = [
        replaced(one, file=address(one.passage, one.pages or one.passage.pages)) for one in answered.evidence
    ]
    return replaced(answered, evidence=evidence)


def load_scorer(
    folder: PathLike | Highlighter | None, device: str = "auto", threads: int | None = None
) -> Highlighter:
    """What scores the sentences: the reader of a folder, or the words without one.

    A reader that is loaded already stays as it is.
    """
    from anagnosis.searching.sentences.highlighting import UNTRAINED

    if folder is None:
        return UNTRAINED
    if not isinstance(folder, PathLike):
        return folder
    from anagnosis.searching.sentences.trained_highlighting import load_highlighter

    return load_highlighter(folder, device, threads)


def load_judge(
    judge: str | Judge | None, endpoint: str | None, key_env: str | None, seconds: float = 20.0
) -> Judge | None:
    """The judge of this name behind an endpoint; one that is made already stays. seconds: of each of its two calls.

    InputError: a name without an endpoint, or the reverse; no key.
    """
    if judge is None and endpoint is None and key_env is None:
        return None
    from anagnosis.language_models.server import server
    from anagnosis.searching.answers.judging import Judge

    if isinstance(judge, Judge):
        return judge
    if judge is None or endpoint is None:
        what, remedy = "a judge has a name and the address of its server", "give --judge and --endpoint"
        raise ArgumentError(what, "judge" if judge is None else "endpoint", remedy)
    return Judge(judge, server(endpoint, key_env, seconds=seconds))


def open_collection(folder: PathLike) -> Index:
    """An index to ask more than once. That it is unfinished is reported on standard error."""
    from anagnosis.io.files import display_name
    from anagnosis.progress import print_note
    from anagnosis.searching.index.index import open_index
    from anagnosis.searching.index.settings import UNFINISHED

    opened = open_index(Path(folder))
    if opened.is_unfinished():
        print_note(f"{display_name(folder)} {UNFINISHED}")
    return opened


def filters(
    *,
    sections: Annotated[
        Sequence[str],
        Option(
            "abstract, background, methods, results, conclusion, figure, … Repeatable.",
            choices=_sections,
            flag="--section",
            metavar="NAME",
        ),
    ] = (),
    since: Annotated[str, Option("Published on or after this date.", metavar="DATE")] = "",
    until: Annotated[
        str, Option("Published on or before this date: 2020, 2020-03 or 2020-03-11.", metavar="DATE")
    ] = "",
    journals: Annotated[
        Sequence[str], Option("The journal's whole name. Repeatable.", flag="--journal", metavar="NAME")
    ] = (),
    types: Annotated[
        Sequence[str],
        Option(
            "A type of publication, as the papers' records name it. Repeatable.",
            flag="--type",
            metavar="NAME",
        ),
    ] = (),
    collections: Annotated[
        Sequence[str],
        Option(
            'A collection of the library: Diet, or "Diet > Salt". Repeatable.',
            flag="--collection",
            metavar="NAME",
        ),
    ] = (),
    tags: Annotated[
        Sequence[str], Option("A tag of the library. Repeatable.", flag="--tag", metavar="NAME")
    ] = (),
    added_since: Annotated[str, Option("Added to the library on or after this date.", metavar="DATE")] = "",
) -> Filters:
    """Which passages count; checked."""
    from anagnosis.searching.filters import Filters as Made
    from anagnosis.searching.filters import date_number, is_date
    from anagnosis.searching.passages import SECTIONS

    chosen = tuple(name.casefold() for name in sections)
    for name in chosen:
        if name not in SECTIONS:
            fault = unknown_name("section", name, SECTIONS)
            raise ArgumentError(fault.what, "sections", fault.remedy)
    for option, date in (("since", since), ("until", until), ("added_since", added_since)):
        if date and not is_date(date):
            raise ArgumentError(f"{date!r} is no date", option, "write 2020, 2020-03 or 2020-03-11")
    if since and until and date_number(since) > date_number(until, last=True):
        raise ArgumentError(f"nothing lies between {since} and {until}", "since", "turn them round")
    names = map(tuple, (journals, types, collections, tags))
    return Made(chosen, since, until, *names, added_since=added_since)


def _asked(question: str, sort: str, ranking: str | None) -> tuple[str | AskedQuery, str]:
    """What is searched, and how its list is sorted: without a question every paper, by date.

    ArgumentError: nothing to search for; a list by date of another ranking than by words.
    """
    from anagnosis.searching.engines import BY_DATE
    from anagnosis.searching.queries.asked import EVERYTHING, nothing_to_search
    from anagnosis.searching.rank.ranking import LEXICAL

    is_every = not question.strip()
    _refuse("" if is_every else nothing_to_search(question))
    sort = BY_DATE if is_every else sort
    if sort == BY_DATE and ranking not in (None, LEXICAL):
        raise ArgumentError("a list by date is found by words", "ranking", f"leave out {ranking}")
    return EVERYTHING if is_every else question, sort


def _refuse(why: str) -> None:
    """Refuse (ArgumentError) a question that says nothing of what it is about. why: the reason, "" for none."""
    from anagnosis.searching.analysis import WHAT_IT_IS_ABOUT

    if why:
        raise ArgumentError(why, "question", WHAT_IT_IS_ABOUT)


def expanding(index: Index, *, no_synonyms: bool = False, without: Sequence[str] = ()) -> Index:
    """An index whose questions get other names for their words, or none. without: names and words to leave alone."""
    from anagnosis.searching.records.hits import ExpansionOptions

    return index.expanding(ExpansionOptions(not no_synonyms, tuple(without)))


def _opened(folder: PathLike | Index, no_synonyms: bool, without: Sequence[str]) -> Index:
    index = open_collection(folder) if isinstance(folder, PathLike) else folder
    return expanding(index, no_synonyms=no_synonyms, without=without) if no_synonyms or without else index


def related(
    folder: shared.IndexFolder,
    ident: Annotated[str, Option("Any id of the paper.")],
    *,
    limit: Annotated[int, Option("Number of papers.", 1, _MOST)] = 5,
) -> RelatedAnswer:
    """The papers of a collection that are most related to one of its papers, by the rare words that they share.

    InputError: no such document.
    """
    from anagnosis.searching.answers.related import related as related_papers

    opened = open_collection(folder) if isinstance(folder, PathLike) else folder
    return related_papers(opened, ident, limit)


def export_results(
    folder: shared.IndexFolder,
    question: _Question = "",
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
    no_synonyms: shared.NoSynonyms = False,
    without: shared.WithoutNames = (),
    replace: shared.Replace = False,
) -> int:
    """Write the papers that match a question as RIS, BibTeX, CSV or JSON lines.
    \f
    Gives their number. A file is written atomically, compressed as its ending says. Without a matching paper the list
    is valid and empty (of CSV its header), and a message says so. InputError: an unknown format; both or none given.
    """
    from anagnosis.io import outputs
    from anagnosis.io.files import STANDARD_INPUT, open_output
    from anagnosis.searching.citing.formats import export_format

    format, number = export_format(to), 0
    opened = _opened(folder, no_synonyms, without)
    papers = references_to_export(opened, question, ids, filters, limit, ranking, sort)

    def counted() -> Iterator[Reference]:
        nonlocal number
        for paper in papers:
            number += 1
            yield paper

    if str(out) != STANDARD_INPUT:
        outputs.output_file(out, inputs=[folder] if isinstance(folder, PathLike) else [], replace=replace)
    with open_output(out) as stream:
        stream.writelines(line.encode() for line in format.lines(counted()))
    if not number:
        asked = repr(question) if question.strip() else "the filters"
        print_note(
            f"no paper here matches {asked}, so the list is empty; other words, or fewer filters, may find more"
        )
    return number


def references_to_export(
    index: Index,
    question: str = "",
    ids: Sequence[str] = (),
    filters: Filters | None = None,
    limit: int = 100,
    ranking: str | None = None,
    sort: str = "score",
) -> Iterator[Reference]:
    """The papers of a question, of ids, or of filters or a list by date alone.

    InputError: an unknown id; nothing is given, or a question and ids.
    """
    from anagnosis.searching.answers.exporting import references, references_of
    from anagnosis.searching.filters import Filters as Made

    if not (question.strip() or ids or sort != "score" or (filters or Made()) != Made()):
        raise ArgumentError("no paper is selected", "ids", "select papers, ask a question, or give a filter")
    if question.strip() and ids:
        raise ArgumentError("a question and ids of papers at once", "ids", "leave out one of them")
    if ids:
        return references_of(index, ids)
    asked, sort = _asked(question, sort, ranking)
    return references(index, asked, filters, limit, ranking, sort=sort)
