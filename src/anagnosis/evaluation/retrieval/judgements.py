"""Judgements: which document is relevant to which query, and how much. Two forms, distinguished by the first line.

    1 0 105q161g 2                       TREC's qrels: query, iteration (not read), document, grade
    query-id<tab>corpus-id<tab>score     BEIR's: a header, then query, document, grade
    1<tab>105q161g<tab>2

A grade is a whole number; 1 and above is relevant.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from anagnosis.errors import InputError
from anagnosis.evaluation.retrieval.lines import RETRIEVAL_PROBLEMS, identifier, numbered
from anagnosis.io.files import display_name, open_input
from anagnosis.io.paths import PathLike
from anagnosis.predictions.problems import Problem, Problems

LARGEST_GRADE = 100
_HEADER = [b"query-id", b"corpus-id", b"score"]
_REMEDY = "a line is QUERY 0 DOCUMENT GRADE, or QUERY<tab>DOCUMENT<tab>GRADE under a header"


@dataclass(frozen=True, slots=True)
class Judgements:
    """grades: query → document → grade. name: of the file. fingerprint: of the grades, whatever form the file has."""

    name: str
    grades: Mapping[str, Mapping[str, int]]
    fingerprint: str
    problems: Mapping[str, Problem]

    def relevant(self, query: str) -> list[int]:
        """The grades of the relevant documents, falling."""
        return sorted((grade for grade in self.grades.get(query, {}).values() if grade > 0), reverse=True)


def read(path: PathLike) -> Judgements:
    """Read a file; a line of another form, or two grades for one document, is an InputError with its line.

    What stands twice with the same grade is counted (`judged_twice`).
    """
    name = display_name(path)
    problems = Problems(RETRIEVAL_PROBLEMS)
    grades: dict[str, dict[str, int]] = {}
    columns = 0
    with open_input(path) as stream:
        for where, line in numbered(stream, name, problems):
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
            own = grades.setdefault(query, {})
            if document not in own:
                own[document] = grade
            elif own[document] == grade:
                problems.add("judged_twice", f"{query} {document}")
            else:
                what = f"{document!r} has the grades {own[document]} and {grade} for query {query!r}"
                raise InputError(what, where, "keep one of them")
    if not grades:
        raise InputError("no judgements", name, _REMEDY)
    return Judgements(name, grades, _fingerprint(grades), problems.found())


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
