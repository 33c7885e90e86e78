"""Logs of samples of lm-evaluation-harness as predictions.

The carried log is the real package's (0.4.13), of a random GPT-2 on 30 test questions of the carried corpus in the
names view; tests/acceptance/test_lm_eval.py makes such a model and such a log. lm-eval told acc 2/30, acc_norm 3/30.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from tests.golds import Row, gold_of
from tests.predictions.matched import match
from tests.rows import each_row

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.predictions import UNANSWERED, match_files, read
from anagnosis.predictions.lm_eval import answered

(LOG,) = (Path(__file__).parents[1] / "samples/lm_eval/tiny-random-gpt2").glob("samples_*.jsonl.gz")
ROWS = [Row("1:0", ["gene/1", "gene/2", "disease/D1"], 0), Row("1:5", ["disease/D1", "gene/2"], 1)]


GOLD = gold_of(ROWS)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """The dataset that the carried log is of."""
    at = tmp_path_factory.mktemp("small")
    built = api.build("biomrc", [carried()], at / "built", recipe="biomrc-demo", workers=1)
    return api.sample(built, at / "small", settings={"train": 20, "dev": 5, "test": 30})


@pytest.fixture(scope="session")
def logged() -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(LOG.read_bytes()).splitlines()]


def sample(id: str = "1:0", keys: Any = ("gene/1", "gene/2"), found: Any = (-3.5, -2.0), **doc: Any) -> str:
    """A line as lm-eval writes it: each response is [log-likelihood, whether it was the likeliest text], as strings."""
    responses = [[str(each), "False"] for each in found] if isinstance(found, tuple) else found
    line = {
        "doc_id": 0,
        "doc": {"id": id, "choices": ["a", "b"], "gold": 0, "keys": keys, **doc},
        "target": "0",
        "arguments": {"gen_args_0": {"arg_0": "Passage: …", "arg_1": " a"}},
        "resps": [responses],
        "filtered_resps": responses,
        "filter": "none",
        "metrics": ["acc"],
        "acc": 0.0,
    }
    return json.dumps(line, ensure_ascii=False) + "\n"


def written(path: Path, *lines: str) -> Path:
    path.write_text("".join(lines), "utf-8")
    return path


def test_the_carried_log_is_worth_what_lm_eval_said(small: Dataset, logged: list[dict[str, Any]]) -> None:
    gold, (found,) = match_files([LOG], small)
    assert (gold.split, found.problems) == ("test", {})
    right = found.choice == gold.answer
    assert right.tolist() == [line["acc"] == 1.0 for line in logged]
    assert (int(right.sum()), sum(line["acc_norm"] for line in logged)) == (2, 3)
    assert (found.tied.tolist(), found.on_top.tolist()) == ([1] * 30, right.tolist())


def test_logs_and_plain_lines_may_be_mixed(tmp_path: Path) -> None:
    file = written(
        tmp_path / "mixed.jsonl",
        sample(),
        '{"id": "1:5", "answer": "gene/2", "model": "big"}\n',
        "\n",
        sample(),
        sample("9:9"),
    )
    found = match(file, GOLD)
    assert found.name == "mixed"
    assert found.choice.tolist() == [1, 1]
    assert {name: each.count for name, each in found.problems.items()} == {
        "repeated": 1,
        "unknown": 1,
        "partial_scores": 1,
        "blank": 1,
        "unknown_fields": 1,
    }


@pytest.mark.parametrize("responses", [[[-3.5, False], [-2, True]], [["-3.5"], ["-2.0", "True", "more"]]])
def test_numbers_may_be_written_as_such(responses: Any) -> None:
    found = answered(json.loads(sample(found=responses)), "")
    assert found.scores == {"gene/1": -3.5, "gene/2": -2.0}


def test_the_first_of_equal_choices_is_the_answer_as_in_lm_eval(tmp_path: Path) -> None:
    keys = ("gene/2", "gene/1", "disease/D1")
    found = match(written(tmp_path / "a.jsonl", sample(keys=keys, found=(-2.0, -2.0, -3.0))), GOLD)
    assert (found.choice[0], found.tied[0], found.on_top[0]) == (1, 2, True)


@pytest.mark.parametrize("number", ["nan", "-inf", "inf", "NaN"])
def test_a_choice_without_a_finite_number_cannot_win_and_is_counted(tmp_path: Path, number: str) -> None:
    keys = ("gene/1", "gene/2", "disease/D1")
    found = match(written(tmp_path / "a.jsonl", sample(keys=keys, found=(number, -9.0, -8.0))), GOLD)
    assert found.choice[0] == 2
    assert found.problems["partial_scores"].first == ("1:0",)
    found = match(written(tmp_path / "a.jsonl", sample(keys=keys, found=(number,) * 3)), GOLD)
    assert found.choice[0] == UNANSWERED
    assert found.problems["partial_scores"].count == 1


@each_row(
    ("line", "what"),
    [
        (sample(keys=None), r"of another task \(Expected `array`, got `null` - at `\$\.doc\.keys`\)"),
        (
            '{"doc_id": 1, "doc": {"question": "Why?"}, "filtered_resps": [["-1", "False"]]}\n',
            r"of another task \(Object missing required field `id` - at `\$\.doc`\)",
        ),
        (sample(found=["gene/1"]), r"Expected `array`, got `str` - at `\$\.filtered_resps\[0\]`"),
        (sample(found=[["a", "False"], ["-2", "False"]]), r"of another task \(could not convert"),
        (sample(found=[[], ["-2", "False"]]), "of another task"),
        (sample(found=(-1.0,)), "with 1 responses for 2 candidates"),
        ('{"filtered_resps": [], "id": "a"}\n', "the field 'answer' is missing"),
        ('[{"doc": {}, "filtered_resps": []}]\n', "Expected `object`"),
    ],
)
def test_a_line_that_is_no_sample_of_ours_is_refused_in_one_line(
    tmp_path: Path, line: str, what: str
) -> None:
    file = written(tmp_path / "log.jsonl", sample(), line)
    with pytest.raises(InputError, match=rf"^log\.jsonl:2: .*{what}") as told:
        list(read(file))
    assert "\n" not in str(told.value)
