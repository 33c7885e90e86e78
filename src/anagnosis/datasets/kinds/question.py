"""The question instance of BioASQ's task B: a question with snippets and answers, in memory and in Parquet.

    type     yesno, factoid, list or summary
    exact    a list of entries, each a list of synonyms: one entry for a factoid, one for each member of a list, and
             (("yes",),) or (("no",),) for yesno. None where the answer is not known, () where the snippets do not
             answer (SQuAD 2.0)

`file`, `place` and `text` hold what the organisers' own file needs to come back byte for byte.
Source of the layout: Tsatsaronis et al. 2015, and the golden files themselves (design/bioasq.md).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, cast

import msgspec
import pyarrow as pa

from anagnosis.datasets.arrays import instances, schema_of, tables
from anagnosis.datasets.kinds import fixed_labels
from anagnosis.datasets.kinds.kind import (
    EXACT,
    EXACT_JSON,
    IDEAL,
    GoldColumns,
    Kind,
    Rows,
)
from anagnosis.language.question_kinds import FACTOID, KINDS, LIST, SUMMARY, YESNO

__all__ = ["FACTOID", "LIST", "SUMMARY", "YESNO"]

TYPES = KINDS
TYPE = "question-type"  # the view: the question and its type
EXACT_KEY = "exact_answer"  # of the organisers' object
SNIPPETS = "snippets"  # the view: the question, the texts of its snippets and its exact answer
EXACT_TYPES = (FACTOID, LIST)  # whose exact answers are texts of any kind


class Snippet(msgspec.Struct, frozen=True, gc=False):
    """A passage that an expert marked.

    begin, end: code points, end exclusive, as read: one in twenty does not fit the text, so search the text where
    `abstract[begin:end] != text`. None, or empty, where the file has none.
    """

    document: str  # an address that ends in a PMID
    begin_section: str  # title, abstract or sections.N
    begin: int | None
    end_section: str
    end: int | None
    text: str

    @property
    def pmid(self) -> str:
        """The document's identifier."""
        return document_id(self.document)


class QuestionInstance(msgspec.Struct, frozen=True, gc=False):
    """A question, as the experts asked and answered it."""

    id: str  # 24 hexadecimal digits
    type: str  # one of TYPES, empty where the file has none
    question: str
    documents: tuple[str, ...] = ()  # addresses
    snippets: tuple[Snippet, ...] = ()
    exact: tuple[tuple[str, ...], ...] | None = None  # see the module; None where there is none
    ideal: tuple[str, ...] = ()  # answers of a paragraph each
    text: str = ""  # JSON of the organisers' object, as its file has it; empty where there was none
    file: str = ""  # that it was read from
    place: int = 0  # in it, from 0


class Triple(msgspec.Struct, frozen=True, gc=False):
    """A statement of linked data; an empty text where the organisers have null."""

    s: str
    p: str
    o: str


class RelevantItems(msgspec.Struct, frozen=True, gc=False):
    """The gold items of a question, or those that a system retrieved, as BioASQ's phase A has them, best first.

    documents, concepts: addresses.
    """

    documents: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    snippets: tuple[Snippet, ...] = ()
    triples: tuple[Triple, ...] = ()


class Typed(msgspec.Struct, frozen=True, gc=False):
    """A question as a reader of its type gets it. answer: index into TYPES, None where the file has no type."""

    id: str
    question: str
    answer: int | None

    @property
    def target(self) -> int:
        """The answer, -1 for none."""
        return -1 if self.answer is None else self.answer


class SnippetQuestion(msgspec.Struct, frozen=True, gc=False):
    """A question as a reader of exact answers gets it.

    snippets: their texts, in the order of the instance, so that an answer can name its snippet by its index. exact: as
    in QuestionInstance.
    """

    id: str
    type: str
    question: str
    snippets: tuple[str, ...]
    exact: tuple[tuple[str, ...], ...] | None

    def trains(self) -> bool:
        """Whether a reader of factoid and list questions can be trained on it: with an exact answer and a snippet."""
        return self.type in EXACT_TYPES and bool(self.exact) and any(map(str.strip, self.snippets))

    @property
    def target(self) -> int:
        """0 if a reader of factoid and list questions can be trained on it, else -1."""
        return 0 if self.trains() else -1


def document_id(address: str) -> str:
    """The last part of a document's address: its PMID, whatever the address begins or ends with."""
    return address.rstrip("/").rpartition("/")[2]


def distinct(texts: Iterable[str]) -> list[tuple[int, str]]:
    """(index, text) of the snippets with text; of those that differ in white space alone, the first.

    Experts often mark a passage more than once.
    """
    first: dict[str, tuple[int, str]] = {}
    for number, text in enumerate(texts):
        first.setdefault(" ".join(text.split()), (number, text))
    first.pop("", None)
    return list(first.values())


_ESCAPED = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "<>&='\u2028\u2029"})  # as Gson does
QUESTION_SCHEMA = schema_of(QuestionInstance, place=pa.int32())


