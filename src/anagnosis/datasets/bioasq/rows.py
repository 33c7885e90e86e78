"""The organisers' JSON, question by question: an object whose `questions` are objects.

    {
      "questions": [
        {
          "body": "…?",
          "documents": ["http://www.ncbi.nlm.nih.gov/pubmed/18094723", …],
          "ideal_answer": ["…"],
          "exact_answer": [["…", "…"]],
          "type": "factoid",
          "id": "52bf1b0a03868f1b06000009",
          "snippets": [
            {
              "offsetInBeginSection": 132,
              "offsetInEndSection": 358,
              "text": "…",
              "beginSection": "abstract",
              "document": "http://www.ncbi.nlm.nih.gov/pubmed/18094723",
              "endSection": "abstract"
            },

Keys come in any order, and some are missing in some editions. `exact_answer` is a string for yes and no, a list of
strings for the factoids of edition 2, a list of lists elsewhere; `ideal_answer` is a string in edition 2.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, BinaryIO, cast

import msgspec

from anagnosis.datasets.bioasq.spelling import Spelling, SpellingSeen
from anagnosis.datasets.kinds.question import FACTOID, YESNO, QuestionInstance, Snippet
from anagnosis.documents.io.json_stream import JsonText

QUESTIONS = "questions"
_HEAD = 4096

_Offset = Annotated[int, msgspec.Meta(ge=-(1 << 53), le=1 << 53)]
_SNIPPET_NAMES = {
    "begin_section": "beginSection",
    "begin": "offsetInBeginSection",
    "end_section": "endSection",
    "end": "offsetInEndSection",
}


class SnippetRow(msgspec.Struct, rename=_SNIPPET_NAMES):
    """A snippet as the organisers write it."""

    document: str
    text: str
    begin_section: str = ""
    begin: _Offset | None = None
    end_section: str = ""
    end: _Offset | None = None


# As the file has it → as an instance has it.
SNIPPET_KEYS = {field.encode_name: field.name for field in msgspec.structs.fields(SnippetRow)}


class Row(msgspec.Struct):
    """A question as the organisers write it; what else an object holds is kept as it is."""

    id: Annotated[str, msgspec.Meta(min_length=1)]
    body: str
    type: str = ""
    documents: list[str] = []
    snippets: list[SnippetRow] = []
    exact_answer: Any = None
    ideal_answer: str | list[str] | None = None


class QuestionFile:
    """A file's questions, read once. spelling: of the file, as far as it was read.

    other_keys: of the outer object, whose values are passed over.
    """

    def __init__(self, stream: io.BufferedReader, name: str) -> None:
        self._stream = _Watched(stream)
        self._text = JsonText(cast(BinaryIO, self._stream), name)
        self._seen = SpellingSeen(stream.peek(_HEAD)[:_HEAD])
        self._end = ""
        self.other_keys: list[str] = []
        self.questions = 0

    @property
    def spelling(self) -> Spelling:
        return self._seen.spelling(self._end)

    @property
    def sha256(self) -> bytes:
        """Of the bytes that were read."""
        return self._stream.sha256.digest()

    def rows(self) -> Iterator[tuple[int, Any, str]]:
        """(line, what stands there, its text) of each question, in memory bounded by one."""
        text = self._text
        text.demand("{", "an object that holds questions")
        questions_seen = False
        while not text.take("}"):
            if self.other_keys or questions_seen:
                text.demand(",", "a comma or the end of the object")
            if text.peek() != '"':
                raise text.fault("a key in quotation marks expected")
            key = text.value()
            text.demand(":", "a colon")
            if key != QUESTIONS or questions_seen:
                self.other_keys.append(key)
                text.value()
                continue
            questions_seen = True
            text.demand("[", "a list of questions")
            while not text.take("]"):
                if self.questions:
                    text.demand(",", "a comma or the end of the list")
                text.peek()
                line = text.line
                value, spelled = text.spelled_value()
                self._seen.add(spelled)
                self.questions += 1
                yield line, value, spelled
        if not questions_seen:
            raise text.fault("the object holds no questions")
        inside = text.passed
        if text.peek():
            raise text.fault("something stands behind the object")
        behind = text.passed - inside
        self._end = "\n" if behind == 1 else ""


class _Watched:
    """A stream whose bytes are seen as they are read."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.sha256 = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self.sha256.update(data)
        return data


def instance_of(value: Any, file: str, place: int) -> QuestionInstance:
    """The instance of an organisers' object; ValidationError and UnicodeError where it is none."""
    row = msgspec.convert(value, Row)
    keys = _keys_of(value.get("snippets"))
    instance = QuestionInstance(
        row.id,
        row.type,
        row.body,
        tuple(row.documents),
        tuple(
            Snippet(s.document, s.begin_section, s.begin, s.end_section, s.end, s.text) for s in row.snippets
        ),
        exact_of(row.type, row.exact_answer),
        _ideal_of(row.ideal_answer),
        (),
        keys or (),
        file,
        place,
    )
    plain = _plain(instance)
    if keys is None:
        plain.pop("snippets")
    fields = tuple(
        (key, None if key in plain and plain[key] == of else json_of(of)) for key, of in value.items()
    )
    made = msgspec.structs.replace(instance, fields=fields)
    msgspec.json.encode(made).decode()  # a surrogate without its other half cannot be stored
    return made


def object_of(instance: QuestionInstance) -> dict[str, Any]:
    """The organisers' object of an instance, with the keys that it had, or with all that say something."""
    plain = _plain(instance)
    fields = instance.fields or usual_fields(instance)
    return {key: plain[key] if text is None else json.loads(text) for key, text in fields}


def usual_fields(instance: QuestionInstance) -> tuple[tuple[str, str | None], ...]:
    """The keys of an instance that no organisers' object had: all that say something."""
    return tuple(
        (key, None) for key in _plain(instance) if key != "exact_answer" or instance.exact is not None
    )


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


def json_of(value: Any) -> str:
    """A value as it is stored."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _answer(value: Any) -> str:
    return value if isinstance(value, str) else json_of(value)


def _ideal_of(value: str | list[str] | None) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value or ())


def _plain(instance: QuestionInstance) -> dict[str, Any]:
    """Key → value for every column that the organisers' object has, in its usual shape."""
    exact: Any = None if instance.exact is None else [list(entry) for entry in instance.exact]
    if exact and instance.type == YESNO:
        exact = exact[0][0]
    keys = instance.snippet_keys or tuple(SNIPPET_KEYS)
    return {
        "body": instance.question,
        "documents": list(instance.documents),
        "ideal_answer": list(instance.ideal),
        "exact_answer": exact,
        "type": instance.type,
        "id": instance.id,
        "snippets": [
            {key: getattr(snippet, SNIPPET_KEYS[key]) for key in keys} for snippet in instance.snippets
        ],
    }


def _keys_of(snippets: Sequence[Mapping[str, Any]] | None) -> tuple[str, ...] | None:
    """The keys of the snippets' objects, in their order; None where two differ or one is unknown."""
    orders = {tuple(snippet) for snippet in snippets or ()}
    if not orders:
        return ()
    keys = orders.pop()
    return None if orders or not set(keys) <= SNIPPET_KEYS.keys() else keys
