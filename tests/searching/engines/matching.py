"""What a query matches, in plain Python and slowly, beside which engines are tested.

It says which passages match and counts them. Scores are an engine's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from anagnosis.searching.engines import PassageKey
from anagnosis.searching.filters import date_number
from anagnosis.searching.queries import tree
from anagnosis.searching.queries.names import author_keys, folded, language_key
from anagnosis.searching.queries.paper_conditions import required_parts, shown_with
from anagnosis.searching.records.hits import Facet, Facets, Matches
from anagnosis.searching.records.paper import Paper
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.words import passage_texts, shorter_stems


class StoredPassage(NamedTuple):
    """A passage and the paper of its document."""

    passage: Passage
    paper: Paper


def is_shown(required: Sequence[tree.Part], stored: StoredPassage) -> bool:
    """Whether a passage of a paper that has all required parts is a result."""
    part = shown_with(required)
    return part is None or holds(part, stored)


def holds(part: tree.Part, stored: StoredPassage) -> bool:
    """Whether a passage by itself has a part of a query."""
    match part:
        case tree.Word() | tree.Phrase() | tree.Prefix() | tree.Synonyms():
            return _in_texts(part, passage_texts(stored.passage)[0])
        case tree.InField(field=tree.TITLE, part=inside):
            return _in_texts(inside, passage_texts(stored.passage)[1])
        case tree.InField(field=tree.ABSTRACT, part=inside):
            of_abstract = stored.passage.section != "title" and not stored.passage.full_text
            return of_abstract and _in_texts(inside, passage_texts(stored.passage)[0])
        case tree.InField(field=field, part=inside):
            return any(_is_name(inside, name) for name in names_in(field, stored))
        case tree.Dates(since=since, until=until):
            return _dated(since, until, date_of(stored.passage), overlaps=since != until)
        case tree.AnyOf(parts=parts):
            return any(holds(one, stored) for one in parts)
        case tree.AllOf(parts=parts) | tree.Together(parts=parts):
            return all(holds(one, stored) for one in parts)
        case tree.Not(part=inside):
            return not holds(inside, stored)
        case _:
            raise AssertionError(f"{part} is as typed")


def names_in(field: str, stored: StoredPassage) -> list[str]:
    """The folded names of a passage in a field of tree.NAME_FIELDS."""
    passage, paper = stored
    names: dict[str, Sequence[str]] = {
        tree.JOURNAL: [passage.journal],
        tree.TYPE: passage.types,
        tree.MESH: paper.mesh,
        tree.KEYWORD: paper.keywords,
    }
    people = [name for name in paper.authors if ", " in name] or [*paper.authors]
    authors = {tree.AUTHOR: paper.authors, tree.FIRST_AUTHOR: people[:1], tree.LAST_AUTHOR: people[-1:]}
    if field in authors:
        return [one for name in authors[field] for one in author_keys(name)]
    if field == tree.LANGUAGE:
        return [language_key(name) for name in passage.facts.get("language", "").split("; ") if name]
    if field == tree.FILTER:  # of the trial's papers, whose texts are abstracts
        return ["hasabstract"] if passage.section != "title" else []
    if field == tree.ALIAS:
        return [*paper.aliases] if passage.number == 0 else []
    return [key for name in names[field] if (key := folded(name))]


def date_of(passage: Passage) -> int:
    """The date of a passage's paper, as filters.date_number; 0 without one."""
    return date_number(passage.date)


def _dated(since: str, until: str, day: int, *, overlaps: bool) -> bool:
    """Whether a paper's date begins inside the asked dates, or with `overlaps` any day of it is one of theirs."""
    last = day + (9_999 if not day % 10_000 else 99 if not day % 100 else 0)
    low, high = date_number(since) or 1, date_number(until, last=True) or 99_999_999
    return day > 0 and day <= high and low <= (last if overlaps else day)


