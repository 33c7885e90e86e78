"""A submission to BioASQ's task B as a predictions file: one object whose `questions` are objects, phase A or B.

    {"questions": [
      {"id": "5c72…", "documents": ["http://www.ncbi.nlm.nih.gov/pubmed/18094723", …], "snippets": [{…}, …]},
      {"id": "5c73…", "exact_answer": [["BRCA1"], ["BRCA2"]], "ideal_answer": "…"}]}

`exact_answer` is a text for yes and no, and a list of lists elsewhere, of which each gives its first text; a flat list
is read as one answer each. An empty inner list vanishes, and a number is its spelling, as in the organisers' program.
What makes that program end in an exception is refused with the question's id: null, true and false, an object, a list
that mixes texts and lists, a key of a snippet that it does not know. `body` and `type` are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BufferedReader
from typing import Annotated, Any, cast

import msgspec

from anagnosis.datasets.bioasq.exact_answers import ShapeError, parsed, shape_of
from anagnosis.datasets.bioasq.rows import QUESTIONS, SNIPPET_KEYS, SnippetRow
from anagnosis.datasets.export.authors_files import listed
from anagnosis.datasets.kinds.question import Triple
from anagnosis.documents.io.whole import demand_single_keys
from anagnosis.errors import InputError
from anagnosis.io.counts import Counts
from anagnosis.predictions.prediction import Answer, FoundSnippet, Prediction
from anagnosis.wording import counted, shortened

# The list of questions, first or behind other keys with texts; a line's first key is its id.
_HEAD = re.compile(
    rb'\s*\{\s*(?:"(?!id")(?:[^"\\]|\\.)*"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*)*"questions"\s*:\s*\['
)
REMEDY = (
    "leave out what has no value; a question is an object with id, and exact_answer, documents or snippets"
)


class _SnippetRow(SnippetRow, forbid_unknown_fields=True):
    """A snippet with no other keys than the organisers'."""


class _TripleRow(msgspec.Struct):
    p: str
    s: str | None = None
    o: str | None = None


class _Row(msgspec.Struct):
    """What a question may hold."""

    id: Annotated[str, msgspec.Meta(min_length=1)]
    documents: list[str] | None = None
    snippets: list[_SnippetRow] | None = None
    concepts: list[str] | None = None
    triples: list[_TripleRow] | None = None
    ideal_answer: str | list[str] | None = None
    exact_answer: msgspec.Raw = msgspec.Raw()


_KNOWN = frozenset((*_Row.__struct_fields__, "body", "type"))


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these bytes is a submission."""
    return _HEAD.match(head) is not None


def questions(stream: BufferedReader, name: str, problems: Counts) -> Iterator[tuple[int, Prediction]]:
    """(line, question) of each. problems: counts keys without a meaning. Memory: the file."""
    for line, data in listed(stream, name, QUESTIONS):
        value, where = None, f"{name}:{line}"
        try:
            value = msgspec.json.decode(data)
            demand_single_keys(data, value)
            found = _submitted(msgspec.json.decode(data, type=_Row), value)
        except (ValueError, ShapeError) as fault:
            raise InputError(_of(value, str(fault)), where, REMEDY) from None
        for key in value:
            if key not in _KNOWN:
                problems.add("unknown_fields", str(key))
        yield line, found


def _submitted(row: _Row, value: dict[str, Any]) -> Prediction:
    if null := next((key for key in _Row.__struct_fields__ if value.get(key, "") is None), ""):
        raise ValueError(f"{null} is null")
    ideal = [row.ideal_answer] if isinstance(row.ideal_answer, str) else row.ideal_answer
    if ideal is not None and len(ideal) != 1:
        raise ValueError(f"ideal_answer is {counted(len(ideal), 'text')}, as in a golden file, not one")
    snippets = [
        FoundSnippet(**{field: getattr(each, field) for field in SNIPPET_KEYS.values()})
        for each in row.snippets or ()
    ]
    triples = [Triple(each.s or "", each.p, each.o or "") for each in row.triples or ()]
    spelled = bytes(row.exact_answer).decode() or None
    return Prediction(
        row.id,
        answers=None if spelled is None else [*map(Answer, _texts(spelled))],
        ideal=None if ideal is None else ideal[0],
        documents=row.documents,
        snippets=None if row.snippets is None else snippets,
        concepts=row.concepts,
        triples=None if row.triples is None else triples,
        spelled=spelled,
    )


def _texts(spelled: str) -> list[str]:
    """The answers of an `exact_answer`, the best first: of each inner list its first text. spelled: its JSON."""
    shape = shape_of(parsed(spelled))
    return [group[0] for group in shape.groups or ()] if shape.text is None else [shape.text]


def _of(value: Any, what: str) -> str:
    """What is wrong, with the question's id where there is one."""
    ident: Any = cast("dict[str, Any]", value).get("id") if isinstance(value, dict) else None
    return f"question {shortened(ident)!r}: {what}" if isinstance(ident, str) and ident else what
