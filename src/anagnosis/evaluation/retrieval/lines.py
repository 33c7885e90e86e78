"""The lines of topics, judgements and runs with their numbers, in bounded memory; and what does not fit together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from anagnosis.errors import InputError
from anagnosis.predictions.problems import Problems

LONGEST_LINE = 1 << 20
LONGEST_IDENTIFIER = 512
MOST_LINES = 20_000_000  # 1,000 results for each of 20,000 queries
RETRIEVAL_PROBLEMS = {
    "blank": "empty lines",
    "judged_twice": "judgements that stand twice, with the same grade",
    "unjudged_query": "topics without a judgement; left out",
    "no_topic": "judged queries that are not among the topics; left out",
    "no_relevant": "judged queries without a relevant document; left out",
    "no_results": "queries for which the system gave nothing; every measure is 0",
    "unknown_query": "queries of the results that are not scored; left out",
    "never_retrieved": "relevant documents that stand in no result of any query",
    "not_in_index": "relevant documents that the index does not hold; no query can bring them",
}


def numbered(stream: BinaryIO, name: str, problems: Problems) -> Iterator[tuple[str, bytes]]:
    """("file:line", the line without its end) for each line that is not empty; empty ones are counted as `blank`."""
    number = 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        where = f"{name}:{number}"
        if len(line) > LONGEST_LINE:
            raise InputError(
                f"the line is longer than {LONGEST_LINE >> 20} MiB", where, "is it the file you mean?"
            )
        if number > MOST_LINES:
            raise InputError(f"more than {MOST_LINES:,} lines", where, "split it by query")
        if line.isspace():
            problems.add("blank", f"line {number}")
            continue
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
