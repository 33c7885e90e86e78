"""A copy without the answers of a split: what stays byte for byte, what goes, and who may be overwritten.

What holds of every kind is in tests/datasets/kinds/test_contract.py.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest
from tests.builds import contents
from tests.datasets.kinds.samples import sample

from anagnosis import api
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.withholding import VISIBLE, fills, surrounds, visible
from anagnosis.errors import InputError


def test_the_other_splits_and_the_entities_are_the_same_bytes(built: Dataset, tmp_path: Path) -> None:
    public = api.withhold(built, tmp_path / "public").dataset
    before, after = contents(built.folder), contents(public.folder)
    assert before.keys() == after.keys()
    same = {name for name in before if before[name] == after[name]}
    assert same == {name for name in before if name.startswith(("data/train", "data/dev"))} | {
        "entities.parquet"
    }
    assert {split: store.fingerprint(public, split) for split in public.sizes} == {
        split: store.fingerprint(built, split) for split in built.sizes
    }


def test_the_order_of_the_rows_is_not_that_of_the_dataset(built: Dataset, tmp_path: Path) -> None:
    public = api.withhold(built, tmp_path / "public").dataset
    before, after = ([one.id for one in store.instances(each, "test")] for each in (built, public))
    assert before != after
    assert sorted(before) == sorted(after)
    documents = [one.document for one in store.instances(public, "test")]
    runs = [name for place, name in enumerate(documents) if not place or documents[place - 1] != name]
    assert len(runs) == len(set(runs))  # those of a document stay beside each other


def test_parts_are_as_many_and_as_long(
    built: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "PART_ROWS", 10)
    monkeypatch.setattr(writing, "GROUP_ROWS", 5)
    splits = {split: store.instances(built, split) for split in built.sizes}
    cut = writing.write(tmp_path / "cut", splits, {"dataset": "biomrc"})
    public = api.withhold(cut, tmp_path / "public").dataset
    assert [part.name for part in public.parts("test")] == [part.name for part in cut.parts("test")]
    assert [pq.read_metadata(part).num_rows for part in public.parts("test")] == [10, 6]
    assert api.check(public).sound


def test_two_splits_can_be_withheld_one_after_the_other(built: Dataset, tmp_path: Path) -> None:
    once = api.withhold(built, tmp_path / "once").dataset
    twice = api.withhold(once, tmp_path / "twice", split="dev").dataset
    assert twice.recipe["withheld"] == {"test": "answers", "dev": "answers"}
    assert set(twice.receipt.choices["withheld"]) == {"test", "dev"}
    assert all(one.answer is None for split in ("dev", "test") for one in store.instances(twice, split))


@pytest.mark.parametrize(
    ("how", "fault"),
    [
        ({"split": "tset"}, "unknown split 'tset'"),
        ({"hide": "labels"}, "unknown part of the gold 'labels'"),
    ],
)
def test_an_unknown_split_or_part_of_the_gold_is_refused(
    built: Dataset, tmp_path: Path, how: dict[str, str], fault: str
) -> None:
    with pytest.raises(InputError, match=fault):
        api.withhold(built, tmp_path / "public", **how)
    assert not (tmp_path / "public").exists()


def test_the_dataset_itself_is_never_written(built: Dataset) -> None:
    before = contents(built.folder)
    with pytest.raises(InputError, match="is an input of this command"):
        api.withhold(built, built.folder, replace=True)
    assert contents(built.folder) == before


TITLE = "Effect of heparin and aspirin on asthma in trials of heparin"


def hiding(start: int, end: int) -> str:
    return f"{TITLE[:start]}XXXX{TITLE[end:]}"


HEPARIN, ASPIRIN, LAST = hiding(10, 17), hiding(22, 29), hiding(53, 60)


@pytest.mark.parametrize(
    ("question", "other", "shows"),
    [
        (HEPARIN, ASPIRIN, True),
        (ASPIRIN, HEPARIN, True),
        (HEPARIN, LAST, True),
        (LAST, HEPARIN, True),
        (HEPARIN, HEPARIN, False),
        (HEPARIN, "Effect of XXXX and salt on asthma in trials of heparin", False),
        ("XXXX or B in a trial", "A or XXXX in a trial", True),
        ("XXXX is good.", "Use XXXX", False),
        ("XXXX", "Y", False),
        ("XXXX helps", "no gap helps", False),
    ],
)
def test_another_question_of_the_same_text_shows_what_this_one_hides(
    question: str, other: str, shows: bool
) -> None:
    assert fills(other, question) is shows


@pytest.mark.parametrize(
    ("passage", "shows"),
    [
        ("We saw that the effect of heparin on severe asthma was small.", True),
        ("We saw that the effect of heparin was small.", False),
        ("the effect of " + "x" * 300 + " on severe asthma", False),
        ("the effect of  on severe asthma", False),
    ],
)
def test_a_passage_shows_it_where_the_words_beside_the_gap_stand_around_something_short(
    passage: str, shows: bool
) -> None:
    assert surrounds(passage, "the effect of ", " on severe asthma") is shows


def test_words_on_one_side_or_few_words_prove_nothing() -> None:
    assert not surrounds("the effect of heparin on severe asthma", "", " on severe asthma")
    assert not surrounds("a b c", "a ", " c")


def cloze(folder: Path, **splits: list[tuple[str, str, str]]) -> Dataset:
    """splits: (document, question, passage) of each instance."""
    given = sample("cloze").instance
    made = {
        split: [
            msgspec.structs.replace(
                given,
                id=f"{split}:{n}",
                document=document,
                question=question,
                passage=given.passage + passage,
            )
            for n, (document, question, passage) in enumerate(rows)
        ]
        for split, rows in splits.items()
    }
    return writing.write(folder, made, {"dataset": "made"})


def test_each_name_counts_the_instances_of_the_split(tmp_path: Path) -> None:
    sentence = f" {TITLE}."
    dataset = cloze(
        tmp_path / "built",
        train=[("1", HEPARIN, " In train."), ("9", "XXXX is asked in train", "")],
        test=[
            ("1", ASPIRIN, ""),  # the other question is in train
            ("2", HEPARIN, ""),
            ("2", ASPIRIN, ""),
            ("3", HEPARIN, ""),
            ("3", "Another XXXX", sentence),  # whose passage shows the title
            ("4", HEPARIN, sentence),  # its own passage does not count
            ("text:0f", HEPARIN, ""),
        ],
    )
    assert visible(dataset, "test") == {
        "id_names_paper": 6,
        "hidden_text_in_other_question": 3,
        "hidden_text_in_other_passage": 1,
    }


def test_a_question_that_a_split_with_answers_asks_is_counted_for_every_kind(tmp_path: Path) -> None:
    given = sample("decision").instance
    change = msgspec.structs.replace
    splits = {
        "train": [change(given, id="1")],
        "test": [change(given, id="2"), change(given, id="3", question="Does salt help?")],
    }
    dataset = writing.write(tmp_path / "built", splits, {"dataset": "made", "kind": "decision"})
    assert visible(dataset, "test") == {"id_names_paper": 2, "same_question_in_other_split": 1}


def test_the_receipt_of_the_copy_has_the_counts_and_its_card_says_what_is_left_out(tmp_path: Path) -> None:
    dataset = cloze(tmp_path / "built", test=[("2", HEPARIN, ""), ("2", ASPIRIN, "")])
    found = api.withhold(dataset, tmp_path / "public")
    assert found.visible == {"id_names_paper": 2, "hidden_text_in_other_question": 2}
    assert found.dataset.receipt.choices["withheld"] == {"test": {"instances": 2, **found.visible}}
    card = (tmp_path / "public" / "README.md").read_text("utf-8")
    assert "The test split is without answers: whoever holds the dataset scores it." in card


def test_every_name_is_described() -> None:
    assert all(VISIBLE.values())