def json_text(value: Any) -> str:
    """JSON as the organisers' newest files have it (editions 9 to 11): a question, two levels deep in its file."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return text.translate(_ESCAPED).replace("\n", "\n    ")  # these signs stand in strings only


# Keys of the organisers' object that a public copy keeps; whatever else an object holds may tell the answer.
_ASKED = ("id", "body", "type")
_MARKED = ("documents", "snippets", "concepts", "triples")


def _without(instance: QuestionInstance, kept: Sequence[str]) -> QuestionInstance:
    found: dict[str, Any] = json.loads(instance.text) if instance.text else {}
    shown = {key: value for key, value in found.items() if key in kept}
    text = json_text(shown) if shown else ""
    return msgspec.structs.replace(instance, exact=None, ideal=(), place=0, text=text)


def _without_answers(instance: QuestionInstance) -> QuestionInstance:
    """As the organisers give out phase B: with the gold documents and snippets."""
    return _without(instance, (*_ASKED, *_MARKED))


def _without_documents(instance: QuestionInstance) -> QuestionInstance:
    """As they give out phase A: the question and its type."""
    return msgspec.structs.replace(_without(instance, _ASKED), documents=(), snippets=())


def faults(instance: QuestionInstance, text_form: str = "") -> Iterator[tuple[str, str]]:
    """(name, what is wrong) of one question; the invariants of docs/formats.md."""
    if not instance.question.strip():
        yield "question", "the question is empty"
    if instance.type not in (*TYPES, ""):
        yield "type", f"the type is {instance.type!r}"
    if instance.exact is not None and not all(instance.exact):
        yield "exact", "an entry of the exact answer has no text"
    if instance.type == YESNO and instance.exact is not None and [*map(len, instance.exact)] != [1]:
        yield "exact", "the exact answer of a yes/no question is not one text"


def gold_side(batch: pa.RecordBatch) -> dict[str, Any]:
    """The types as candidates, and where `text` and `ideal` were read, EXACT_JSON and IDEAL."""
    found = fixed_labels.gold_side(batch, TYPES, "type")
    if "text" in batch.schema.names:
        columns = (batch.column(name).to_pylist() for name in ("type", EXACT, "text"))
        found[EXACT_JSON] = [_exact_json(*row) for row in zip(*columns, strict=True)]
    if IDEAL in batch.schema.names:
        found[IDEAL] = batch.column(IDEAL).to_pylist()
    return found


def _exact_json(type: str, exact: list[list[str]] | None, text: str) -> str | None:
    """JSON of the exact answer as its file has it, None where it has none."""
    if text:
        found = json.loads(text).get(EXACT_KEY)
        return None if found is None else json.dumps(found)
    if exact is None:
        return None
    return json.dumps(exact[0][0] if type == YESNO else exact)


def _typed(instance: QuestionInstance, text_form: str, numbering: str) -> Typed:
    answer = TYPES.index(instance.type) if instance.type else None
    return Typed(instance.id, instance.question, answer)


def snippet_question(instance: QuestionInstance, *_: str) -> SnippetQuestion:
    """The instance in the view SNIPPETS, which does not depend on the form of text or the numbers of entities."""
    snippets = tuple(snippet.text for snippet in instance.snippets)
    return SnippetQuestion(instance.id, instance.type, instance.question, snippets, instance.exact)


def relevant_items(instance: QuestionInstance) -> RelevantItems:
    """The gold items of a question; lists of another shape are left out."""
    stored: dict[str, Any] = json.loads(instance.text) if instance.text else {}
    concepts = tuple(each for each in _listed(stored.get("concepts")) if isinstance(each, str))
    triples = tuple(
        Triple(_text(triple.get("s")), _text(triple.get("p")), _text(triple.get("o")))
        for triple in _listed(stored.get("triples"))
        if isinstance(triple, dict)
    )
    return RelevantItems(instance.documents, concepts, instance.snippets, triples)


def _listed(value: object) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


_TEXT, _TEXTS = pa.string(), pa.list_(pa.string())
_ROWS = Rows(
    {
        "id": (_TEXT, lambda instance, viewed: viewed.id),
        "question": (_TEXT, lambda instance, viewed: viewed.question),
        "type": (_TEXT, lambda instance, viewed: instance.type),
        "snippets": (_TEXTS, lambda instance, viewed: _lists(viewed, "snippets")),
        "exact": (pa.list_(_TEXTS), lambda instance, viewed: _lists(viewed, "exact")),
    }
)


def _lists(viewed: Typed | SnippetQuestion, name: str) -> Any:
    """The value as lists; None in the view without it."""
    return msgspec.to_builtins(getattr(viewed, name, None))


KIND = Kind(
    name="question",
    holds="questions with snippets and exact answers",
    record=QuestionInstance,
    schema=QUESTION_SCHEMA,
    tables=partial(tables, msgspec.to_builtins, QUESTION_SCHEMA),
    instances=partial(instances, QuestionInstance),
    labels=TYPES,
    keys=lambda instance: [*TYPES],
    gold=GoldColumns(("id", "type", EXACT), gold_side, free=("text", IDEAL)),
    faults=faults,
    views={TYPE: _typed, SNIPPETS: snippet_question},
    usual_view=TYPE,
    rows=_ROWS,
    relevant=relevant_items,
    withholdings={"answers": _without_answers, "documents": _without_documents},
    statistics="anagnosis.datasets.bioasq.statistics:question_statistics",
    layout="bioasq",
)
