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
from tests.evidence_sets import hinted
from tests.rows import each_row

from anagnosis import api
from anagnosis.cli import run
from anagnosis.datasets.export.layouts import LayoutFaults
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.datasets.scifact.files import Claim, read
from anagnosis.errors import InputError

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
    assert dataset.rows == {"train": 4, "dev": 1}
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


def test_claims_are_chosen_by_their_file_and_some_of_train_are_drawn_for_dev(
    folder: Path, tmp_path: Path
) -> None:
    assert imported(folder, tmp_path / "one", setting="validation").rows == {"dev": 1}
    many = [claim(number, {}, [number]) for number in range(200)]
    source = written(
        tmp_path / "many",
        claims_train=many,
        corpus=[{"doc_id": number, "title": "", "abstract": ["Tea."]} for number in range(200)],
    )
    rows = imported(source, tmp_path / "drawn", dev_share=0.2).rows
    assert sum(rows.values()) == 200
    assert 20 < rows["dev"] < 60
    assert imported(source, tmp_path / "all", split="test").rows == {"test": 200}


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
        "not_a_claim": 2,
        "not_json": 1,
    }
    assert found.broken == {"repeated_abstract": 1, "not_an_abstract": 1}
    assert found.instances == 5


@each_row(
    ("files", "options", "told"),
    [
        ({"claims_train": TRAIN}, {}, "no abstracts of these claims"),
        ({"corpus": ABSTRACTS}, {}, "no claims"),
        (
            {"claims_train": TRAIN, "corpus": ABSTRACTS},
            {"setting": "dev"},
            "no claims of dev; there are claims_train",
        ),
        ({"claims_new": TRAIN, "corpus": ABSTRACTS}, {}, "the name of the file gives no split"),
        ({"claims_train": TRAIN, "corpus": ABSTRACTS}, {"split": "all"}, "unknown split 'all'"),
    ],
)
def test_what_is_not_scifact_is_one_line(
    tmp_path: Path, files: dict[str, Any], options: dict[str, Any], told: str
) -> None:
    with pytest.raises(InputError) as refused:
        imported(written(tmp_path / "other", **files), tmp_path / "built", **options)
    assert told in str(refused.value)
    assert not (tmp_path / "built").exists()


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


def test_the_command_imports_and_a_reader_of_decisions_takes_it(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    built, lines = str(tmp_path / "built"), str(tmp_path / "lines.jsonl")
    assert run(["import", str(folder), "--layout", "scifact-verdicts", "--out", built]) == 0
    assert run(["check", built]) == 0
    assert run(["predict", "majority", built, "--split", "dev", "--out", lines]) == 0
    assert run(["score", built, lines]) == 0
    assert "macro-F1" in capfd.readouterr().out
    assert run(["import", str(folder), "--layout", "scifact-verdicts", "--out", built]) == 0
    then = hinted(capfd.readouterr().out, "predict")
    assert run([*then[:-1], str(tmp_path / "hinted.jsonl")]) == 0
    capfd.readouterr()
    assert run(["export", built, "--layout", "scifact-verdicts", "--out", str(tmp_path / "out")]) == 2
    assert "files of scifact-verdicts are read, not written" in capfd.readouterr().err


def test_theirs_have_the_counts_that_are_told(shared: Path, tmp_path: Path) -> None:
    archive = shared / "data/retrieval/scifact.tar.gz"
    dataset = imported(archive, tmp_path / "built", setting="train,validation")
    assert dataset.rows == {"train": 919, "dev": 339}
    labels = Counter(each.label for split in dataset.rows for each in decisions(dataset, split))
    assert labels == {"yes": 370 + 138, "no": 194 + 71, "maybe": 355 + 130}
    findings = LayoutFaults()
    read(archive, findings, wanted=["validation"])
    assert not findings.refused
