"""SciFact's claims as questions for yes, no or maybe: which label, which split, what is left out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis import api
from anagnosis.datasets.export.layouts import LayoutFaults
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.datasets.scifact.files import Claim, read

ABSTRACTS = [
    {"doc_id": 11, "title": "Tea", "abstract": ["We gave tea.", "Sleep was longer.\n"], "structured": False},
    {
        "doc_id": 12,
        "title": "Salt",
        "abstract": ["Salt was given.", "Fever did not fall."],
        "structured": False,
    },
    {"doc_id": 13, "title": "Nobody's", "abstract": ["Nobody cites this."], "structured": False},
]


def claim(number: int, said: dict[str, str], cited: Sequence[int] = (), **other: Any) -> dict[str, Any]:
    evidence = {document: [{"sentences": [1], "label": label}] for document, label in said.items()}
    return {
        "id": number,
        "claim": f"Claim {number}.",
        "evidence": evidence,
        "cited_doc_ids": [*cited],
        **other,
    }


TRAIN = [
    claim(1, {"11": "SUPPORT"}, [11]),
    claim(2, {"12": "CONTRADICT"}, [12, 12, 11]),
    claim(3, {}, [12]),
]


def written(folder: Path, **files: Sequence[Any]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, rows in files.items():
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    own = [claim(1, {"12": "SUPPORT"}, [12])]  # ids of another file may repeat
    return written(tmp_path / "scifact", claims_train=TRAIN, claims_validation=own, corpus=ABSTRACTS)


def imported(folder: Path, out: Path, **options: Any) -> store.Dataset:
    return api.import_dataset(folder, out, layout="scifact-verdicts", **options)


def decisions(dataset: store.Dataset, split: str) -> list[DecisionInstance]:
    return list(store.instances(dataset, split))


def test_support_is_yes_contradict_is_no_and_cited_without_evidence_is_maybe(
    folder: Path, tmp_path: Path
) -> None:
    dataset = imported(folder, tmp_path / "built")
    assert dataset.sizes == {"train": 4, "dev": 1}
    found = {each.id: each for each in decisions(dataset, "train")}
    assert {ident: each.label for ident, each in found.items()} == {
        "1:11": "yes",
        "2:12": "no",
        "2:11": "maybe",
        "3:12": "maybe",
    }
    assert found["1:11"].question == "Claim 1."
    assert [section.text for section in found["1:11"].context] == ["We gave tea. Sleep was longer."]
    assert [each.label for each in decisions(dataset, "dev")] == ["yes"]


def test_what_cannot_be_a_question_is_left_out_and_told(tmp_path: Path) -> None:
    rows = [
        *TRAIN,
        claim(1, {}, [11]),
        claim(4, {"11": "SUPPORT"}, [99]),
        claim(5, {"11": "PERHAPS"}),
        claim(6, {}, evidence={"11": [{"sentences": [0], "label": said} for said in ("SUPPORT", "CONTRADICT")]}),
        claim(7, {}, [11], claim=""),
        {"id": 8},
        '{"id": 9, ',
    ]  # fmt: skip
    source = written(tmp_path / "dirty", claims_train=rows, corpus=[*ABSTRACTS, ABSTRACTS[0], {"doc_id": 14}])
    found = api.check_layout(source, layout="scifact-verdicts")
    assert found.refused == {
        "repeated_id": 1,
        "abstract_missing": 1,
        "unknown_label": 1,
        "two_labels": 1,
        "not_a_claim": 3,
        "not_an_abstract": 1,
    }
    assert found.instances == 5


@given(
    st.lists(st.tuples(st.sampled_from(["SUPPORT", "CONTRADICT"]), st.sets(st.integers(0, 9), min_size=1)))
)
def test_a_claims_labels_and_sentences_are_those_of_its_rationales(
    rationales: list[tuple[str, set[int]]],
) -> None:
    import msgspec

    row = [{"sentences": sorted(places), "label": label} for label, places in rationales]
    made = msgspec.convert({"id": 1, "claim": "x", "evidence": {"11": row}, "cited_doc_ids": [11, 12]}, Claim)
    assert made.labels("11") == {label for label, _ in rationales}
    assert made.proving("11") == {place for _, places in rationales for place in places}
    assert (made.labels("12"), made.documents) == (set(), ["11", "12"])


def test_theirs_have_the_counts_that_are_told(shared: Path, tmp_path: Path) -> None:
    archive = shared / "data/retrieval/scifact.tar.gz"
    dataset = imported(archive, tmp_path / "built", setting="train,validation")
    assert dataset.sizes == {"train": 919, "dev": 339}
    labels = Counter(each.label for split in dataset.sizes for each in decisions(dataset, split))
    assert labels == {"yes": 370 + 138, "no": 194 + 71, "maybe": 355 + 130}
    findings = LayoutFaults()
    read(archive, findings, wanted=["validation"])
    assert not findings.refused
