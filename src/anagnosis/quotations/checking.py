"""The verdict of each quotation of a draft: whether it stands in the paper named beside it, and where.

A named paper is read whole. Where it lacks the quotation, and for a quotation without a paper, we look through the
collection: the candidates have the rarest words of the quotation side by side.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from anagnosis.documents.states import NOT_VALID
from anagnosis.progress import Progress
from anagnosis.quotations import matching
from anagnosis.quotations.draft import KEY, Draft, Quotation
from anagnosis.quotations.matching import DIFFERING, Difference, Match
from anagnosis.searching.engines import Engine
from anagnosis.searching.engines.stored_papers import frequency, stored_passages
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.paper_names import documents_of
from anagnosis.searching.queries.meaning import phrase, ranked_words
from anagnosis.searching.queries.tree import Part, Query, any_of
from anagnosis.searching.records.passage import Notice, Passage
from anagnosis.searching.words import words_of
from anagnosis.showing import WithReport

Verdict = Literal["word for word", "nearly", "elsewhere", "not here", "cannot tell"]
WRONG: tuple[Verdict, ...] = ("nearly", "elsewhere", "not here")
_LOOKED_AT = 10  # papers of a collection
_RUNS, _SIDE_BY_SIDE = 5, 3  # runs of words to look for, and their words
_REMEMBERED = 100  # papers
_SHORT = 8  # words of a quotation of which pairs are looked for, as a changed word may leave no longer run


class Place(msgspec.Struct, frozen=True):
    """Where a part of a quotation stands: characters [begin, end) of a passage, or of the title where that is the
    section, perhaps on into the next. text: the paper's own words.

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
    notices: Sequence[Notice] = ()


class CheckedQuotation(msgspec.Struct, frozen=True, kw_only=True):
    """A quotation with its verdict.

    because: why nobody can say that the named papers do not have it, or that only the order of its parts differs.
    ignored: kinds of differences that do not count. differences: of words. places: of each part, in its order; where a
    named paper is not the one, of another. notices: of the papers named, and of the one with the places.
    """

    quoted: str
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
    def lacks(self) -> str:
        """Which of its text is not here; "" if all is."""
        title, pages = self.passages[0].paper, {page for one in self.passages for page in one.pages}
        if not any(one.full_text for one in self.passages):
            return f"of {title!r} only the abstract is here"
        unread = [str(page) for page in range(1, max(pages, default=0)) if page not in pages]
        return f"pages without text in the file of {title!r}: {', '.join(unread)}" if unread else ""

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
        self._documents = lru_cache(_REMEMBERED)(self._documents_of)
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
        for document in self._documents(named)[:1]:
            first = self._paper(document).passages[0]
            return Cited(named, document, first.paper, first.notices)
        return Cited(named)

    def verdict(self, quotation: Quotation) -> CheckedQuotation:
        """Whether the papers named beside a quotation have it; without one, whether any has it."""
        said, named = matching.parts(quotation.text), quotation.named
        own = [*dict.fromkeys(chain(*map(self._documents, named)))]
        papers = [*map(self._paper, own)]
        absent = [f"the collection does not have {one}" for one in named if not self._documents(one)]
        why = [*absent, *filter(None, (one.lacks for one in papers))]
        if not named:
            why = ["no paper is named beside it, and the collection seems to have it nowhere"]
        verdict: Verdict = "word for word"
        found = _word_for_word(said, papers)
        if not found:
            others = [self._paper(one) for one in self._candidates(said) if one not in own]
            if found := _word_for_word(said, others):
                verdict = "word for word" if not named else "cannot tell" if absent else "elsewhere"
            elif found := _nearly(said, papers if named else others):
                differs = any(match.differing for match in found[1])
                verdict, why = "nearly", [] if differs else ["its parts stand there in another order"]
            else:
                verdict = "cannot tell" if why else "not here"
        shown = [*papers, found[0]] if found else papers
        places = [*map(found[0].place, found[1])] if found else []
        pairs = [*zip(said, (place.text for place in places), strict=False)]
        differing, alike = (pairs, []) if verdict == "nearly" else ([], pairs)
        return CheckedQuotation(
            quoted=quotation.text,
            line=quotation.line,
            named=named,
            verdict=verdict,
            because="; ".join(why) if verdict != "word for word" else "",
            ignored=[*dict.fromkeys(chain(*(matching.ignored(*pair) for pair in alike)))],
            differences=[*chain(*(matching.differences(*pair) for pair in differing))],
            places=places,
            notices=[*dict.fromkeys(chain(*(one.passages[0].notices for one in shown)))],
        )

    def _read(self, document: str) -> _Paper:
        own = stored_passages(self._engine, document)
        title = replace(own[0], section="title", heading="", text=own[0].title, pages=())
        passages = [title, *(one for one in own if one.section != "title")]
        begins = [0, *accumulate(len(one.text) + 1 for one in passages[:-1])]
        return _Paper(passages, "\n".join(one.text for one in passages), begins)

    def _documents_of(self, named: str) -> list[str]:
        """The documents of a paper that a draft names; several where an identifier is of several."""
        identifiers = self._identifiers.get(named[1:], ()) if named.startswith(KEY) else (named,)
        return next(filter(None, (documents_of(self._engine, one) for one in identifiers)), [])

    def _candidates(self, said: Sequence[str]) -> list[str]:
        """The papers that have all words of a quotation side by side, else its rarest ones, the best first."""
        longest = max(said, key=len)
        ranked = tuple(ranked_words(longest))
        for condition in (phrase(longest), self._rare_runs(longest)):
            found = condition and self._engine.search(Query(ranked, (condition,)), Filters(), _LOOKED_AT)
            if found:
                return [one.stored.name for one in found]
        return []

    def _rare_runs(self, part: str) -> Part | None:
        """Any of the runs of words with the rarest words."""
        places = matching.words(part).spans
        size = min(_SIDE_BY_SIDE if len(places) >= _SHORT else 2, len(places))
        runs = [part[first:last] for (first, _), (_, last) in zip(places, places[size - 1 :], strict=False)]
        stems = [*map(words_of, runs)]
        each = [*dict.fromkeys(chain(*stems))]
        rarity = dict(zip(each, frequency(self._engine, each), strict=True))
        weights = [sum(1 / (1 + rarity[stem]) for stem in some) for some in stems]
        best = sorted(range(len(runs)), key=lambda place: -weights[place])[:_RUNS]
        return any_of(phrase(runs[place]) for place in best)


def _word_for_word(said: Sequence[str], papers: Iterable[_Paper]) -> tuple[_Paper, list[Match]] | None:
    """The first paper that has the parts of a quotation in their order."""
    for paper in papers:
        matches = list[Match]()
        for part in said:
            match = matching.word_for_word(part, paper.text, matches[-1].end if matches else 0)
            if match is None:
                break
            matches.append(match)
        else:
            return paper, matches
    return None


def _nearly(said: Sequence[str], papers: Iterable[_Paper]) -> tuple[_Paper, list[Match]] | None:
    """The paper with the fewest differing words, at most one in DIFFERING, and where each part stands."""
    best, most = None, sum(len(matching.words(part).forms) for part in said) // DIFFERING
    for paper in papers:
        matches = [match for part in said if (match := matching.nearly(part, paper.text, most))]
        differing = sum(match.differing for match in matches)
        if len(matches) == len(said) and differing <= most:
            best, most = (paper, matches), differing - 1
    return best
