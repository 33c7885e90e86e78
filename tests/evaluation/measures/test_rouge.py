"""ROUGE beside the figures that Lin's program printed, and how files with ideal answers are scored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.golden_files import golden, ident, question
from tests.rows import each_row

from anagnosis import api
from anagnosis.cli import run
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.rouge import neighbours, rouge, words_and_pairs
from anagnosis.predictions import Answer, Prediction, write

# Recall and F1 of ROUGE-2, then of ROUGE-SU4: `ROUGE-1.5.5.pl -n 2 -2 4 -u -x -f A -p 0.5 -d -z SPL`, which rounds
# recall and precision to five digits before it takes F1.
PRINTED: list[tuple[str, list[str], tuple[float, float, float, float]]] = [
    ("a", ["a"], (0, 0, 0, 0)),
    ("", ["a b"], (0, 0, 0, 0)),
    ("a b", [""], (0, 0, 0, 0)),
    ("\u03b2-blue \u00c9 x-1 y", ["blue x 1 y z", "y"], (0.75, 0.6, 0.64286, 0.5625)),
    ("The cat's e.g. 1,25-D3", ["the cat S eg 1 25 d3"], (0.66667, 0.61539, 0.65385, 0.58621)),
    ("a b c d e f g h", ["a f", "a g", "b a"], (0, 0, 0.66667, 0.07844)),
    ("a a a b", ["a a b b"], (0.66667, 0.66667, 0.66667, 0.66667)),
]
IDEAL = ("ideal_rouge_2_recall", "ideal_rouge_2_f1", "ideal_rouge_su4_recall", "ideal_rouge_su4_f1")


@each_row(("answer", "golden_ones", "printed"), PRINTED)
def test_an_answer_has_the_figures_that_the_program_printed(
    answer: str, golden_ones: list[str], printed: tuple[float, ...]
) -> None:
    found = (*rouge(neighbours, answer, golden_ones), *rouge(words_and_pairs, answer, golden_ones))
    assert found == pytest.approx(printed, abs=1.5e-5)


@pytest.fixture
def asked(tmp_path: Path) -> Dataset:
    """Two questions with two golden paragraphs each, and one without."""
    two = ["Salt stops blue mice.", "It is salt."]
    rows = [
        question(1, "factoid", ideal_answer=two),
        question(3, "summary", ideal_answer=two),
        question(4, "yesno", ideal_answer=[]),
    ]
    folder = golden(tmp_path / "golden", {"9B5": rows})
    return api.import_dataset(folder, tmp_path / "built", layout="bioasq", split="test")


def values(dataset: Dataset, *files: Path, **options: Any) -> list[dict[str, float]]:
    found = api.score(dataset, files, **options).systems
    return [{name: own.value for name, own in each.measures.items()} for each in found]


def test_a_file_of_ideal_answers_is_scored_by_these_alone(asked: Dataset, tmp_path: Path) -> None:
    """The question without a golden paragraph counts nowhere, one without an answer counts 0."""
    write(
        tmp_path / "a.jsonl", [Prediction(ident(1), ideal="It is salt!"), Prediction(ident(4), ideal="Yes.")]
    )
    (found,) = values(asked, tmp_path / "a.jsonl")
    assert tuple(found) == IDEAL
    # Of the golden 3 + 2 pairs two are there, of 3 + 6 and 2 + 3 units five; the answer has 2 and 5 for each.
    assert list(found.values()) == pytest.approx([2 / 5 / 2, 4 / 9 / 2, 5 / 14 / 2, 10 / 24 / 2])
    results = api.score(asked, [tmp_path / "a.jsonl"])
    assert (results.systems[0].measures[IDEAL[0]].n, results.systems[0].unanswered) == (2, 1)
    named = values(asked, tmp_path / "a.jsonl", measures=(IDEAL[3],), protocol="organisers-9")
    assert named == [{IDEAL[3]: found[IDEAL[3]]}]
    assert api.evaluate(asked, [tmp_path / "a.jsonl"]).systems


def test_ideal_answers_stand_beside_exact_ones(
    asked: Dataset, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    exact = {"id": ident(1), "exact_answer": [["XYZ1"]]}
    both = {"questions": [{**exact, "ideal_answer": "It is salt."}]}
    (tmp_path / "both.json").write_text(json.dumps(both))
    (tmp_path / "exact.json").write_text(json.dumps({"questions": [exact]}))
    (found,) = values(asked, tmp_path / "both.json")
    assert found["factoid_mrr"] == 1
    assert tuple(found)[-4:] == IDEAL
    # Beside a system without ideal answers nobody asks for them.
    for each in values(asked, tmp_path / "both.json", tmp_path / "exact.json"):
        assert not {*IDEAL} & {*each}
    (thesis,) = api.protocols(asked, [tmp_path / "both.json"], draws=9).protocols[0].results
    assert not {*IDEAL} & {*thesis.systems[0].measures}
    assert run(["score", str(asked.folder), str(tmp_path / "both.json")]) == 0
    assert "ROUGE-SU4 F1" in capfd.readouterr().out
    compared = api.compare(
        asked, [tmp_path / "both.json", tmp_path / "exact.json"], measures=IDEAL[:1], draws=9
    )
    assert compared.comparisons[0].ranking[0].name == "both.json"


def test_ideal_answers_and_types_are_scored_apart(asked: Dataset, tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", [Prediction(ident(1), answers=[Answer("x")], ideal="It is salt.")])
    with pytest.raises(InputError, match="'ideal_rouge_2_f1' judges free answers, and 'accuracy' one of"):
        api.score(asked, [tmp_path / "a.jsonl"], measures=("ideal_rouge_2_f1", "accuracy"))
