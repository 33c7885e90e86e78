"""Answers as a view shows them: right ones score 100 %, and nobody reads tokens whose view is not known."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.evidence_sets import scifact
from tests.golden_files import golden, question, questions
from tests.refusals import refused
from tests.rows import each_row

from anagnosis import api
from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.datasets.folder.store import Dataset, instances
from anagnosis.datasets.kinds.table import each_kind
from anagnosis.errors import InputError
from anagnosis.evaluation.protocols import SCORING
from anagnosis.predictions import Prediction, match_files, write, write_by_id
from anagnosis.predictions.notes import Note, TrainingNote
from anagnosis.predictions.notes import write as write_note
from anagnosis.submissions.matched import people_view

VIEWS = [(kind.name, view) for kind in each_kind() for view in kind.views]


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Dataset]]:
    """Kind → datasets of the bundled corpus, of original and of replaced texts, with global and with local numbers."""
    at = tmp_path_factory.mktemp("datasets")
    made = {
        "biomrc": api.build("biomrc", [carried()], at / "biomrc", recipe="biomrc-demo", workers=1),
        "pubmedqa": api.build("pubmedqa", [carried("medline")], at / "pubmedqa", workers=1),
    }
    for setting in ("A", "B"):
        api.export(made["biomrc"], at / f"files-{setting}", setting=setting)
        made[setting] = api.import_dataset(at / f"files-{setting}", at / setting, setting=setting)
    api.annotate(
        [carried("jats")], at / "annotated.jsonl", terms=[carried("terms-tsv")], full_text=True, workers=1
    )
    windows = api.build("bioread", [at / "annotated.jsonl"], at / "bioread", recipe="bioread-demo", workers=1)
    return {"cloze": [made["biomrc"], made["A"], made["B"], windows], "decision": [made["pubmedqa"]]}


def rows_of(dataset: Dataset, view: str, out: Path) -> dict[str, list[dict[str, Any]]]:
    """The exported rows of each split; none where the dataset does not have what the view shows."""
    try:
        api.export(dataset, out, layout="jsonl", view=view)
    except InputError:
        return {}
    return {path.stem: [json.loads(row) for row in path.open()] for path in out.glob("*.jsonl")}


def answers(rows: Iterable[dict[str, Any]], path: Path) -> Path:
    path.write_text("".join(json.dumps({"id": row["id"], "answer": row["answer"]}) + "\n" for row in rows))
    return path


@each_row(("kind", "view"), VIEWS)
def test_the_exported_answers_are_all_right(
    kind: str, view: str, datasets: dict[str, list[Dataset]], tmp_path: Path
) -> None:
    tried = 0
    for number, dataset in enumerate(datasets.get(kind, [])):
        for split, rows in rows_of(dataset, view, tmp_path / str(number)).items():
            path = answers(rows, tmp_path / "answers.jsonl")
            write_note(path, Note(view=view))
            gold, (found,) = match_files([path], dataset, split)
            assert np.array_equal(found.choice, gold.answer), (dataset.folder, split)
            assert not found.problems
            tried += 1
    assert tried or kind in ("evidence", "question"), "its rows have no answer"


@each_row("written", ["as sentences", "as keys"])
def test_sentences_that_hold_the_answer_are_right_without_scores(written: str, tmp_path: Path) -> None:
    source = scifact(tmp_path / "scifact")
    dataset = api.import_dataset(source, tmp_path / "built", layout="scifact", setting="train")
    rows = rows_of(dataset, "sentences", tmp_path / "rows")["train"]
    given = [
        {"id": row["id"], "answer": row["sentences"][place] if "sentences" in written else str(place)}
        for row in rows
        for place in [row["held"].index(True)]
    ]
    found = api.score(dataset, [answers(given, tmp_path / "a.jsonl")], split="train").systems[0]
    assert found.measures["best_sentence"].value == 1
    assert not found.problems


def test_the_gold_of_a_question_s_views_is_all_right(tmp_path: Path) -> None:
    folder = golden(tmp_path / "golden", {"9B5": [*questions(8), question(9, "yesno", exact_answer="no")]})
    dataset = api.import_dataset(folder, tmp_path / "built", layout="bioasq", split="test")
    for view, wanted in (
        ("question-type", ["accuracy", "macro_f1"]),
        ("snippets", [*SCORING["question"].free_measures]),
    ):
        rows = rows_of(dataset, view, tmp_path / view)["test"]
        path = tmp_path / f"{view}.jsonl"
        answers([row | {"answer": right_answer(row, view)} for row in rows if right_answer(row, view)], path)
        found = api.score(dataset, [path]).systems[0].measures
        assert {name: own.value for name, own in found.items()} == dict.fromkeys(wanted, 1.0)


def right_answer(row: dict[str, Any], view: str) -> Any:
    return row["type"] if view == "question-type" else [entry[0] for entry in row["exact"] or ()]


@pytest.fixture
def local(datasets: dict[str, list[Dataset]], tmp_path: Path) -> tuple[str, str]:
    """(a dataset, its right answers in the local view, of which nobody knows the view)."""
    dataset = datasets["cloze"][0]
    rows = rows_of(dataset, "local", tmp_path / "local")["test"]
    return str(dataset.folder), str(answers(rows, tmp_path / "a.jsonl"))


def test_a_view_of_another_kind_is_refused_with_the_names_of_the_dataset_s_kind(
    local: tuple[str, str], capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    dataset, file = local
    for command in (
        ["score", dataset, f"a@snippets={file}"],
        ["score", dataset, file, "--view", "snippets"],
        ["agreement", dataset, file, "--view", "snippets"],
        ["export", dataset, "--layout", "jsonl", "--view", "snippets", "--out", str(tmp_path / "out")],
    ):
        assert re.search(r"unknown view 'snippets'; known: anonymous, ", refused(command, capfd))


def test_tokens_are_read_once_their_view_is_named(
    local: tuple[str, str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    dataset, file = local
    lines = [{**json.loads(line), "annotator": "Ann"} for line in Path(file).read_text().splitlines()]
    people = tmp_path / "people.jsonl"
    people.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for command, given in (("score", file), ("compare", file), ("report", file), ("agreement", str(people))):
        line = refused([command, dataset, given], capfd)
        assert "a.jsonl: each view has another entity" in line or "people.jsonl: each view" in line
        assert "such as '@entity2'; name theirs: --view VIEW, NAME@VIEW=FILE" in line
    for words in ((file, "--view", "local"), (f"a@local={file}",)):
        assert run(["score", dataset, *words, "--json"]) == 0
        assert json.loads(capfd.readouterr().out)["systems"][0]["measures"]["accuracy"]["value"] == 1
    assert run(["agreement", dataset, str(people), "--view", "local", "--json"]) == 0
    assert run(["show", dataset, file, "--instance", lines[0]["id"], "--view", "local"]) == 0
    assert "wrong" not in capfd.readouterr().err
    two = tmp_path / "two.jsonl"
    two.write_text(people.read_text() + people.read_text().replace('"Ann"', '"Bob"'))
    assert "answers of 2 annotators (Ann, Bob)" in refused(["score", dataset, f"a@local={two}"], capfd)
    named = refused(["score", dataset, file, "--view", "names"], capfd)
    assert "a.jsonl: 62 of its 62 answers are no candidate's text" in named, "nor are they numbers"


def test_people_of_two_views_are_refused_though_their_files_have_one_name(tmp_path: Path) -> None:
    files = [tmp_path / view / "ann.jsonl" for view in ("local", "names")]
    for file in files:
        file.parent.mkdir()
        file.write_text('{"id": "1:0", "answer": null}\n')
        write_note(file, Note(view=file.parent.name))
    with pytest.raises(InputError, match="the people answered in different views"):
        people_view(files)


@pytest.mark.parametrize(("wrong", "is_refused"), [(31, False), (32, True)])
def test_more_than_half_of_the_answers_name_a_candidate(
    wrong: int, is_refused: bool, datasets: dict[str, list[Dataset]], tmp_path: Path
) -> None:
    dataset = datasets["cloze"][0]
    rows = rows_of(dataset, "names", tmp_path / "names")["test"]
    changed = [
        {**row, "answer": f"nobody {number}" if number < wrong else row["answer"]}
        for number, row in enumerate(rows)
    ]
    path = answers(changed, tmp_path / "a.jsonl")
    if is_refused:
        words = r"32 of its 62 answers are no candidate's .*\(the first is 'nobody 0'\); answer with the keys"
        for verb in (api.score, api.compare, api.evaluate):
            with pytest.raises(InputError, match=words):
                verb(dataset, [path, path])
            assert verb(dataset, [path, path], keep_unmatched=True).views
        kept = api.score(dataset, [path], keep_unmatched=True).systems[0]
        assert kept.measures["accuracy"].value == 30 / 62
        assert kept.problems["unmapped"].count == 32
        write_note(path, Note(untrained=True))  # a command of ours wrote it
    assert match_files([path], dataset, "test")[1][0].problems["unmapped"].count == wrong


@pytest.mark.parametrize("written_by", ["predict", "predict --by-id", "a person"])
def test_keys_that_are_tokens_are_read_as_keys(
    written_by: str, datasets: dict[str, list[Dataset]], tmp_path: Path
) -> None:
    """In files of Setting B a key is a token, which another view shows for another candidate."""
    dataset = datasets["cloze"][2]
    path = tmp_path / "a.jsonl"
    lines = [
        Prediction(
            each.id, keys[each.answer or 0], None if "by" in written_by[8:] else dict.fromkeys(keys, 0.5)
        )
        for each in instances(dataset, "test")
        for keys in [dataset.kind.keys(each)]
    ]
    (write_by_id if written_by == "predict --by-id" else write)(path, lines)
    if written_by != "a person":
        write_note(path, Note(training=TrainingNote(epochs=1), view="anonymous"))
    gold, (found,) = match_files([path], dataset, "test", view="anonymous")
    assert np.array_equal(found.choice, gold.answer)
    assert not found.problems
