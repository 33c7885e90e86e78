"""Topics: the queries of a test collection, by their ids. Three forms, distinguished by the first sign.

    1<tab>coronavirus origin                                                          TSV, a query a line
    {"_id": "1", "text": "what is the origin of COVID-19", "metadata": {…}}           BEIR's queries.jsonl
    <topics><topic number="1"><query>coronavirus origin</query>…</topic>…</topics>    TREC-COVID's XML

field: what of a topic is asked: a key of a line or of its `metadata` (default `text`), or an element (default `query`;
TREC-COVID has `question` and `narrative` too).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import msgspec

from anagnosis.errors import InputError
from anagnosis.evaluation.retrieval.lines import RETRIEVAL_PROBLEMS, identifier, numbered, text
from anagnosis.io.decoding import decoded
from anagnosis.io.files import display_name, open_input
from anagnosis.io.paths import PathLike
from anagnosis.predictions.problems import Problem, Problems

MOST_TOPICS = 1_000_000
LONGEST_QUERY = 100_000
_HEAD = 1 << 12
_REMEDY = 'a line is ID<tab>QUERY or {"_id": …, "text": …}'


def read(path: PathLike, field: str | None = None) -> tuple[dict[str, str], dict[str, Problem]]:
    """(id → query, in the order of the file; what was passed over).

    Refused with its line: an id given twice, a topic without id or query, any other form.
    """
    name = display_name(path)
    problems = Problems(RETRIEVAL_PROBLEMS)
    found: dict[str, str] = {}
    for where, id, query in _topics(path, field, name, problems):
        if id in found:
            raise InputError(f"topic {id!r} stands twice", where, "give each topic once")
        if not query or len(query) > LONGEST_QUERY:
            fault = f"a query of {len(query):,} letters" if query else "no query"
            raise InputError(
                f"{fault} for topic {id!r}", where, f"a query has 1 to {LONGEST_QUERY:,} letters"
            )
        if len(found) == MOST_TOPICS:
            raise InputError(f"more than {MOST_TOPICS:,} topics", where, "split the file")
        found[id] = query
    if not found:
        raise InputError("no topics", name, _REMEDY)
    return found, problems.found()


def _topics(
    path: PathLike, field: str | None, name: str, problems: Problems
) -> Iterator[tuple[str, str, str]]:
    """(file:line, id, query with its white space made one)."""
    with open_input(path) as stream:
        first = stream.peek(_HEAD)[:_HEAD].lstrip()[:1]
        if first == b"<":
            topics = _of_xml(stream, name, "query" if field is None else field)
        elif first == b"{":
            topics = _of_json(numbered(stream, name, problems), "text" if field is None else field)
        elif field is not None:
            raise InputError(f"lines of ID<tab>QUERY have no field {field!r}", name, "leave --field out")
        else:
            topics = _of_columns(numbered(stream, name, problems))
        for where, id, query in topics:
            yield where, id, " ".join(query.split())


def _of_columns(lines: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, str, str]]:
    for where, line in lines:
        id, tab, query = line.partition(b"\t")
        if not tab:
            raise InputError("no tab between id and query", where, _REMEDY)
        yield where, identifier(id, "topic", where), text(query, where)


def _of_json(lines: Iterable[tuple[str, bytes]], field: str) -> Iterator[tuple[str, str, str]]:
    keys = {"id": "_id", "query": field}
    query = ("query", str | None, None)
    with_id: Any = msgspec.defstruct("Identified", [("id", str | int)], rename=keys)
    with_query: Any = msgspec.defstruct("Asked", [query], rename=keys)
    nested: Any = msgspec.defstruct("WithMetadata", [("metadata", with_query | None, None)])
    for where, line in lines:
        id = decoded(line, with_id, where, _REMEDY).id
        text = decoded(line, with_query, where, _REMEDY).query
        if text is None:
            text = getattr(decoded(line, nested, where, _REMEDY).metadata, "query", None)
        if not isinstance(text, str):
            raise InputError(f"no text under {field!r}", where, "name another with --field, or mend the line")
        yield where, identifier(str(id).encode(errors="replace"), "topic", where), text


def _of_xml(stream: BinaryIO, name: str, field: str) -> Iterator[tuple[str, str, str]]:
    from anagnosis.documents.io.xml_stream import elements, undefined_entity

    for topic in elements(stream, ("topic",), name):
        where = f"{name}:{topic.sourceline}"
        id = identifier((topic.get("number") or "").encode(), "topic", where)
        if entity := undefined_entity(topic):
            raise InputError(
                f"the entity {entity} is not defined in XML", where, "write the character itself"
            )
        asked = [child for child in topic if child.tag == field]
        if len(asked) != 1:
            kinds = sorted({str(child.tag) for child in topic})[:5]
            remedy = f"name what is to be asked with --field; there are {', '.join(kinds) or 'none'}"
            raise InputError(f"{len(asked) or 'no'} <{field}> in topic {id!r}", where, remedy)
        yield where, id, "".join(asked[0].itertext())
