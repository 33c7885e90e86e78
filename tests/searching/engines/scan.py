"""What a query finds, in plain Python and slowly, beside which engines are tested. Scores are their own."""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.searching.engines.entries import name_keys, names_of
from anagnosis.searching.filters import NAME_FILTERS, Filters, date_number
from anagnosis.searching.papers.joined import ShownPaper
from anagnosis.searching.queries import tree
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.words import joined_parts, shorter_stems


def passage_texts(passage: Passage) -> tuple[list[list[str]], list[list[str]]]:
    """(words of title, heading and text; words of the title), in parts: no phrase reaches from one into the next."""
    title, heading, text = (
        [part.split() for part in joined_parts(one)] for one in (passage.title, passage.heading, passage.text)
    )
    return [*title, *heading, *text], title


def finds(query: tree.Query, filters: Filters, paper: ShownPaper) -> bool:
    """Whether a query finds a paper."""
    asked = query.required or ((tree.AnyOf(query.ranked),) if query.ranked else ())
    return bool(asked) and all(holds(part, paper) for part in asked) and meets(query, filters, paper)


def meets(query: tree.Query, filters: Filters, paper: ShownPaper) -> bool:
    """Whether a paper meets the conditions of a query, and the filters."""
    names, first = names_of(paper), paper.passages[0]
    wanted = [
        {(one.field, key) for name in given for key in name_keys(one.field, one.unify(name))}
        for one in NAME_FILTERS
        if (given := getattr(filters, one.names))
    ]
    return (
        all(holds(part, paper) for part in query.required)
        and not any(holds(part, paper) for part in query.excluded)
        and all(not each.isdisjoint(names) for each in wanted)
        and (not filters.documents or first.document in filters.documents)
        and (not filters.sections or any(one.section in filters.sections for one in paper.passages))
        and (not (filters.since or filters.until) or _dated(filters.since, filters.until, first.date, True))
    )


def holds(part: tree.Part, paper: ShownPaper) -> bool:
    """Whether a paper has a part of a query."""
    match part:
        case tree.Word() | tree.Phrase() | tree.Prefix() | tree.Synonyms():
            return any(_in_texts(part, passage_texts(one)[0]) for one in paper.passages)
        case tree.InField(field=tree.TITLE, part=inside):
            return _in_texts(inside, passage_texts(paper.passages[0])[1])
        case tree.InField(field=tree.ABSTRACT, part=inside):
            of_abstract = [one for one in paper.passages if one.section != "title" and not one.full_text]
            return any(_in_texts(inside, passage_texts(one)[0]) for one in of_abstract)
        case tree.InField(field=field, part=tree.Prefix(letters=letters)):
            return any(name.startswith(letters) for of, name in names_of(paper) if of == field)
        case tree.InField(field=field, part=inside):
            return isinstance(inside, tree.Word) and (field, inside.text) in names_of(paper)
        case tree.Dates(since=since, until=until):
            return _dated(since, until, paper.passages[0].date, since != until)
        case tree.AnyOf(parts=parts):
            return any(holds(one, paper) for one in parts)
        case tree.AllOf(parts=parts):
            return all(holds(one, paper) for one in parts)
        case tree.Not(part=inside):
            return not holds(inside, paper)
        case _:
            raise AssertionError(f"{part} is as typed")


def _dated(since: str, until: str, date: str, overlaps: bool) -> bool:
    """Whether a paper's date begins inside the asked dates, or with `overlaps` any day of it is one of theirs."""
    day = date_number(date)
    last = day + (9_999 if not day % 10_000 else 99 if not day % 100 else 0)
    low, high = date_number(since) or 1, date_number(until, last=True) or 99_999_999
    return 0 < day <= high and low <= (last if overlaps else day)


def _in_texts(
    part: tree.Word | tree.Phrase | tree.Prefix | tree.Synonyms, texts: Sequence[list[str]]
) -> bool:
    match part:
        case tree.Word(text=word):
            return any(word in text for text in texts)
        case tree.Phrase(words=words):
            size = len(words)
            return any(tuple(text[at : at + size]) == words for text in texts for at in range(len(text)))
        case tree.Prefix(letters=letters):
            stems = {*shorter_stems(letters)}
            return any(word in stems or word.startswith(letters) for text in texts for word in text)
        case tree.Synonyms(members=members, typed=typed):
            return any(_in_texts(one, texts) for one in (*members, *typed))
