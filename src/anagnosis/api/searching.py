"""Verbs over a collection: search, ask."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from anagnosis.api.predicting import ready_for_torch
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.searching.answers.readers import Readers
    from anagnosis.searching.filters import Filters
    from anagnosis.searching.index.index import Index
    from anagnosis.searching.records.answers import AskAnswer, RelatedAnswer, SearchAnswer


_MOST = 1_000


class Asking(TypedDict, total=False):
    """limit: how many. filters: which passages count. ranking: lexical, dense, hybrid or reranked; None: what suits.

    encoder: of the index's vectors, where it lies elsewhere than when they were made. no_synonyms: search for the
    question's words alone; without: names that do not join them, and words that stay alone.
    """

    limit: int
    filters: Filters | None
    ranking: str | None
    encoder: str | None
    no_synonyms: bool
    without: Sequence[str]


class Searching(Asking, total=False):
    """by: list each paper once, by its best passage ("paper"), or all passages ("passage").

    sort: "score", or "date", the latest first. facets: whether years, journals, types and sections are counted.
    """

    by: str
    sort: str
    facets: bool


class Answering(Asking, total=False):
    """readers: trained ones, or their folder (searching/answers/readers.py). device, threads: where they compute."""

    readers: PathLike | Readers | None
    device: str
    threads: int | None


def search(folder: PathLike | Index, question: str, **how: Unpack[Searching]) -> SearchAnswer:
    """The papers that fit best, each by its best passage with its sentences scored."""
    from anagnosis.searching.answers.asking import search as searched
    from anagnosis.searching.engines import BY_SCORE
    from anagnosis.searching.records.answers import BY_PAPER, GROUPINGS

    refuse_empty(question)
    if (by := how.get("by", BY_PAPER)) not in GROUPINGS:
        raise unknown_name("grouping", by, GROUPINGS, "by")
    sort, ranking = how.get("sort", BY_SCORE), how.get("ranking")
    refuse_sort(sort, ranking)
    opened = _opened(folder, how)
    asked = question, how.get("filters"), how.get("limit", 10), ranking
    return searched(opened, *asked, by=by, sort=sort, with_facets=how.get("facets", False))


def ask(folder: PathLike | Index, question: str, **how: Unpack[Answering]) -> AskAnswer:
    """The sentences of a collection that answer a question; what papers conclude, and earned names."""
    from anagnosis.searching.answers.asking import SHOWN
    from anagnosis.searching.answers.asking import ask as answer
    from anagnosis.searching.queries.asked import nothing_to_answer

    _refuse(question, nothing_to_answer(question))
    opened = _opened(folder, how)
    readers = load_readers(how.get("readers"), how.get("device", "auto"), how.get("threads"))
    limit = how.get("limit", SHOWN)
    return answer(opened, question, how.get("filters"), limit, readers, how.get("ranking"))


def load_readers(
    folder: PathLike | Readers | None,
    device: str = "auto",
    threads: int | None = None,
) -> Readers:
    """The trained readers of a folder; those that need no training for none.

    Readers that are loaded already stay as they are.
    """
    from anagnosis.searching.answers.readers import NONE
    from anagnosis.searching.answers.readers import load_readers as load

    if folder is None:
        return NONE
    if not isinstance(folder, PathLike):
        return folder
    return load(folder, device, threads)


def open_collection(folder: PathLike, encoder: str | None = None) -> Index:
    """An index to ask more than once. encoder: of its vectors, where it lies elsewhere than when they were made.

    That it is unfinished or has no checksums is reported on standard error.
    Refused (InputError): another encoder than made them, an index without vectors.
    """
    from anagnosis.io.files import display_name
    from anagnosis.progress import tell
    from anagnosis.searching.index.index import open_index
    from anagnosis.searching.index.settings import NOTES

    opened = open_index(Path(folder))
    for note in opened.notes():
        tell(f"{display_name(folder)} {NOTES[note]}")
    if encoder is not None:
        ready_for_torch("ranking by vectors")
        opened.asks_with(encoder)
    return opened


def filters(
    *,
    sections: Sequence[str] = (),
    since: str = "",
    until: str = "",
    journals: Sequence[str] = (),
    types: Sequence[str] = (),
) -> Filters:
    """Which passages count; checked."""
    from anagnosis.searching.filters import Filters as Made
    from anagnosis.searching.filters import date_number, is_date
    from anagnosis.searching.section_names import SECTIONS

    chosen = tuple(name.casefold() for name in sections)
    for name in chosen:
        if name not in SECTIONS:
            raise unknown_name("section", name, SECTIONS)
    for option, date in (("--since", since), ("--until", until)):
        if date and not is_date(date):
            raise InputError(f"{date!r} is no date", option, "write 2020, 2020-03 or 2020-03-11")
    if since and until and date_number(since) > date_number(until, last=True):
        raise InputError(f"nothing lies between {since} and {until}", "--since", "turn them round")
    return Made(chosen, since, until, tuple(journals), tuple(types))


def refuse_sort(sort: str, ranking: str | None) -> None:
    """InputError: no such order of a list, or one by date of another ranking than by words."""
    from anagnosis.searching.engines import BY_DATE, SORTS
    from anagnosis.searching.rank.ranking import LEXICAL

    if sort not in SORTS:
        raise unknown_name("sort", sort, SORTS, "--sort")
    if sort == BY_DATE and ranking not in (None, LEXICAL):
        raise InputError("a list by date is found by words", "--sort", f"leave out --ranking {ranking}")


def refuse_empty(question: str) -> None:
    """Refuse (InputError) a question that names nothing to search for."""
    from anagnosis.searching.queries.asked import nothing_to_search

    _refuse(question, nothing_to_search(question))


def _refuse(question: str, why: str) -> None:
    """Refuse (InputError) a question that says nothing of what it is about. why: the reason, "" for none."""
    from anagnosis.searching.analysis import WHAT_IT_IS_ABOUT

    if why:
        raise InputError(why, question.strip() or "the question", WHAT_IT_IS_ABOUT)


def expanding(index: Index, *, no_synonyms: bool = False, without: Sequence[str] = ()) -> Index:
    """An index whose questions get other names for their words, or none. without: names and words to leave alone."""
    from anagnosis.searching.records.expansion import ExpansionOptions

    return index.expanding(ExpansionOptions(not no_synonyms, tuple(without)))


def _opened(folder: PathLike | Index, how: Asking) -> Index:
    index = open_collection(folder, how.get("encoder")) if isinstance(folder, PathLike) else folder
    if "no_synonyms" not in how and "without" not in how:
        return index
    return expanding(index, no_synonyms=how.get("no_synonyms", False), without=how.get("without", ()))


def related(folder: PathLike | Index, ident: str, *, limit: int = 5) -> RelatedAnswer:
    """The papers of a collection that are most related to one of its papers, by vectors where there are some.

    ident: of a document. InputError: no such document, or a limit outside of 1 to 1,000.
    """
    from anagnosis.searching.answers.related import related as related_papers

    if not 1 <= limit <= _MOST:
        raise InputError(f"{limit} is no number of papers", "--limit", f"write a number from 1 to {_MOST}")
    opened = open_collection(folder) if isinstance(folder, PathLike) else folder
    return related_papers(opened, ident, limit)
