"""Tasks for lm-evaluation-harness: what is written; tests/acceptance/test_lm_eval.py runs them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.rows import each_row

from anagnosis.datasets.export.lm_eval import tasks
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds import cloze
from anagnosis.datasets.kinds.cloze_views import VIEWS, view
from anagnosis.datasets.kinds.decision import ContextSection, DecisionInstance

if TYPE_CHECKING:
    from pathlib import Path

    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.datasets.kinds.cloze_instance import ClozeInstance

ODD = 'id "with"\n{{ choices }} \u2028 @ 7, ümläut 🙂'


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]


def stored(folder: Path, like: Dataset, **splits: list[ClozeInstance]) -> Dataset:
    return writing.write(folder, splits, like.recipe)


@each_row("name", sorted(VIEWS))
def test_a_question_is_the_views_with_a_blank_for_the_hidden_mention(
    name: str, built: Dataset, tmp_path: Path
) -> None:
    tasks(built, tmp_path, name)
    rows = lines(tmp_path / f"anagnosis_biomrc_{name}_test.jsonl")
    assert len(rows) == built.sizes["test"]
    for row, instance in zip(rows, store.instances(built, "test"), strict=True):
        shown = view(instance, name, built.text_form, numbering=built.numbering)
        assert row == {
            "id": instance.id,
            "document": instance.document,
            "passage": shown.passage,
            "question": shown.question.replace("XXXX", "____"),
            "choices": list(shown.candidates),
            "gold": instance.answer,
            "keys": [candidate.key for candidate in instance.candidates],
            "dataset": store.fingerprint(built, "test"),
        }
        assert row["question"].count("____") == 1


def test_a_task_says_its_files_its_view_and_its_fingerprint(built: Dataset, tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")

    class Loader(yaml.SafeLoader):
        pass

    Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))
    tasks(built, tmp_path, "local")
    task = yaml.load((tmp_path / "anagnosis_biomrc_local_test.yaml").read_text("utf-8"), Loader)
    assert task["task"] == "anagnosis_biomrc_local_test"
    assert task["dataset_kwargs"]["files"] == {"test": "anagnosis_biomrc_local_test.jsonl"}
    assert (task["test_split"], task["num_fewshot"]) == ("test", 0)
    assert task["doc_to_text"] == cloze.PROMPT
    assert [each["metric"] for each in task["metric_list"]] == ["acc", "acc_norm"]
    assert task["metadata"] == {
        "version": 1,
        "dataset": "biomrc",
        "view": "local",
        "split": "test",
        "fingerprint": store.fingerprint(built, "test"),
    }


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
    count, notes = made.instances, made.notes
    assert (count, notes) == (
        3,
        {"candidates_written_alike": 1, "without_answer": 1, "left_out_without_candidates": 1},
    )
    rows = lines(tmp_path / "t/anagnosis_biomrc_names_test.jsonl")
    assert [row["id"] for row in rows] == [found[place].id for place in (0, 1, 3)]
    assert rows[1]["gold"] == -1


def test_odd_ids_stay_as_they_are_and_odd_names_of_datasets_do_not(built: Dataset, tmp_path: Path) -> None:
    odd = [msgspec.structs.replace(next(store.instances(built, "test")), id=ODD)]
    dataset = writing.write(tmp_path / "d", {"test": odd}, {**built.recipe, "dataset": "my, set*: [x]"})
    path = tasks(dataset, tmp_path / "t", "names")[0].path
    assert path.name == "anagnosis_my_set_x_names_test.yaml"
    assert [row["id"] for row in lines(path.with_suffix(".jsonl"))] == [ODD]


@pytest.mark.parametrize(
    ("name", "passage", "prompt"),
    [
        ("reasoning-required", "One.\nTwo.", "Abstract: {{passage}}\n  Question: {{question}}\n  Answer:\n"),
        ("reasoning-free", "So be it.", "Conclusion: {{passage}}\n  Question: {{question}}\n  Answer:\n"),
        ("question-only", "", "Question: {{question}}\n  Answer:\n"),
    ],
)
def test_a_decision_is_asked_as_lm_eval_asks_pubmedqa(
    name: str, passage: str, prompt: str, tmp_path: Path
) -> None:
    sections = (ContextSection("AIM", "One."), ContextSection("", "Two."))
    asked = DecisionInstance("7", "Does tea help?", sections, "So be it.", "maybe")
    withheld = DecisionInstance("8", "Does salt?", sections, "So be it.", None)
    splits = {"train": [asked, withheld], "test": [withheld, asked]}
    dataset = writing.write(tmp_path / "d", splits, {"dataset": "x", "kind": "decision"})
    (made,) = tasks(dataset, tmp_path / "t", name)
    path, count, notes = made.path, made.instances, made.notes
    assert (count, notes) == (2, {"without_answer": 1})
    assert f"doc_to_text: |-\n  {prompt}doc_to_choice: choices\n" in path.read_text()
    rows = lines(tmp_path / "t" / f"anagnosis_x_{name}_test.jsonl")
    assert rows[1] == {
        "id": "7",
        "document": "7",
        "passage": passage,
        "question": "Does tea help?",
        "choices": ["yes", "no", "maybe"],
        "gold": 2,
        "keys": ["yes", "no", "maybe"],
        "dataset": store.fingerprint(dataset, "test"),
    }
