"""One sample for each of the authors' layouts, on which the contract in test_contract.py is tried."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests import decisions, evidence_sets
from tests.datasets.bioread import passages as bioread_rows
from tests.datasets.clicr import files as clicr_files
from tests.golden_files import gson, question, questions, snippet

BIOMRC = Path(__file__).parents[2] / "samples" / "biomrc" / "dataset_test.json"


class Broken(NamedTuple):
    """A file with one more record, which a reader must leave out. where, why: in the receipt's refusal."""

    data: bytes
    fault: str
    where: str
    why: str


class Sample(NamedTuple):
    """Files in a layout, by their names.

    files: sound ones; the first holds the instances. broken: that first file in several faulty forms. twice: that first
    file with a record of an id that it already has; is_refused_twice: whether that is a key that stands twice.
    """

    files: Mapping[str, bytes]
    broken: Sequence[Broken]
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
        [
            Broken(
                json.dumps(without_answer).encode(),
                "not_an_instance",
                "dataset_test.json, instance 2",
                "the answer '@entity99\\n' is no candidate",
            )
        ],
        json.dumps(more).encode(),
    )


def bioread() -> Sample:
    record = bioread_rows.record
    broken = {
        "1 parts between 30 hyphens": f"one\n{bioread_rows.INSTANCE}\n",
        "'entity1' is not @entityN:name": record(candidates=("@entity0:a", "entity1")),
        "an @entityN stands twice": record(candidates=("@entity0:a", "@entity0:b")),
        "the answer is no candidate": record(answer="@entity7"),
        "holds 0 XXXXXX": record(question="no gap"),
        "holds 1 XXXXXX, not one alone": record(question="XXXX and XXXXXX"),
        "there is one candidate": record("@entity0 alone", candidates=["@entity0:a"], answer="@entity0"),
        "an @entityN that is no candidate": record("@entity0 @entity1 @entity2 @entity3"),
        "or lacks a candidate": record("@entity0 and @entity1"),
        "@entity99999999999 is no number": record(question="XXXXXX @entity99999999999"),
    }
    whole, where = bioread_rows.FILE, "train_part_0.txt, instance 3"
    return Sample(
        {"train_part_0.txt": whole.encode()},
        [Broken((whole + more).encode(), "not_an_instance", where, why) for why, more in broken.items()],
        (whole + record()).encode(),
    )


def clicr() -> Sample:
    queries, query, answer = clicr_files.QUERIES, clicr_files.query, clicr_files.answer

    def file(*more: Any, reports: Sequence[Any] = ()) -> bytes:
        return clicr_files.file(clicr_files.report(*queries, *more), *reports, clicr_files.OTHER)

    broken_queries = {
        "it holds 0 @placeholder": query("q", "no gap", answer("a")),
        "it holds 2 @placeholder": query("q", "@placeholder or @placeholder", answer("a")),
        "it holds the word XXXX": query("q", "XXXX or @placeholder", answer("a")),
        "it has no answer": query("q", "@placeholder"),
        "its id stands twice": queries[0],
    }
    broken_reports = [
        {"source": "x"},
        clicr_files.report(queries[0], title="two\nlines"),
        clicr_files.report({"query": "@placeholder", "id": "q"}),
        clicr_files.report({**query("q", "@placeholder", answer("a")), "id": 7}),
        7,
    ]
    return Sample(
        {"test1.0.json": file()},
        [
            *(
                Broken(file(more), "not_a_query", f"test1.0.json, report 1, query {more['id']}", why)
                for why, more in broken_queries.items()
            ),
            *(
                Broken(file(reports=[report]), "not_a_report", "test1.0.json, report 2", "")
                for report in broken_reports
            ),
        ],
        file(queries[0]),
    )


