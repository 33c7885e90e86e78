"""One sample for each of the authors' layouts, on which the contract in test_contract.py is tried."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tests import decisions, evidence_sets
from tests.datasets.bioread import passages as bioread_rows
from tests.datasets.clicr import files as clicr_files
from tests.golden_files import gson, question, questions

BIOMRC = Path(__file__).parents[2] / "samples" / "biomrc" / "dataset_test.json"


class Sample(NamedTuple):
    """Files in a layout, by their names.

    files: sound ones; the first holds the instances. broken: that first file with one more record, which a reader must
    leave out, and the fault's name. twice: that first file with a record of an id that it already has;
    is_refused_twice: whether that is a key that stands twice.
    """

    files: Mapping[str, bytes]
    broken: tuple[bytes, str]
    twice: bytes
    is_refused_twice: bool = False


def sample(name: str) -> Sample:
    """The sample of a layout."""
    return SAMPLES[name]()


def biomrc() -> Sample:
    whole = BIOMRC.read_bytes()
    columns = json.loads(whole)
    more = {name: [*column, column[0]] for name, column in columns.items()}
    without_answer = {**more, "answers": [*columns["answers"], "@entity99\n"]}
    return Sample(
        {"dataset_test.json": whole},
        (json.dumps(without_answer).encode(), "not_an_instance"),
        json.dumps(more).encode(),
    )


def bioread() -> Sample:
    whole = bioread_rows.FILE.encode()
    one_candidate = bioread_rows.record(
        candidates=bioread_rows.CANDIDATES[:1], passage="@entity0 .", answer="@entity0"
    )
    return Sample(
        {"train_part_0.txt": whole},
        (whole + one_candidate.encode(), "not_an_instance"),
        whole + bioread_rows.record().encode(),
    )


def clicr() -> Sample:
    queries = clicr_files.QUERIES
    no_gap = clicr_files.query("made-2012-001.9", "No gap .", clicr_files.answer("gap"))

    def file(*more: Any) -> bytes:
        return clicr_files.file(clicr_files.report(*queries, *more), clicr_files.OTHER)

    return Sample({"test1.0.json": file()}, (file(no_gap), "not_a_query"), file(queries[0]))


def pubmedqa() -> Sample:
    found = decisions.rows()
    whole = json.dumps(found, indent=4)
    first = json.dumps(found, indent=4)[1:].partition("\n    },")[0] + "\n    },"
    return Sample(
        {"ori_pqal.json": whole.encode()},
        (json.dumps({**found, "7": {"QUESTION": 3}}).encode(), "not_an_instance"),
        whole.replace("{", "{" + first, 1).encode(),
        is_refused_twice=True,
    )


def bioasq() -> Sample:
    found = questions()
    return Sample(
        {"8B1_golden.json": gson(found).encode()},
        (gson([*found, question(9, type="riddle")]).encode(), "not_a_question"),
        gson([*found, question(1, "factoid")]).encode(),
    )


def _corpus() -> bytes:
    rows = (
        {"doc_id": ident, "title": title, "abstract": sentences, "structured": False}
        for ident, (title, sentences) in evidence_sets.ABSTRACTS.items()
    )
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def scifact() -> Sample:
    lines = [json.dumps(claim) for claim in evidence_sets.claims()[:2]]
    cited = evidence_sets.claim(3, "Tea is tea.", {"999": [[0]]})
    return Sample(
        {"claims_train.jsonl": _lines(*lines), "corpus.jsonl": _corpus()},
        (_lines(*lines, json.dumps(cited)), "abstract_missing"),
        _lines(*lines, lines[0]),
    )


def _lines(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def squad() -> Sample:
    def file(*found: Any) -> bytes:
        articles = [{"paragraphs": [{"context": evidence_sets.CONTEXT, "qas": [each]}]} for each in found]
        return json.dumps({"version": "1.1", "data": articles}).encode()

    asked = evidence_sets.asked(1, "What stops fish?", "Salt water")
    return Sample(
        {"train-v1.1.json": file(asked)},
        (file(asked, {"id": 2}), "not_an_article"),
        file(asked, asked),
    )


SAMPLES = {
    "biomrc": biomrc,
    "bioread": bioread,
    "clicr": clicr,
    "pubmedqa": pubmedqa,
    "bioasq": bioasq,
    "scifact": scifact,
    "squad": squad,
}
