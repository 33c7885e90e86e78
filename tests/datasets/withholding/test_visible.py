"""What a public copy shows all the same: counted by hand on titles of which is known what they hide."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.datasets.kinds.samples import sample
from tests.rows import each_row

from anagnosis import api
from anagnosis.datasets.folder import writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.withholding.visible import VISIBLE, fills, surrounds, visible

TITLE = "Effect of heparin and aspirin on asthma in trials of heparin"


def hiding(start: int, end: int) -> str:
    return f"{TITLE[:start]}XXXX{TITLE[end:]}"


HEPARIN, ASPIRIN, LAST = hiding(10, 17), hiding(22, 29), hiding(53, 60)


@each_row(
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