def pubmedqa() -> Sample:
    found = decisions.rows()
    whole = json.dumps(found, indent=4)
    first = json.dumps(found, indent=4)[1:].partition("\n    },")[0] + "\n    },"
    broken = {
        "3 CONTEXTS, 1 LABELS": {"LABELS": ["METHODS"]},
        "final_decision 'Yes' is none of yes, no, maybe": {"final_decision": "Yes"},
        "reasoning_free_pred 'y' is none of": {"reasoning_free_pred": "y"},
        "Expected `str`, got `int` - at `$.QUESTION`": {"QUESTION": 7},
    }
    files = {
        why: json.dumps({**found, "7": {**decisions.row(7, "no"), **changed}})
        for why, changed in broken.items()
    }
    return Sample(
        {"ori_pqal.json": whole.encode()},
        [Broken(file.encode(), "not_an_instance", "ori_pqal.json, 7", why) for why, file in files.items()],
        whole.replace("{", "{" + first, 1).encode(),
        is_refused_twice=True,
    )


def bioasq() -> Sample:
    found = questions()
    whole = gson(found).encode()
    beyond = snippet(offsetInBeginSection=1 << 60)
    broken = {
        "missing required field `body`": gson([*found, {"id": "1"}]).encode(),
        "the type 'riddle' is unknown": gson([*found, question(9, type="riddle")]).encode(),
        "offsetInBeginSection": gson([*found, question(9, snippets=[beyond])]).encode(),
        "utf-8": gson([*found, question(9, body="broken")]).encode().replace(b"broken", b"brok\xffn"),
        "the key 'type' stands twice": '"type"'.join(
            gson([*found, question(9)]).rsplit('"body"', 1)
        ).encode(),
    }
    return Sample(
        {"8B1_golden.json": whole},
        [Broken(data, "not_a_question", "8B1_golden.json:", why) for why, data in broken.items()],
        gson([*found, question(1, "factoid")]).encode(),
    )


def scifact() -> Sample:
    claim = evidence_sets.claim
    lines = [json.dumps(each) for each in evidence_sets.claims()[:2]]
    beyond = claim(5, "Beyond", {"11": [[7]]})
    before = {**beyond, "evidence": {"11": [{"sentences": [-1]}]}}
    broken: list[tuple[str, Any]] = [
        ("not_a_claim", "{not json"),
        ("not_a_claim", {"id": 5}),
        ("not_a_claim", {"id": 5, "claim": ""}),
        ("not_a_claim", before),
        ("not_a_claim", '{"id": 5, "claim": "x", "claim": "y"}'),
        ("repeated_id", claim(1, "Again", {"11": [[0]]})),
        ("abstract_missing", claim(5, "Elsewhere", {"99": [[0]]})),
        ("evidence_not_there", beyond),
    ]
    return Sample(
        {
            "claims_train.jsonl": _lines(*lines),
            "corpus.jsonl": _lines(*map(json.dumps, evidence_sets.abstracts())),
        },
        [
            Broken(
                _lines(*lines, row if isinstance(row, str) else json.dumps(row)),
                fault,
                "claims_train.jsonl:3",
                "",
            )
            for fault, row in broken
        ],
        _lines(*lines, lines[0]),
    )


def _lines(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def squad() -> Sample:
    def file(*articles: Any) -> bytes:
        return json.dumps({"version": "1.1", "data": articles}).encode()

    def article(*found: Any) -> dict[str, Any]:
        return {"paragraphs": [{"context": evidence_sets.CONTEXT, "qas": found}]}

    asked = evidence_sets.asked(1, "What stops fish?", "Salt water")
    broken = [
        ("not_an_article", 5),
        ("not_an_article", {"title": "no paragraphs"}),
        ("not_an_article", {"paragraphs": [[]]}),
        ("not_an_article", {"paragraphs": [{"context": 1, "qas": []}]}),
        ("not_an_article", article({"id": "1"})),
        ("repeated_id", article(asked)),
        ("empty_question", article({**asked, "id": 2, "question": " "})),
        ("empty_question", article({**asked, "id": ""})),
    ]
    return Sample(
        {"train-v1.1.json": file(article(asked))},
        [
            Broken(file(article(asked), more), fault, "train-v1.1.json, article 1", "")
            for fault, more in broken
        ],
        file(article(asked), article(asked)),
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
