"""SciFact's claims with the sentences of their abstracts: from every shape of input, and what is refused or counted."""

from __future__ import annotations

import tarfile
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evidence_sets import ABSTRACTS, abstracts, claim, claims, held_of, imported, lines, scifact

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

HELD = {"1:11": "-++", "2:12": "+-", "2:11": "+--"}


def test_an_instance_is_a_claim_with_an_abstract_that_has_evidence(tmp_path: Path) -> None:
    dataset = imported(scifact(tmp_path / "in"), tmp_path / "built", "scifact")
    assert held_of(dataset, "train") == HELD
    assert dataset.receipt.instances.dropped == {"no_evidence": 1}
    assert dataset.receipt.repairs == {}
    first = next(store.instances(dataset, "train"))
    assert first.question == "Cold tea changes sleep."
    assert [sentence.text for sentence in first.sentences] == ABSTRACTS[11][1]
    assert {(sentence.document, sentence.title) for sentence in first.sentences} == {("11", "Tea and sleep")}
    assert api.check(dataset).sound


def test_both_files_a_folder_and_an_archive_are_the_same(tmp_path: Path) -> None:
    folder = scifact(tmp_path / "in")
    (folder / "README.md").write_text("none of it")
    archive = tmp_path / "scifact.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(folder, "data/scifact")
    apart = tmp_path / "apart"
    two = [
        lines(apart / "a" / "claims_train.jsonl", claims()),
        lines(apart / "b" / "corpus_sentences.jsonl", abstracts()),
    ]
    for number, (files, setting) in enumerate(
        [(folder, None), (two, None), (archive, None), (archive, "train"), (archive, "claims_train")]
    ):
        dataset = imported(files, tmp_path / f"built-{number}", "scifact", setting=setting)
        assert held_of(dataset, "train") == HELD
        assert dataset.receipt.repairs == ({"archive_other_file": 1} if files is archive else {})


@given(st.lists(st.sets(st.integers(0, 60), min_size=1, max_size=3), min_size=1, max_size=40))
def test_no_abstract_stands_in_train_and_in_dev(
    tmp_path_factory: pytest.TempPathFactory, cited: list[set[int]]
) -> None:
    folder = tmp_path_factory.mktemp("apart")
    rows = [{"doc_id": ident, "title": "", "abstract": ["Tea.", "Salt."]} for ident in range(61)]
    lines(folder / "corpus.jsonl", rows)
    own = [
        claim(number, f"Claim {number % 30}", {str(ident): [[0]] for ident in sorted(documents)})
        for number, documents in enumerate(cited)
    ]
    lines(folder / "claims_train.jsonl", own)
    forth = imported(folder, folder / "forth", "scifact", dev_share=0.5)
    lines(folder / "claims_train.jsonl", own[::-1])
    back = imported(folder, folder / "back", "scifact", dev_share=0.5)
    seen: dict[str, set[str]] = {}
    for split in forth.sizes:
        assert set(held_of(forth, split)) == set(held_of(back, split))
        for one in store.instances(forth, split):
            for unit in (one.question, one.sentences[0].document):
                seen.setdefault(unit, set()).add(split)
    assert all(len(splits) == 1 for splits in seen.values())
    assert sum(forth.sizes.values()) == sum(map(len, cited))


def test_an_empty_sentence_is_left_out_and_a_second_abstract_of_an_id_too(tmp_path: Path) -> None:
    folder = scifact(tmp_path / "in")
    rows: list[Any] = [
        {"doc_id": 11, "title": "T", "abstract": ["a", " ", "c"]},
        {"doc_id": 11, "title": "T", "abstract": ["other"]},
        {"doc_id": 12, "title": "T", "abstract": "no list"},
    ]
    lines(folder / "corpus.jsonl", rows)
    dataset = imported(folder, tmp_path / "built", "scifact")
    assert held_of(dataset, "train") == {"1:11": "-+", "2:11": "+-"}
    assert dataset.receipt.instances.dropped == {
        "no_evidence": 1,
        "not_an_abstract": 1,
        "abstract_missing": 1,
    }


@pytest.mark.parametrize(
    ("files", "what"),
    [
        ({"claims_train.jsonl": [claim(1, "x", {"11": [[0]]})]}, "no abstracts of these claims"),
        ({"corpus.jsonl": [{"doc_id": 1, "title": "", "abstract": ["a"]}]}, "no claims"),
        ({"queries.jsonl": [{"_id": "1", "text": "x"}]}, "no claims"),
        ({"mine.jsonl": [claim(1, "x", {"11": [[0]]})]}, "name its split with split"),
    ],
)
def test_an_input_that_is_not_whole_is_one_line(
    tmp_path: Path, files: dict[str, list[Any]], what: str
) -> None:
    for name, rows in files.items():
        lines(tmp_path / "in" / name, rows)
    with pytest.raises(InputError, match=what):
        imported(tmp_path / "in", tmp_path / "built", "scifact")


def test_a_share_is_between_none_and_all_of_train(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="1 is no share of train"):
        imported(scifact(tmp_path / "in"), tmp_path / "built", "scifact", dev_share=1)
