"""Answers from a notebook, written for any system."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.golden_files import golden, questions
from tests.rows import each_row

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.predictions import Prediction

ANSWERS = {
    "a key": lambda row: row["keys"][row["answer_index"]],
    "a text": lambda row: row["answer"],
    "a text of numpy": lambda row: np.str_(row["answer"]),
    "scores of numpy": lambda row: {
        np.str_(key): np.float32(key == row["keys"][row["answer_index"]]) for key in row["keys"]
    },
    "scores": lambda row: {key: float(n == row["answer_index"]) for n, key in enumerate(row["keys"])},
    "a prediction": lambda row: Prediction("", np.str_(row["answer"])),
}


@each_row("of", sorted(ANSWERS))
def test_right_answers_of_every_form_score_100_percent(of: str, dataset: Dataset, tmp_path: Path) -> None:
    answers = {row["id"]: ANSWERS[of](row) for row in dataset["test"].view("local")}
    view = "local" if of in ("a text", "a text of numpy", "a prediction") else None
    path = tmp_path / "own.jsonl.gz"
    assert api.write_predictions(path, dataset, answers, view=view) == len(answers) == 62
    (found,) = api.score(dataset, [path]).systems
    assert (found.estimate.value, found.split, found.view) == (1.0, "test", view)
    with pytest.raises(InputError, match=r"own\.jsonl\.gz: is there already"):
        api.write_predictions(path, dataset, answers, view=view)


def test_an_instance_that_could_not_be_answered_is_null(dataset: Dataset, tmp_path: Path) -> None:
    ident = next(iter(dataset["dev"])).id
    api.write_predictions(tmp_path / "a.jsonl", dataset, {ident: None})
    assert json.loads((tmp_path / "a.jsonl").read_text())["answer"] is None


@each_row(
    ("answers", "fault"),
    [
        ({"nobody": "x"}, "1 of 1 ids are of no instance, such as 'nobody'; take the ids of its instances"),
        (
            {"TEST": "x", "DEV": "y"},
            r"the ids lie in several splits \(1 in dev, 1 in test\); write a file for",
        ),
        (
            {"TEST": 3.5},
            r"Expected `str \| array \| null`, got `float` - at `\$\.answer`; give a text, texts, scores or",
        ),
        ({"TEST": float("nan")}, "got `float`"),
        ({"TEST": {"a": "b"}}, "could not convert string to float: 'b'"),
        (
            {"TEST": {"a": float("nan")}},
            r"answers\['.*'\]: the score of a is nan; a score is a finite number",
        ),
        ({"TEST": np.int64(2)}, r"Expected `str \| array \| null`, got `int` - at `\$\.answer`"),
        (
            {"TEST": {"a", "b"}},
            r"it has no order, or holds nothing; give a text, texts, scores or None",
        ),
        ({"TEST": {}}, r"answers\['.*'\]: it has no order, or holds nothing"),
        (
            {"TEST": "no such thing"},
            r"answers\['.*'\]: 'no such thing' is no candidate's text, key, number or ",
        ),
        (
            {"TEST": ["no such thing", "x"]},
            "is no candidate's text, key, number or name; name one, such",
        ),
        ({"TEST": {"no/such:key": 2, "x": 1}}, "'no/such:key' is no candidate's text"),
        ({"TEST": np.str_("@entity9999")}, "'@entity9999' is no candidate's text"),
    ],
)
def test_what_is_no_answer_is_refused_and_nothing_is_written(
    answers: dict[str, Any], fault: str, dataset: Dataset, tmp_path: Path
) -> None:
    ids = {split.upper(): next(iter(dataset[split])).id for split in dataset}
    given = {ids.get(name, name): answer for name, answer in answers.items()}
    with pytest.raises(InputError, match=fault):
        api.write_predictions(tmp_path / "own.jsonl", dataset, given)
    assert not [*tmp_path.iterdir()]


def test_a_label_that_is_none_is_refused_and_a_free_text_is_not(tmp_path: Path) -> None:
    decisions = api.build("pubmedqa", [carried("medline")], tmp_path / "pubmedqa", workers=1)
    ident = decisions["train"][0].id
    with pytest.raises(InputError, match=r"'perhaps' is no candidate's text, key, number or name; .* 'yes'"):
        api.write_predictions(tmp_path / "a.jsonl", decisions, {ident: "perhaps"})
    asked = golden(tmp_path / "golden", b9B5=questions(1))
    experts = api.import_dataset(asked, tmp_path / "bioasq", layout="bioasq", split="test")
    assert api.write_predictions(tmp_path / "b.jsonl", experts, {experts["test"][0].id: "perhaps"}) == 1
