"""The records that `search` and `ask` return: ranked passages, quoted sentences, conclusions, and counts.

With them stand names that mean the same, which a search adds to a question.

Counts are of all papers that match, by year, journal, type and section.

All text is verbatim; offsets are characters of the passage's text, end exclusive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import msgspec
from msgspec import Meta

from anagnosis.io.tables import WithTable
from anagnosis.searching.records.passage import Evidence, Notice, Paper, Passage, Rank, Share, Strength
from anagnosis.showing import WithReport, masked_line
from anagnosis.wording import counted

Sort = Literal["score", "date"]
By = Literal["paper", "passage"]
GROUPINGS: tuple[By, ...] = ("paper", "passage")
BY_PAPER, BY_PASSAGE = GROUPINGS


class Facet(msgspec.Struct, frozen=True):
    """One value of a facet. papers: the number of matching papers with this value."""

    name: str
    papers: int


class Facets(msgspec.Struct, frozen=True):
    """Counts of the papers that match a query.

    matches: of all of them. years: in rising order; undated papers have none. journals, types, and collections and tags
    of a library: as printed, the commonest first, ties by name, at most as many as asked for. sections: of
    passages.SECTIONS, the commonest first; a paper counts once in each section that it has.
    """

    matches: int
    years: tuple[Facet, ...] = ()
    journals: tuple[Facet, ...] = ()
    types: tuple[Facet, ...] = ()
    sections: tuple[Facet, ...] = ()
    collections: tuple[Facet, ...] = ()
    tags: tuple[Facet, ...] = ()


class OtherSection(msgspec.Struct, frozen=True):
    """Another passage of the paper that fits: its number in the document, its section and heading."""

    number: int
    section: str
    heading: str


class Understood(msgspec.Struct, frozen=True):
    """How a query was understood.

    line: for people, "" for plain words alone. repairs: how malformed parts were read, a sentence each. papers: the
    documents that a query of identifiers alone goes to.
    """

    line: str = ""
    repairs: Annotated[Sequence[str], Meta(description="how malformed parts were read")] = ()
    papers: Sequence[str] = ()


class ExpandedWords(msgspec.Struct, frozen=True):
    """Words of a question, as typed, and the names that the search counts as the same."""

    words: str
    added: Sequence[str]


class ExpansionOptions(msgspec.Struct, frozen=True):
    """What a search adds to questions. synonyms: whether it adds anything. without: names and words to leave alone."""

    synonyms: bool = True
    without: tuple[str, ...] = ()


EXPANDED = ExpansionOptions()


class Equivalent(NamedTuple):
    """Words of a question, and names that count as all of them where their words stand side by side.

    All are words of the index.
    """

    words: frozenset[str]
    names: tuple[tuple[str, ...], ...]


class Topic(NamedTuple):
    """What sentences are compared with.

    text: "" where a query has only names, dates and beginnings of words. equivalents: names that count as its words.
    """

    text: str
    equivalents: tuple[Equivalent, ...] = ()


Unfinished = Annotated[bool, Meta(description="whether indexing was interrupted, or still runs")]
State = Literal["answered", "closest", "nothing"]
ANSWERED: State = "answered"
CLOSEST: State = "closest"
NOTHING: State = "nothing"


class Sentence(msgspec.Struct, frozen=True, gc=False):
    """A scored sentence: characters [begin, end) of a passage's text.

    strength: 0 to 3, of highlighting.STRENGTHS; 0 is not highlighted.
    """

    begin: int
    end: int
    score: float
    strength: Strength = 0


class Hit(msgspec.Struct, frozen=True):
    """A passage that matches a question, with scores of its sentences.

    score: higher is better; scores of different questions are not comparable. rank: from 1; 0 until hits are ranked.
    file: as of Evidence, of the page where the passage begins. more: of a paper that a
    search shows by its best passage, the others among those that it looked at, best first. paper: authors and the like,
    of what a search lists; null if it was deleted meanwhile.
    """

    passage: Passage
    score: float
    rank: Rank = 0
    sentences: Sequence[Sentence] = ()
    file: str = ""
    more: Sequence[OtherSection] = ()
    paper: Paper | None = None


class PaperKind(msgspec.Struct, frozen=True):
    """The kind of a paper. name: of paper_kinds.KINDS, "" if unknown. by: what tells it."""

    name: str
    by: Literal["publication type", "title", "abstract", ""] = ""


class Conclusion(msgspec.Struct, frozen=True):
    """What a paper about the question concludes.

    evidence: its best concluding sentence; null if none shares a word with the question. covered: the share of the
    question's words in the paper, by their weight.
    """

    document: str
    title: str
    kind: PaperKind
    year: str
    covered: Share
    evidence: Evidence | None
    notices: Sequence[Notice] = ()


class Conclusions(msgspec.Struct, frozen=True):
    """What papers about a yes/no question conclude, the best match first.

    read: papers among the hits whose words were compared with the question.
    """

    papers: Sequence[Conclusion]
    read: Annotated[int, Meta(ge=0)]


class Counts(msgspec.Struct, frozen=True):
    """The numbers of committed documents and passages of a collection."""

    documents: int
    passages: int


_HIT_COLUMNS = {
    "rank": "int64",
    **dict.fromkeys(("document", "pmid", "pmcid", "doi", "title", "journal", "date", "types"), "string"),
    **dict.fromkeys(("notices", "section", "heading", "text"), "string"),
    "score": "double",
}


def _row(rank: int, passage: Passage, text: str, score: float) -> tuple[Any, ...]:
    """A row of _HIT_COLUMNS: a text of a passage. types, notices: several are joined by "; "."""
    ids = (passage.identifiers.get(name) for name in ("pmid", "pmcid", "doi"))
    types, notices = "; ".join(passage.types), "; ".join(notice.says for notice in passage.notices)
    about = (passage.title, passage.journal, passage.date, types, notices, passage.section, passage.heading)
    return rank, passage.document, *ids, *about, text, score


class SearchAnswer(WithTable, msgspec.Struct, frozen=True, kw_only=True):
    """Ranked papers, each by its best passage, or ranked passages.

    left_out: unknown names in the filters, and papers without a date, "" for none. expanded: the names that were added
    to the question's words. did_you_mean: the question without typos, "" if there
    seem to be none. ranking: lexical, dense or hybrid. by: paper or passage. found: one passage a paper, or all.
    more: whether others follow. scorer: what scored the
    sentences, empty if nothing did; scorer_says: the meaning of a score. sort: score or date. matches: papers of the
    whole list. facets: counts of its papers, null if they were not wanted, or cannot be counted.
    """

    record: Literal["searchanswer"] = "searchanswer"
    question: str
    understood: Understood = Understood()
    unfinished: Unfinished = False
    ranking: str
    left_out: str = ""
    expanded: Sequence[ExpandedWords] = ()
    did_you_mean: str = ""
    by: By = BY_PASSAGE
    sort: Sort = "score"
    matches: int
    facets: Facets | None = None
    found: Sequence[Hit]
    more: bool = False
    scorer: str = ""
    scorer_says: str = ""
    collection: Counts

    _COLUMNS: ClassVar[Mapping[str, str]] = _HIT_COLUMNS

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        """A row for each hit."""
        return (_row(hit.rank, hit.passage, hit.passage.text, hit.score) for hit in self.found)

    def __repr__(self) -> str:
        """One line: the passages would be thousands of characters."""
        return f"<SearchAnswer {masked_line(self.question)!r}: {counted(len(self.found), self.by)}>"


class Judged(msgspec.Struct, frozen=True):
    """How a language model chose among the best sentences. model: its name, as it was asked for. prompt: with digest.

    chosen: how many it put first; 0 if it says that none answers, null if it did not choose. asked: how often it was.
    fault: why it did not choose.
    """

    model: str
    prompt: str
    chosen: Annotated[int, Meta(ge=0)] | None
    asked: Annotated[int, Meta(ge=0, le=2)]
    fault: str = ""


class AskAnswer(WithTable, msgspec.Struct, frozen=True, kw_only=True):
    """The sentences that answer a question, and what papers conclude.

    kind: of question_kinds.KINDS. left_out, expanded, did_you_mean: as of SearchAnswer. conclusions: for the kind
    yesno unless state is nothing, else null. state: whether the collection answers the question: answered (the
    first sentences seem to), closest (they may, or only come near), or nothing (it seems to have nothing about it).
    evidence: best first by its scores, whatever the state, those that a judge chose before the others; empty if no
    sentence has a word of the question. scorer: what scored the sentences; scorer_says: the meaning of a score. judged:
    how a judge chose, null without one. hits: the passages that `ask` read.
    """

    record: Literal["askanswer"] = "askanswer"
    question: str
    understood: Understood = Understood()
    unfinished: Unfinished = False
    kind: str
    left_out: str = ""
    expanded: Sequence[ExpandedWords] = ()
    did_you_mean: str = ""
    conclusions: Conclusions | None = None
    evidence: Sequence[Evidence]
    state: State
    scorer: str
    scorer_says: str
    judged: Judged | None = None
    hits: Sequence[Hit]
    ranking: str
    collection: Counts

    _COLUMNS: ClassVar[Mapping[str, str]] = _HIT_COLUMNS

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        """A row for each sentence, ranked from 1."""
        return (_row(place, one.passage, one.text, one.score) for place, one in enumerate(self.evidence, 1))

    def __repr__(self) -> str:
        """One line: the passages would be thousands of characters."""
        return f"<AskAnswer {masked_line(self.question)!r}: {counted(len(self.evidence), 'sentence')}>"


class RelatedAnswer(WithReport, msgspec.Struct, frozen=True, kw_only=True):
    """The papers related to a document, best first, each by one passage."""

    record: Literal["relatedanswer"] = "relatedanswer"
    document: str
    title: str
    related: Sequence[Hit]

    def __repr__(self) -> str:
        return f"<RelatedAnswer {self.document!r}: {counted(len(self.related), 'paper')}>"


class Completions(msgspec.Struct, frozen=True, kw_only=True):
    """Completions of what a user types, as papers print them, the commonest first.

    words: begin with its last word. authors, journals: begin with all of it.
    """

    record: Literal["completions"] = "completions"
    words: Sequence[str] = ()
    authors: Sequence[str] = ()
    journals: Sequence[str] = ()
