"""The verdict of each quotation of a draft: whether it stands in the paper named beside it, and where.

A named paper is read whole. Where it lacks the quotation, and for a quotation without a paper, we look through the
collection: the candidates have the rarest words of the quotation side by side.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from anagnosis.documents.states import NOT_VALID
from anagnosis.progress import Progress
from anagnosis.quotations.draft import KEY, Draft, Quotation
from anagnosis.quotations.matching import (
    DIFFERING,
    Difference,
    Match,
    differences,
    ignored,
    nearly,
    parts,
    word_for_word,
    words,
)
from anagnosis.searching.engines import Engine
from anagnosis.searching.engines.stored_papers import frequency, stored_passages
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.paper_names import documents_of
from anagnosis.searching.queries.meaning import phrase, ranked_words
from anagnosis.searching.queries.tree import Query, any_of
from anagnosis.searching.records.passage import Notice, Passage
from anagnosis.searching.words import words_of
from anagnosis.showing import WithReport

Verdict = Literal["word for word", "nearly", "elsewhere", "not here", "cannot tell"]
WORD_FOR_WORD: Verdict = "word for word"
NEARLY: Verdict = "nearly"
ELSEWHERE: Verdict = "elsewhere"
NOT_HERE: Verdict = "not here"
CANNOT_TELL: Verdict = "cannot tell"
WRONG = (NEARLY, ELSEWHERE, NOT_HERE)
_LOOKED_AT = 10  # papers of a collection
_RUNS, _SIDE_BY_SIDE = 5, 3  # runs of words to look for, and their words
_REMEMBERED = 500  # papers
_SHORT = 8  # words of a quotation of which pairs are looked for, as a changed word may leave no longer run


class Place(msgspec.Struct, frozen=True):
    """Where a part of a quotation stands: characters [begin, end) of a passage. text: the paper's own words.

    pages: of the paper's file; () if unknown.
    """

    document: str
    title: str
    passage: int
    section: str
    begin: int
    end: int
    text: str
    pages: tuple[int, ...] = ()


class Cited(msgspec.Struct, frozen=True):
    """A paper that a draft names. document: its id in the index, "" for none. notices: retracted and the like."""

    named: str
    document: str = ""
    title: str = ""
    full_text: bool = False
    notices: Sequence[Notice] = ()


class CheckedQuotation(msgspec.Struct, frozen=True, kw_only=True):
    """A quotation with its verdict.

    because: the reason of a verdict that a place does not explain. ignored: kinds of differences that do not count.
    differences: of words. places: of each part, in its order; of *elsewhere*, in another paper.
    """

    text: str
    line: Annotated[int, Meta(ge=0)]
    named: Sequence[str] = ()
    verdict: Verdict
    because: str = ""
    ignored: Sequence[str] = ()
    differences: Sequence[Difference] = ()
    places: Sequence[Place] = ()
    notices: Sequence[Notice] = ()


class QuotationCheck(WithReport, msgspec.Struct, frozen=True, kw_only=True):
    """The quotations of a draft. papers: all that it names. unclosed: lines with a mark that nothing closes."""

    record: Literal["quotationcheck"] = "quotationcheck"
    draft: str
    quotations: Sequence[CheckedQuotation]
    papers: Sequence[Cited]
    unclosed: Sequence[int] = ()

    @property
    def wrong(self) -> bool:
        """Whether a quotation is wrong, or a paper that the draft names is retracted."""
        is_wrong = any(one.verdict in WRONG for one in self.quotations)
        every = chain(*(one.notices for one in (*self.papers, *self.quotations)))
        return is_wrong or any(one.kind in NOT_VALID for one in every)


class _Paper(NamedTuple):
    """A paper as one text. passages: its title and its passages. begins: where each stands in the text."""

    passages: Sequence[Passage]
    text: str
    begins: Sequence[int]

    @property
    def title(self) -> str:
        return self.passages[0].paper

    @property
    def full_text(self) -> bool:
        return any(one.full_text for one in self.passages)

    @property
    def without_text(self) -> list[int]:
        """Pages of its file between others, on which nothing was read."""
        pages = {page for one in self.passages for page in one.pages}
        return [page for page in range(1, max(pages, default=0)) if page not in pages]

    def place(self, match: Match) -> Place:
        """A match in the text as a place in the passage where it begins."""
        number = bisect_right(self.begins, match.begin) - 1
        passage, before = self.passages[number], self.begins[number]
        text, edges = self.text[match.begin : match.end], (match.begin - before, match.end - before)
        where = (passage.document, passage.paper, passage.number, passage.section)
        return Place(*where, *edges, text, passage.pages)


class QuotationChecker:
    """Checks quotations over an index. identifiers: key of a bibliography → identifiers of its paper."""

    def __init__(self, engine: Engine, identifiers: Mapping[str, Sequence[str]] | None = None) -> None:
        self._engine, self._identifiers = engine, identifiers or {}
        self._documents = dict[str, list[str]]()
        self._paper = lru_cache(_REMEMBERED)(self._read)

    def check(self, draft: Draft, name: str) -> QuotationCheck:
        """The verdicts of a draft. name: of its file."""
        papers = [self.cited(one) for one in draft.named]
        checked = list[CheckedQuotation]()
        with Progress("check", len(draft.quotations), "quotations") as progress:
            for one in draft.quotations:
                checked.append(self.verdict(one))
                progress.advance()
        return QuotationCheck(draft=name, quotations=checked, papers=papers, unclosed=draft.unclosed)

    def cited(self, named: str) -> Cited:
        """A paper that a draft names, as the collection has it."""
        for document in self._named(named)[:1]:
            paper = self._paper(document)
            return Cited(named, document, paper.title, paper.full_text, paper.passages[0].notices)
        return Cited(named)

    def verdict(self, quotation: Quotation) -> CheckedQuotation:
        """Whether the papers named beside a quotation have it; without one, whether any has it."""
        said = parts(quotation.text)
        own = [*dict.fromkeys(chain(*map(self._named, quotation.named)))]
        papers = [*map(self._paper, own)]
        if found := _word_for_word(said, papers):
            return _checked(quotation, WORD_FOR_WORD, said, *found)
        others = [self._paper(one) for one in self._candidates(said) if one not in own]
        if found := _word_for_word(said, others):
            return _checked(quotation, ELSEWHERE if quotation.named else WORD_FOR_WORD, said, *found)
        if found := _nearly(said, papers if quotation.named else others):
            return _checked(quotation, NEARLY, said, *found)
        because = _why_not_sure(quotation, papers)
        verdict = CANNOT_TELL if because else NOT_HERE
        return CheckedQuotation(**_of(quotation), verdict=verdict, because=because)

    def _read(self, document: str) -> _Paper:
        own = stored_passages(self._engine, document)
        title = replace(own[0], section="title", heading="", text=own[0].title, pages=())
        passages = [title, *(one for one in own if one.section != "title")]
        begins = [0, *accumulate(len(one.text) + 1 for one in passages[:-1])]
        return _Paper(passages, "\n".join(one.text for one in passages), begins)

    def _named(self, named: str) -> list[str]:
        """The documents of a paper that a draft names; several where an identifier is of several."""
        if named not in self._documents:
            key = named.removeprefix(KEY)
            idents = (named,) if key == named else self._identifiers.get(key, ())
            found = (documents_of(self._engine, one) for one in idents)
            self._documents[named] = next(filter(None, found), [])
        return self._documents[named]

    def _candidates(self, said: Sequence[str]) -> list[str]:
        """The papers that have the rarest words of a quotation side by side, the best first."""
        longest = max(said, key=lambda part: len(words(part).forms))
        spans = words(longest).spans
        size = min(_SIDE_BY_SIDE if len(spans) >= _SHORT else 2, len(spans))
        runs = [longest[first:last] for (first, _), (_, last) in zip(spans, spans[size - 1 :], strict=False)]
        stems = [*map(words_of, runs)]
        each = [*dict.fromkeys(chain(*stems))]
        rarity = dict(zip(each, frequency(self._engine, each), strict=True))
        weights = [sum(1 / (1 + rarity[stem]) for stem in some) for some in stems]
        best = sorted(range(len(runs)), key=lambda place: -weights[place])[:_RUNS]
        condition = any_of(phrase(runs[place]) for place in best)
        if condition is None:
            return []
        found = self._engine.search(Query(tuple(ranked_words(longest)), (condition,)), Filters(), _LOOKED_AT)
        return [one.stored.name for one in found]


def _word_for_word(said: Sequence[str], papers: Iterable[_Paper]) -> tuple[_Paper, list[Match]] | None:
    """The first paper that has the parts of a quotation in their order."""
    for paper in papers:
        matches, at = list[Match](), 0
        for part in said:
            match = word_for_word(part, paper.text, at)
            if match is None:
                break
            matches.append(match)
            at = match.end
        else:
            return paper, matches
    return None


def _nearly(said: Sequence[str], papers: Iterable[_Paper]) -> tuple[_Paper, list[Match]] | None:
    """The paper with the fewest differing words, at most one in DIFFERING, and where each part stands."""
    best, most = None, sum(len(words(part).forms) for part in said) // DIFFERING
    for paper in papers:
        matches = list[Match]()
        for part in said:
            each = (
                match._replace(begin=match.begin + begin, end=match.end + begin)
                for passage, begin in zip(paper.passages, paper.begins, strict=True)
                if (match := nearly(part, passage.text, most))
            )
            matches += sorted(each, key=lambda match: match.differing)[:1]
        differing = sum(match.differing for match in matches)
        if len(matches) == len(said) and differing <= most:
            best, most = (paper, matches), differing - 1
    return best


def _of(quotation: Quotation) -> dict[str, Any]:
    return {"text": quotation.text, "line": quotation.line, "named": quotation.named}


def _checked(
    quotation: Quotation, verdict: Verdict, said: Sequence[str], paper: _Paper, matches: Sequence[Match]
) -> CheckedQuotation:
    """A verdict with its places."""
    places = [*map(paper.place, matches)]
    pairs = [(part, place.text) for part, place in zip(said, places, strict=True)]
    return CheckedQuotation(
        **_of(quotation),
        verdict=verdict,
        ignored=[*dict.fromkeys(chain(*(ignored(*pair) for pair in pairs)))] if verdict != NEARLY else (),
        differences=[*chain(*(differences(*pair) for pair in pairs))] if verdict == NEARLY else (),
        places=places,
        notices=paper.passages[0].notices,
    )


def _why_not_sure(quotation: Quotation, papers: Sequence[_Paper]) -> str:
    """Why nobody can say that a quotation is not in the papers named beside it; "" if it is not."""
    if not quotation.named:
        return "no paper is named beside it, and the collection seems to have it nowhere"
    if not papers:
        return f"the collection does not have {' or '.join(quotation.named)}"
    for paper in papers:
        if not paper.full_text:
            return f"of {paper.title!r} only the abstract is here"
        if pages := paper.without_text:
            return f"pages without text in the file of {paper.title!r}: {', '.join(map(str, pages))}"
    return ""
