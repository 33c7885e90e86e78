"""Judgements and topics of a test collection, read line by line in bounded memory.

Judgements: which document is relevant to which query, and how much. Two forms, distinguished by the first line.

    1 0 105q161g 2                       TREC's qrels: query, iteration (not read), document, grade
    query-id<tab>corpus-id<tab>score     BEIR's: a header, then query, document, grade
    1<tab>105q161g<tab>2

A grade is a whole number; 1 and above is relevant.

Topics: the queries of a test collection, by their ids. Two forms, distinguished by the first sign.

    1<tab>coronavirus origin                                                   TSV, a query a line
    {"_id": "1", "text": "what is the origin of COVID-19", "metadata": {…}}    BEIR's queries.jsonl

field: what of a topic is asked: a key of a line or of its `metadata` (default `text`; BEIR's TREC-COVID has `query` and
`narrative` too).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import msgspec

from anagnosis.errors import InputError
from anagnosis.io.decoding import decoded
from anagnosis.io.files import display_name, open_input
from anagnosis.io.paths import PathLike

LONGEST_LINE = 1 << 20
LONGEST_IDENTIFIER = 512
MOST_LINES = 20_000_000  # 1,000 results for each of 20,000 queries
RETRIEVAL_PROBLEMS = {
    "unjudged_query": "topics without a judgement; left out",
    "no_topic": "judged queries that are not among the topics; left out",
    "no_relevant": "judged queries without a relevant document; left out",
    "no_results": "queries for which the system gave nothing; every measure is 0",
    "unknown_query": "queries of the results that are not scored; left out",
}


def numbered(stream: BinaryIO, name: str) -> Iterator[tuple[str, bytes]]:
    """("file:line", the line without its end) for each line that is not empty."""
    for number, line in enumerate(iter(lambda: stream.readline(LONGEST_LINE + 1), b""), 1):
        where = f"{name}:{number}"
        if len(line) > LONGEST_LINE:
            raise InputError(
                f"the line is longer than {LONGEST_LINE >> 20} MiB", where, "is it the file you mean?"
            )
        if number > MOST_LINES:
            raise InputError(f"more than {MOST_LINES:,} lines", where, "split it by query")
        if not line.isspace():
            yield where, line.rstrip(b"\r\n")


def text(data: bytes, where: str) -> str:
    """Bytes as UTF-8 text."""
    try:
        return data.decode()
    except UnicodeDecodeError as fault:
        raise InputError("not UTF-8", where, "save the file as UTF-8") from fault


def identifier(data: bytes, what: str, where: str) -> str:
    """The id of a query or a document: some visible text of bounded length."""
    found = text(data, where).strip()
    if not found or len(found) > LONGEST_IDENTIFIER:
        fault = f"an id of {len(found):,} letters" if found else "no id"
        raise InputError(f"{fault} for the {what}", where, f"an id has 1 to {LONGEST_IDENTIFIER} letters")
    return found


LARGEST_GRADE = 100
_HEADER = [b"query-id", b"corpus-id", b"score"]
_REMEDY = "a line is QUERY 0 DOCUMENT GRADE, or QUERY<tab>DOCUMENT<tab>GRADE under a header"


@dataclass(frozen=True, slots=True)
class Judgements:
    """grades: query → document → grade. name: of the file. fingerprint: of the grades, whatever form the file has."""

    name: str
    grades: Mapping[str, Mapping[str, int]]
    fingerprint: str

    def relevant(self, query: str) -> list[int]:
        """The grades of the relevant documents, falling."""
        return sorted((grade for grade in self.grades.get(query, {}).values() if grade > 0), reverse=True)


def read_judgements(path: PathLike) -> Judgements:
    """Read a file; a line of another form, or two grades for one document, is an InputError with its line."""
    name = display_name(path)
    grades: dict[str, dict[str, int]] = {}
    columns = 0
    with open_input(path) as stream:
        for where, line in numbered(stream, name):
            if not columns:
                columns = 3 if _is_header(line, where) else 4
                if columns == 3:
                    continue
            fields = line.split(b"\t") if columns == 3 else line.split()
            if len(fields) != columns:
                raise InputError(f"{len(fields)} columns, not {columns}", where, _REMEDY)
            query = identifier(fields[0], "query", where)
            document = identifier(fields[-2], "document", where)
            grade = _grade(fields[-1], where)
            if (known := grades.setdefault(query, {}).setdefault(document, grade)) != grade:
                what = f"{document!r} has the grades {known} and {grade} for query {query!r}"
                raise InputError(what, where, "keep one of them")
    if not grades:
        raise InputError("no judgements", name, _REMEDY)
    return Judgements(name, grades, _fingerprint(grades))


def _is_header(line: bytes, where: str) -> bool:
    fields = [field.strip().lower() for field in line.split(b"\t")]
    if fields[0] != _HEADER[0]:
        return False
    if fields != _HEADER:
        raise InputError(
            "a header of other columns", where, "BEIR's is query-id, corpus-id, score, with tabs"
        )
    return True


def _grade(field: bytes, where: str) -> int:
    try:
        grade = int(field[:8])
    except ValueError:
        grade = None
    if grade is None or len(field) > 8 or abs(grade) > LARGEST_GRADE:
        shown = field[:20].decode(errors="replace")
        raise InputError(f"the grade {shown!r} is no whole number up to {LARGEST_GRADE}", where, _REMEDY)
    return grade


def _fingerprint(grades: Mapping[str, Mapping[str, int]]) -> str:
    """SHA-256 over query, document and grade in the order of the ids."""
    digest = hashlib.sha256()
    for query in sorted(grades):
        for document in sorted(grades[query]):
            digest.update(f"{query}\t{document}\t{grades[query][document]}\n".encode())
    return digest.hexdigest()


MOST_TOPICS = 1_000_000
LONGEST_QUERY = 100_000
_HEAD = 1 << 12
_TOPIC_REMEDY = 'a line is ID<tab>QUERY or {"_id": …, "text": …}'


def read_topics(path: PathLike, field: str | None = None) -> dict[str, str]:
    """id → query, in the order of the file.

    Refused with its line: an id given twice, a topic without id or query, any other form.
    """
    name = display_name(path)
    found: dict[str, str] = {}
    for where, id, query in _topics(path, field, name):
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
        raise InputError("no topics", name, _TOPIC_REMEDY)
    return found


def _topics(path: PathLike, field: str | None, name: str) -> Iterator[tuple[str, str, str]]:
    """(file:line, id, query with its white space made one)."""
    with open_input(path) as stream:
        first = stream.peek(_HEAD)[:_HEAD].lstrip()[:1]
        if first == b"{":
            topics = _of_json(numbered(stream, name), "text" if field is None else field)
        elif field is not None:
            raise InputError(f"lines of ID<tab>QUERY have no field {field!r}", name, "leave --field out")
        else:
            topics = _of_columns(numbered(stream, name))
        for where, id, query in topics:
            yield where, id, " ".join(query.split())


def _of_columns(lines: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, str, str]]:
    for where, line in lines:
        id, tab, query = line.partition(b"\t")
        if not tab:
            raise InputError("no tab between id and query", where, _TOPIC_REMEDY)
        yield where, identifier(id, "topic", where), text(query, where)


def _of_json(lines: Iterable[tuple[str, bytes]], field: str) -> Iterator[tuple[str, str, str]]:
    keys = {"id": "_id", "query": field}
    query = ("query", str | None, None)
    with_id: Any = msgspec.defstruct("Identified", [("id", str | int)], rename=keys)
    with_query: Any = msgspec.defstruct("Asked", [query], rename=keys)
    nested: Any = msgspec.defstruct("WithMetadata", [("metadata", with_query | None, None)])
    for where, line in lines:
        id = decoded(line, with_id, where, _TOPIC_REMEDY).id
        text = decoded(line, with_query, where, _TOPIC_REMEDY).query
        if text is None:
            text = getattr(decoded(line, nested, where, _TOPIC_REMEDY).metadata, "query", None)
        if not isinstance(text, str):
            raise InputError(f"no text under {field!r}", where, "name another with --field, or mend the line")
        yield where, identifier(str(id).encode(errors="replace"), "topic", where), text
