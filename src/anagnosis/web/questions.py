"""The query parameters of questions, the same for page and API."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from anagnosis.errors import unknown_name
from anagnosis.searching.analysis import WHAT_IT_IS_ABOUT
from anagnosis.searching.engines import BY_SCORE
from anagnosis.searching.filters import NAME_FILTERS, Filters, date_number, is_date
from anagnosis.searching.queries.asked import nothing_to_answer, nothing_to_search
from anagnosis.searching.queries.names import folded
from anagnosis.searching.records.expansion import ExpansionOptions
from anagnosis.searching.records.hits import BY_PAPER, By, Sort
from anagnosis.searching.section_names import SECTIONS
from anagnosis.web import limits

# What is_date takes, for the OpenAPI document.
# Nothing, a year, a month or a day that a calendar has, so that the schema promises no more than is_date keeps.
_LEAP = r"(\d\d(0[48]|[2468][048]|[13579][26])|([02468][48]|[2468]0|[13579][26])00)-02-29"
_YEAR = r"(\d{3}[1-9]|\d\d[1-9]0|\d[1-9]00|[1-9]000)"
_LONG, _SHORT = "0[13578]|1[02]", "0[469]|11"
_DAY = rf"({_LONG})(-(0[1-9]|[12]\d|3[01]))?|({_SHORT})(-(0[1-9]|[12]\d|30))?|02(-(0[1-9]|1\d|2[0-8]))?"
DATE = rf"^({_LEAP}|{_YEAR}(-({_DAY}))?)?$"
# Cc and Cs have no place in a question; bidirectional marks could make a page show another one.
_BLANKED = ("Cc", "Cs", "Zl", "Zp")
# A character that `cleaned` leaves, for the OpenAPI document.
WORDED = (
    r"[^\u0000-\u0020\u007f-\u00a0\u061c\u1680\u2000-\u200a\u200e\u200f\u2028-\u202f\u205f"
    r"\u2066-\u2069\u3000\ufeff]"
)
_BIDIRECTIONAL = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")


def cleaned(text: str) -> str:
    """A question in one line, without control characters."""
    if text.isprintable():
        return " ".join(text.split())
    kept = (
        " " if unicodedata.category(each) in _BLANKED else each for each in text if each not in _BIDIRECTIONAL
    )
    return " ".join("".join(kept).split())


def _searchable(text: str) -> str:
    """text: cleaned."""
    return _refused(text, nothing_to_search(text))


def _answerable(text: str) -> str:
    """text: cleaned."""
    return _refused(text, nothing_to_answer(text))


def _refused(text: str, why: str) -> str:
    """The text, unless there is a reason why not."""
    if not text:
        raise PydanticCustomError("blank", "is blank; ask a question, or give words")
    if why:
        context = {"why": why, "remedy": WHAT_IT_IS_ABOUT}
        raise PydanticCustomError("nothing_asked", "{why}; {remedy}", context)
    return text


def _worded_or_none(text: str) -> str:
    """text: cleaned; one that asks nothing finds nothing to mark."""
    return "" if nothing_to_search(text) else text


def _date(text: str) -> str:
    text = text.strip()
    if text and not is_date(text):
        raise PydanticCustomError(
            "date", "{text} is no date; write 2020, 2020-03 or 2020-03-11", {"text": repr(text[:40])}
        )
    return text


def _section(name: str) -> str:
    if name and name not in SECTIONS:
        raise PydanticCustomError(
            "section", "{text}", {"text": str(unknown_name("section", name[:40], SECTIONS))}
        )
    return name


def _filled(values: list[str]) -> list[str]:
    """A form sends its empty fields too."""
    return [value for value in values if value]


Date = Annotated[
    str,
    AfterValidator(_date),
    Field(json_schema_extra={"pattern": DATE, "examples": ["2020", "2020-03", "2020-03-11"]}),
]
Names = Annotated[
    list[Annotated[str, Field(max_length=limits.LONGEST_NAME)]],
    Field(max_length=limits.MOST_NAMES),
    AfterValidator(_filled),
]
Sections = Annotated[
    list[Annotated[str, AfterValidator(_section), Field(json_schema_extra={"enum": ["", *SECTIONS]})]],
    Field(max_length=limits.MOST_NAMES),
    AfterValidator(_filled),
]


# Parameter → the words before its date.
_DATES = {"since": "from", "until": "until", "added_since": "added since"}
REPEATED = ("section", *(one.field for one in NAME_FILTERS), "without")


class Filtering(BaseModel):
    """Filters of passages; any of several values of a field may match."""

    model_config = ConfigDict(extra="forbid")

    section: Sections = Field(default=[], description="what a passage's section is about")
    since: Date = Field(default="", description="published from then on: a year, a month or a day")
    until: Date = Field(default="", description="published by then; not before `since`")
    journal: Names = Field(default=[], description="the journal's whole name, whatever the case")
    type: Names = Field(default=[], description="a type of publication, as MEDLINE names it")
    collection: Names = Field(default=[], description="a collection of the library")
    tag: Names = Field(default=[], description="a tag of the library")
    added_since: Date = Field(default="", description="added to the library from then on")

    @field_validator(*(one.field for one in NAME_FILTERS))
    @classmethod
    def _in_one_spelling(cls, names: list[str], given: ValidationInfo) -> list[str]:
        (kind,) = (one for one in NAME_FILTERS if one.field == given.field_name)
        return [*map(kind.unify, names)]

    @field_validator("until")
    @classmethod
    def _in_order(cls, until: str, given: ValidationInfo) -> str:
        since = given.data.get("since", "")
        if since and until and date_number(since) > date_number(until, last=True):
            context = {"since": since, "until": until}
            raise PydanticCustomError(
                "order", "nothing lies between {since} and {until}; turn them round", context
            )
        return until

    def filters(self) -> Filters:
        """For the index."""
        names: dict[str, Any] = {one.names: tuple(getattr(self, one.field)) for one in NAME_FILTERS}
        dates: dict[str, Any] = {name: getattr(self, name) for name in _DATES}
        return Filters(tuple(self.section), **dates, **names)


Synonyms = Annotated[bool, Field(description="whether names that mean the same join the question's words")]
Without = Annotated[
    Names, Field(description="names that do not join the question's words, or words of it to leave alone")
]
Ranking = Literal["", "lexical", "dense", "hybrid"]
Question = Annotated[str, Field(max_length=limits.LONGEST_QUESTION), AfterValidator(cleaned)]
_ASKED = Field(min_length=1, json_schema_extra={"pattern": WORDED})
SearchableQuestion = Annotated[Question, AfterValidator(_searchable), _ASKED]
AnswerableQuestion = Annotated[Question, AfterValidator(_answerable), _ASKED]


class SearchQuery(Filtering):
    """The query of /api/search."""

    q: SearchableQuestion = Field(description="a question, or words, in the query language")
    limit: int = Field(default=10, ge=1, le=limits.MOST_PASSAGES, description="how many papers or passages")
    offset: int = Field(
        default=0,
        ge=0,
        le=limits.DEEPEST - limits.MOST_PASSAGES,
        description="how many to leave out before them",
    )
    highlight: bool = Field(default=True, description="whether sentences are scored")
    ranking: Ranking = Field(default="", description="empty for what suits the index")
    synonyms: Synonyms = True
    without: Without = []
    by: By = Field(default=BY_PAPER, description="list papers, each by its best passage, or all passages")
    sort: Sort = Field(default="score", description="date: the latest papers with all words first")
    facets: bool = Field(
        default=False, description="whether years, sections, journals and other names are counted"
    )


class AskQuery(Filtering):
    """The query of /api/ask."""

    q: AnswerableQuestion = Field(description="a question, in the query language")
    limit: int = Field(default=5, ge=1, le=limits.MOST_SENTENCES, description="how many sentences")
    ranking: Ranking = Field(default="", description="empty for what suits the index")
    synonyms: Synonyms = True
    without: Without = []


class CompleteQuery(BaseModel):
    """The query of /api/complete."""

    model_config = ConfigDict(extra="forbid")

    q: Annotated[Question, _ASKED] = Field(description="what is typed so far")
    limit: int = Field(default=5, ge=1, le=limits.MOST_COMPLETIONS, description="how many of each kind")


class DocumentQuery(BaseModel):
    """The query of /api/document."""

    model_config = ConfigDict(extra="forbid")

    id: str = Field(description="a document's id", min_length=1, max_length=limits.LONGEST_ID)
    limit: int = Field(default=100, ge=1, le=limits.MOST_PASSAGES, description="how many passages")
    offset: int = Field(default=0, ge=0, le=1_000_000, description="how many to leave out before them")


class RelatedQuery(BaseModel):
    """The query of /api/related."""

    model_config = ConfigDict(extra="forbid")

    id: str = Field(description="a document's id", min_length=1, max_length=limits.LONGEST_ID)
    limit: int = Field(default=5, ge=1, le=limits.MOST_RELATED, description="how many papers")


class WordedQuery(BaseModel):
    """A question with what joins its words, in the addresses of pages."""

    q: Question = Field(default="", description="a question, or words")
    synonyms: Synonyms = True
    without: Without = []

    def words(self) -> dict[str, Any]:
        """The parameters of these for the address of another page."""
        return {"q": self.q, "synonyms": "" if self.synonyms else "false", "without": self.without}


class FilteredQuery(Filtering, WordedQuery):
    """A question with filters and an order, in the addresses of pages."""

    sort: Sort = Field(default="score", description="date: the latest papers with all words first")

    def all(self, **other: Any) -> dict[str, Any]:
        """The parameters of words, filters and order for the address of another page, with others in their place."""
        filters = {name: getattr(self, name) for name in Filtering.model_fields}
        return self.words() | filters | {"sort": "" if self.sort == BY_SCORE else self.sort} | other

    def unfiltered(self) -> dict[str, Any]:
        """The parameters without filters."""
        return self.all(**dict.fromkeys(Filtering.model_fields, ""))

    def toggled(self, name: str, value: str) -> tuple[bool, dict[str, Any]]:
        """(whether a filter has this value, as the engine compares names; the parameters without it, else with it)."""
        values: list[str] = getattr(self, name)
        others = [one for one in values if folded(one) != folded(value)]
        chosen = len(others) < len(values)
        return chosen, self.all(**{name: others if chosen else [*values, value]})

    def chosen(self) -> list[tuple[str, dict[str, Any]]]:
        """(a filter that is set, in words; the parameters without it)."""
        made = [
            (f"{word} {getattr(self, name)}", self.all(**{name: ""}))
            for name, word in _DATES.items()
            if getattr(self, name)
        ]
        kinds = {
            "section": "",
            **{one.field: f"{one.noun} " if one.of_library else "" for one in NAME_FILTERS},
        }
        for name, before in kinds.items():
            values: list[str] = getattr(self, name)
            made += [
                (f"{before}{value}", self.all(**{name: [one for one in values if one != value]}))
                for value in values
            ]
        return made


class ExportQuery(FilteredQuery):
    """The query of /export: the papers of a question, or those of ids. It ignores unknown parameters, as the page."""

    model_config = ConfigDict(extra="ignore")

    to: str = Field(description="the format: ris, bibtex, csv or jsonl", max_length=20)
    id: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=limits.LONGEST_ID)]],
        Field(max_length=limits.MOST_NAMES),
    ] = Field(default=[], description="documents, instead of a question")
    limit: int = Field(default=100, ge=1, le=limits.MOST_EXPORTED, description="most papers of a question")


class PageQuery(FilteredQuery):
    """The query of the page. It ignores unknown parameters, which other sites may add to a shared address."""

    model_config = ConfigDict(extra="ignore")

    page: int = Field(default=1, ge=1, le=50)
    by: By = Field(default=BY_PAPER, description="list papers, each by its best passage, or all passages")
    facets: bool = Field(default=False, description="count years and the like even where that takes long")

    def all(self, **other: Any) -> dict[str, Any]:
        """The parameters for another page of this kind."""
        return (
            super().all(by="" if self.by == BY_PAPER else self.by, facets="true" if self.facets else "")
            | other
        )


class DocumentPageQuery(WordedQuery):
    """The query of a document's page. q: the question whose results had the document."""

    model_config = ConfigDict(extra="ignore")

    id: str = Field(min_length=1, max_length=limits.LONGEST_ID)
    q: Annotated[Question, AfterValidator(_worded_or_none)] = ""
    page: int = Field(default=1, ge=1, le=10_000)


class PaperPageQuery(WordedQuery):
    """The query of a page of a paper: characters [begin, end) of a passage. page: 0 for that of the sentence."""

    model_config = ConfigDict(extra="ignore")

    id: str = Field(min_length=1, max_length=limits.LONGEST_ID)
    q: Annotated[Question, AfterValidator(_worded_or_none)] = ""
    passage: int = Field(default=0, ge=0, le=1_000_000)
    begin: int = Field(default=0, ge=0, le=1_000_000)
    end: int = Field(default=0, ge=0, le=1_000_000)
    page: int = Field(default=0, ge=0, le=1_000_000)

    def place(self) -> dict[str, Any]:
        """The parameters but the page, for the address of another page."""
        names = ("id", "passage", "begin", "end")
        return self.words() | {name: getattr(self, name) for name in names}


def expansion(query: SearchQuery | AskQuery | WordedQuery) -> ExpansionOptions:
    """What joins the words of a question, for the index."""
    return ExpansionOptions(query.synonyms, tuple(query.without))
