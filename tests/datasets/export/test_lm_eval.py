"""Tasks for lm-evaluation-harness: what is written; tests/acceptance/test_lm_eval.py runs them."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Any

import msgspec
from tests.datasets.kinds.samples import sample
from tests.rows import each_row

from anagnosis.datasets.export.lm_eval import tasks
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds import cloze
from anagnosis.datasets.kinds.table import DECISION

if TYPE_CHECKING:
    from pathlib import Path

    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.datasets.kinds.cloze_instance import ClozeInstance

ODD = 'id "with"\n{{ choices }} \u2028 @ 7, ümläut 🙂'


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]


def stored(folder: Path, like: Dataset, **splits: list[ClozeInstance]) -> Dataset:
    return writing.write(folder, splits, like.recipe)


def test_a_question_is_the_views_with_a_blank_for_the_hidden_mention(built: Dataset, tmp_path: Path) -> None:
    _, made = tasks(built, tmp_path, "local")
    assert made.path.name == "anagnosis_biomrc_local_test.yaml"
    task, fingerprint = made.path.read_text("utf-8"), store.fingerprint(built, "test")
    assert textwrap.indent(cloze.PROMPT, "  ") in task
    for line in (
        f'    test: "{made.path.stem}.jsonl"',
        "test_split: test",
        "num_fewshot: 0",
        "  view: local",
        "  split: test",
        f'  fingerprint: "{fingerprint}"',
    ):
        assert f"\n{line}\n" in task
    for row, shown in zip(lines(made.path.with_suffix(".jsonl")), built["test"].view("local"), strict=True):
        assert row == {
            **{name: shown[name] for name in ("id", "document", "passage", "keys")},
            "question": shown["question"].replace("XXXX", "____"),
            "choices": shown["candidates"],
            "gold": shown["answer_index"],
            "dataset": fingerprint,
        }
        assert row["question"].count("____") == 1


@each_row(
    ("splits", "evaluated"),
    [(("dev", "test"), ["dev", "test"]), (("train", "test"), ["test"]), (("train",), ["train"]), ((), [])],
)
def test_a_task_is_of_train_only_where_nothing_else_is_there(
    splits: tuple[str, ...], evaluated: list[str], built: Dataset, tmp_path: Path
) -> None:
    rows = {split: list(store.instances(built, split)) for split in splits}
    written = tasks(stored(tmp_path / "d", built, **rows), tmp_path / "t", "names")
    assert [one.path.stem.rpartition("_")[2] for one in written] == evaluated


def test_what_the_harness_stumbles_over_is_counted(built: Dataset, tmp_path: Path) -> None:
    found = list(store.instances(built, "test"))[:4]
    first = found[0].candidates
    alike = (first[0], msgspec.structs.replace(first[1], names=first[0].names), *first[2:])
    found[0] = msgspec.structs.replace(found[0], candidates=alike)
    found[1] = msgspec.structs.replace(found[1], answer=None)
    found[2] = msgspec.structs.replace(
        found[2], candidates=(), answer=None, mentions=(), question_mentions=()
    )
    dataset = stored(tmp_path / "d", built, test=found)
    (made,) = tasks(dataset, tmp_path / "t", "names")
    assert made.instances == 3
    assert made.notes == {
        "candidates_written_alike": 1,
        "without_answer": 1,
        "left_out_without_candidates": 1,
    }
    rows = lines(tmp_path / "t/anagnosis_biomrc_names_test.jsonl")
    assert [row["id"] for row in rows] == [found[place].id for place in (0, 1, 3)]
    assert rows[1]["gold"] == -1


def test_a_decision_is_asked_as_lm_eval_asks_pubmedqa(tmp_path: Path) -> None:
    asked = msgspec.structs.replace(sample(DECISION).instance, id=ODD)
    recipe = {"dataset": "my, set*: [x]", "kind": DECISION}
    dataset = writing.write(tmp_path / "d", {"test": [asked]}, recipe)
    (made,) = tasks(dataset, tmp_path / "t", "reasoning-required")
    assert made.path.name == "anagnosis_my_set_x_reasoning-required_test.yaml"
    prompt = "Abstract: {{passage}}\n  Question: {{question}}\n  Answer:\n"
    assert f"doc_to_text: |-\n  {prompt}doc_to_choice: choices\n" in made.path.read_text()
    assert lines(made.path.with_suffix(".jsonl")) == [
        {
            "id": ODD,
            "document": ODD,
            "passage": "We gave tea.\nAll slept.",
            "question": "Does tea help?",
            "choices": ["yes", "no", "maybe"],
            "gold": 2,
            "keys": ["yes", "no", "maybe"],
            "dataset": store.fingerprint(dataset, "test"),
        }
    ]
