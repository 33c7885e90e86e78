"""The organisers' JSON, question by question: an object whose `questions` are objects.

    {"questions": [{"body": "…?", "documents": ["http://www.ncbi.nlm.nih.gov/pubmed/18094723", …],
      "ideal_answer": ["…"], "exact_answer": [["…", "…"]], "type": "factoid", "id": "52bf1b0a03868f1b06000009",
      "snippets": [{"offsetInBeginSection": 132, "offsetInEndSection": 358, "text": "…", "beginSection": "abstract",
                    "document": "http://www.ncbi.nlm.nih.gov/pubmed/18094723", "endSection": "abstract"}, …]}, …]}

Keys come in any order, and some are missing in some editions. `exact_answer` is a string for yes and no, a list of
strings for the factoids of edition 2, a list of lists elsewhere; `ideal_answer` is a string in edition 2.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, cast

import msgspec

from anagnosis.datasets.kinds.question import FACTOID, YESNO, QuestionInstance, Snippet

QUESTIONS = "questions"

_Offset = Annotated[int, msgspec.Meta(ge=-(1 << 53), le=1 << 53)]
# As the file has it → as an instance has it.
SNIPPET_KEYS = {
    "document": "document",
    "text": "text",
    "beginSection": "begin_section",
    "offsetInBeginSection": "begin",
    "endSection": "end_section",
    "offsetInEndSection": "end",
}


class SnippetRow(msgspec.Struct, rename={name: key for key, name in SNIPPET_KEYS.items()}):
    """A snippet as the organisers write it."""

    document: str
    text: str
    begin_section: str = ""
    begin: _Offset | None = None
    end_section: str = ""
    end: _Offset | None = None


class Row(msgspec.Struct):
    """A question as the organisers write it; what else an object holds is kept as it is."""

    id: Annotated[str, msgspec.Meta(min_length=1)]
    body: str
    type: str = ""
    documents: list[str] = []
    snippets: list[SnippetRow] = []
    exact_answer: Any = None
    ideal_answer: str | list[str] | None = None


def instance_of(value: Any, file: str, place: int, text: str) -> QuestionInstance:
    """The instance of an organisers' object; ValidationError where it is none. text: its JSON as the file has it."""
    row = msgspec.convert(value, Row)
    return QuestionInstance(
        row.id,
        row.type,
        row.body,
        tuple(row.documents),
        tuple(
            Snippet(s.document, s.begin_section, s.begin, s.end_section, s.end, s.text) for s in row.snippets
        ),
        exact_of(row.type, row.exact_answer),
        (row.ideal_answer,) if isinstance(row.ideal_answer, str) else tuple(row.ideal_answer or ()),
        text,
        file,
        place,
    )


def object_of(instance: QuestionInstance) -> dict[str, Any]:
    """The organisers' object of an instance that was not read as one, with all keys that say something."""
    exact: Any = None if instance.exact is None else [list(entry) for entry in instance.exact]
    if exact and instance.type == YESNO:
        exact = exact[0][0]
    return {
        "body": instance.question,
        "documents": list(instance.documents),
        "ideal_answer": list(instance.ideal),
        **({} if exact is None else {"exact_answer": exact}),
        "type": instance.type,
        "id": instance.id,
        "snippets": [
            {key: getattr(snippet, name) for key, name in SNIPPET_KEYS.items()}
            for snippet in instance.snippets
        ],
    }


def exact_of(kind: str, value: Any) -> tuple[tuple[str, ...], ...] | None:
    """The entries of an exact answer, each its synonyms, from either shape; None where there is none.

    A flat list is one entry of synonyms for a factoid, and one entry for each string elsewhere. A number is its
    spelling, null and empty lists vanish, as in the organisers' program; texts stay as they are.
    """
    if isinstance(value, str):
        return (((value.lower() if kind == YESNO else value),),)
    if not isinstance(value, list) or kind == YESNO:
        return None
    listed = cast("list[Any]", value)
    if kind == FACTOID and not any(isinstance(entry, list) for entry in listed):
        listed = [listed]
    entries = (cast("list[Any]", entry) if isinstance(entry, list) else [entry] for entry in listed)
    found = (tuple(_answer(part) for part in entry if part is not None) for entry in entries)
    return tuple(entry for entry in found if entry)


def _answer(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
