"""Runs: what a system retrieved for each query, best first. TREC's run file has six columns:

    1 Q0 105q161g 1 7.8125 bm25          query, Q0 (not read), document, rank, score, name of the run (not read)

The score orders the documents of a query, as a 32-bit number. Of equal scores

- `trec` (the default): the greater document id comes first, by its bytes, whatever rank and order the file has. So does
  trec_eval, so numbers agree with published ones, and no engine gains by an order that its scores do not tell;
- `rank`: the lower rank comes first, as the engine showed them to its users. What to take for an engine that
  gives many equal scores, and for figures that were reckoned on its own order.

In memory a document is its id, kept once, and a number a line.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from anagnosis.errors import InputError
from anagnosis.evaluation.retrieval.judgements import identifier, numbered
from anagnosis.io.files import display_name, open_input, open_output
from anagnosis.io.paths import PathLike

LARGEST_RANK = 1 << 31
_REMEDY = "a line is QUERY Q0 DOCUMENT RANK SCORE NAME"


@dataclass(frozen=True, slots=True)
class Run:
    """ranked: query → ids of documents, best first; a query that brought nothing may be there with none."""

    name: str
    ranked: Mapping[str, Sequence[str]]


class _Results:
    """The lines of one query while a file is read."""

    __slots__ = ("documents", "lines", "ranks", "scores")

    def __init__(self) -> None:
        self.documents: list[str] = []
        self.scores = array("f")
        self.ranks = array("I")
        self.lines = array("I")


def read(path: PathLike, name: str, *, ties: str = "trec") -> Run:
    """Read a run file; name: of the run. A line of another form is an InputError with its place.

    So are a document that stands twice for a query and a score that is no finite number. The lines of a query need not
    stand together.
    """
    file = display_name(path)
    ids: dict[bytes, str] = {}
    found: dict[str, _Results] = {}
    with open_input(path) as stream:
        for where, line in numbered(stream, file):
            fields = line.split()
            if len(fields) != 6:
                raise InputError(f"{len(fields)} columns, not 6", where, _REMEDY)
            query = ids.get(fields[0]) or ids.setdefault(fields[0], identifier(fields[0], "query", where))
            document = ids.get(fields[2]) or ids.setdefault(
                fields[2], identifier(fields[2], "document", where)
            )
            own = found.get(query) or found.setdefault(query, _Results())
            own.documents.append(document)
            own.scores.append(_score(fields[4], where))
            own.ranks.append(_rank(fields[3], where) if ties == "rank" else 0)
            own.lines.append(int(where.rpartition(":")[2]))
    if not found:
        raise InputError("no results", file, _REMEDY)
    ranked: dict[str, Sequence[str]] = {}
    while found:
        query = next(iter(found))
        ranked[query] = _ordered(found.pop(query), query, file)
    return Run(name, ranked)


def of_results(name: str, results: Mapping[str, Sequence[tuple[str, float]]], *, ties: str = "trec") -> Run:
    """The run of what an engine gave: query → (document, score), best first. The same as its run file, read."""
    ranked: dict[str, Sequence[str]] = {}
    for query, given in results.items():
        own = _Results()
        for rank, (document, score) in enumerate(given, 1):
            own.documents.append(document)
            own.scores.append(score)
            if not math.isfinite(own.scores[-1]):
                raise InputError(f"{name} gave {document!r} the score {score}", f"query {query!r}")
            own.ranks.append(rank if ties == "rank" else 0)
        ranked[query] = _ordered(own, query, name)
    return Run(name, ranked)


def write(path: PathLike, name: str, results: Iterable[tuple[str, Sequence[tuple[str, float]]]]) -> int:
    """Write (query, [(document, score), …] best first) as a run file, all or nothing; gives the number of lines.

    Equal results give equal bytes. An id with white space has no place in such a file and is refused.
    """
    count = 0
    tag = _column(name, "run", path)
    with open_output(path) as stream:
        for query, given in results:
            query = _column(query, "query", path)
            for rank, (document, score) in enumerate(given, 1):
                line = f"{query} Q0 {_column(document, 'document', path)} {rank} {float(score)!r} {tag}\n"
                stream.write(line.encode())
            count += len(given)
    return count


def _column(id: str, what: str, path: PathLike) -> str:
    if not id or len(id.encode().split()) != 1 or len(id) != len(id.strip()):
        raise InputError(
            f"the {what} {id[:40]!r} cannot stand in a run file", display_name(path), "ids have no blanks"
        )
    return id


def _ordered(own: _Results, query: str, where: str) -> list[str]:
    """The documents of a query, best first. One that stands twice is refused."""
    documents, scores, ranks = own.documents, own.scores, own.ranks
    if len(set(documents)) < len(documents):
        seen: set[str] = set()
        for place, document in enumerate(documents):
            if document in seen:
                at = f"{where}:{own.lines[place]}" if own.lines else where
                raise InputError(
                    f"document {document!r} stands twice for query {query!r}", at, "keep its best line"
                )
            seen.add(document)
    by_id = sorted(range(len(documents)), key=documents.__getitem__, reverse=True)
    order = sorted(by_id, key=lambda place: (-scores[place], ranks[place]))
    return [documents[place] for place in order]


def _score(field: bytes, where: str) -> float:
    try:
        score = array("f", [float(field)])[0]
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        shown = field[:20].decode(errors="replace")
        raise InputError(f"the score {shown!r} is no finite number", where, _REMEDY)
    return score


def _rank(field: bytes, where: str) -> int:
    if not (field.isdigit() and len(field) < 11 and int(field) < LARGEST_RANK):
        shown = field[:20].decode(errors="replace")
        raise InputError(
            f"the rank {shown!r} is no whole number", where, "take --ties trec, which reads no ranks"
        )
    return int(field)