def _in_texts(part: tree.Word | tree.Phrase | tree.Prefix | tree.Synonyms, texts: list[list[str]]) -> bool:
    match part:
        case tree.Word(text=word):
            return any(word in text for text in texts)
        case tree.Phrase(words=(one, other), between=int(between)):
            return any(
                {text[at], text[after]} == {one, other}
                for text in texts
                for at in range(len(text))
                for after in range(at + 1, min(at + between + 2, len(text)))
            )
        case tree.Phrase(words=words):
            size, wanted = len(words), list(words)
            return any(text[at : at + size] == wanted for text in texts for at in range(len(text) - size + 1))
        case tree.Prefix(letters=letters):
            stems = set(shorter_stems(letters))
            return any(word in stems or word.startswith(letters) for text in texts for word in text)
        case tree.Synonyms(members=members, typed=typed):
            return any(_in_texts(one, texts) for one in (*members, *typed))


def _is_name(part: tree.Word | tree.Phrase | tree.Prefix | tree.Synonyms, name: str) -> bool:
    match part:
        case tree.Word(text=text):
            return name == text
        case tree.Prefix(letters=letters):
            return name.startswith(letters)
        case _:
            return False


def matches(query: tree.Query, stored: StoredPassage, paper: Iterable[StoredPassage]) -> bool:
    """Whether a passage matches a query. paper: all passages of its paper."""
    required = required_parts(query)
    return bool(required) and is_shown(required, stored) and meets(replace(query, required=required), paper)


def conditions_met(
    query: tree.Query, every: Iterable[StoredPassage], places: Sequence[PassageKey]
) -> list[PassageKey]:
    """What `Engine.meeting` gives. every: all passages of the documents at these places."""
    papers: dict[str, list[StoredPassage]] = {}
    for one in every:
        papers.setdefault(one.passage.document, []).append(one)
    there = {
        (ident, one.passage.number)
        for ident, paper in papers.items()
        if meets(query, paper)
        for one in paper
        if is_shown(query.required, one)
    }
    return [place for place in places if place in there]


def meets(query: tree.Query, paper: Iterable[StoredPassage]) -> bool:
    """Whether the passages of a paper have all that a query requires, and nothing that it excludes."""
    every = list(paper)
    return all(_in_paper(part, every) for part in query.required) and not any(
        _in_paper(part, every) for part in query.excluded
    )


def _in_paper(part: tree.Part, paper: Sequence[StoredPassage]) -> bool:
    match part:
        case tree.AnyOf(parts=parts):
            return any(_in_paper(one, paper) for one in parts)
        case tree.AllOf(parts=parts):
            return all(_in_paper(one, paper) for one in parts)
        case tree.Not(part=inside):
            return not _in_paper(inside, paper)
        case _:
            return any(holds(part, stored) for stored in paper)


def count_facets(matching: Iterable[Passage], limit: int) -> Facets:
    """The counts of the papers of some passages. limit: most journals and types."""
    papers: dict[str, Passage] = {}
    sections = Counter[str]()
    passages = 0
    seen = set[tuple[str, str]]()
    for passage in matching:
        passages += 1
        papers.setdefault(passage.document, passage)
        if (passage.document, passage.section) not in seen:
            seen.add((passage.document, passage.section))
            sections[passage.section] += 1
    years = Counter(day // 10_000 for one in papers.values() if (day := date_of(one)))
    journals, types = Counter[str](), Counter[str]()
    printed: dict[str, str] = {}
    for one in papers.values():
        printed |= {folded(name): name for name in (one.journal, *one.types)}
        journals.update([folded(one.journal)] if one.journal else ())
        types.update({folded(name) for name in one.types})

    def commonest(counts: Counter[str], most: int | None = None) -> tuple[Facet, ...]:
        first = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:most]
        return tuple([Facet(printed.get(name, name), count) for name, count in first])

    return Facets(
        Matches(len(papers), passages),
        tuple([Facet(str(year), count) for year, count in sorted(years.items())]),
        commonest(journals, limit),
        commonest(types, limit),
        commonest(sections),
    )
