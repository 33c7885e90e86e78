"""Answers as a view shows them: right ones score 100 %, and nobody reads them in another view."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
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
from anagnosis.predictions import Prediction, match, match_files, write
from anagnosis.predictions.lines import write_by_id
from anagnosis.predictions.notes import Note, TrainingNote, Writing
from anagnosis.predictions.notes import write as write_note

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


def evidence(folder: Path) -> Dataset:
    source = scifact(folder.parent / "scifact")
    return api.import_dataset(source, folder, layout="scifact", setting="train")


def rows_of(dataset: Dataset, view: str, out: Path) -> dict[str, list[dict[str, Any]]]:
    """The exported rows of each split; none where the dataset does not have what the view shows."""
    try:
        api.export(dataset, out, layout="jsonl", view=view)
    except InputError:
        return {}
    return {path.stem: [json.loads(row) for row in path.open()] for path in out.iterdir()}


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
    dataset = evidence(tmp_path / "built")
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
    folder = golden(tmp_path / "golden", b9B5=[*questions(8), question(9, "yesno", exact_answer="no")])
    dataset = api.import_dataset(folder, tmp_path / "built", layout="bioasq", split="test")
    for view, wanted in (
        ("question-type", ["accuracy", "macro_f1"]),
        ("snippets", [*dataset.kind.free_measures]),
    ):
        rows = rows_of(dataset, view, tmp_path / view)["test"]
        path = tmp_path / f"{view}.jsonl"
        answers([row | {"answer": right_answer(row, view)} for row in rows if right_answer(row, view)], path)
        found = api.score(dataset, [path]).systems[0].measures
        assert {name: own.value for name, own in found.items()} == dict.fromkeys(wanted, 1.0)


def right_answer(row: dict[str, Any], view: str) -> Any:
    return row["type"] if view == "question-type" else [entry[0] for entry in row["exact"] or ()]


@each_row("layout", ["jsonl", "parquet", "lm-eval"])
def test_a_view_that_only_readers_of_another_kind_see_is_not_exported(
    layout: str, datasets: dict[str, list[Dataset]], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="unknown view 'snippets'; known: anonymous"):
        api.export(datasets["cloze"][0], tmp_path / "out", layout=layout, view="snippets")


def test_a_view_of_another_kind_is_refused_with_the_names_of_the_dataset_s_kind(
    local: tuple[str, str], capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    dataset, file = local
    for command in (
        ["score", dataset, f"a@snippets={file}"],
        ["score", dataset, file, "--view", "snippets"],
        ["agreement", dataset, file, "--view", "snippets"],
    ):
        line = refused(command, capfd)
        assert re.search(r"(a@snippets|--view): unknown view 'snippets'; known: anonymous, ", line)
        assert "question-type" not in line
    for call in (
        lambda: api.write_predictions(tmp_path / "own.jsonl", dataset, {}, view="snippets"),
        lambda: api.hard_subset(dataset, tmp_path / "hard", view="snippets"),
    ):
        with pytest.raises(InputError, match="unknown view 'snippets'; known: anonymous, "):
            call()
    assert [each.name for each in tmp_path.iterdir() if each.name in ("own.jsonl", "hard")] == []


@pytest.fixture
def local(datasets: dict[str, list[Dataset]], tmp_path: Path) -> tuple[str, str]:
    """(a dataset, its right answers in the local view, of which nobody knows the view)."""
    dataset = datasets["cloze"][0]
    rows = rows_of(dataset, "local", tmp_path / "local")["test"]
    return str(dataset.folder), str(answers(rows, tmp_path / "a.jsonl"))


def test_a_file_of_another_view_is_refused_until_the_view_is_named(
    local: tuple[str, str], capfd: pytest.CaptureFixture[str]
) -> None:
    dataset, file = local
    for command in ("score", "compare", "report"):
        line = refused([command, dataset, file], capfd)
        assert (
            "a.jsonl: 62 of its 62 answers such as '@entity2' name candidates in the view local or anon"
            in line
        )
        assert "62 are right in the view local, and " in line
        assert "; name it: --view local, NAME@local=FILE" in line
    assert run(["score", dataset, file, "--view", "local", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["systems"][0]["measures"]["accuracy"]["value"] == 1


def test_systems_of_several_views_are_compared(
    local: tuple[str, str],
    datasets: dict[str, list[Dataset]],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    dataset, file = local
    named = answers(rows_of(datasets["cloze"][0], "names", tmp_path / "names")["test"], tmp_path / "n.jsonl")
    assert run(["score", dataset, f"bert@local={file}", f"gpt@names={named}", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)["systems"]
    assert [(own["name"], own["view"], own["measures"]["accuracy"]["value"]) for own in found] == [
        ("bert", "local", 1),
        ("gpt", "names", 1),
    ]
    assert "unknown view 'loc'; did you mean local?" in refused(["score", dataset, f"a@loc={file}"], capfd)
    assert "no name before =" in refused(["score", dataset, f"@local={file}"], capfd)
    write_note(file, Note(view="local"))
    assert "a saw the local view, not names" in refused(["score", dataset, f"a@names={file}"], capfd)


def test_answers_by_the_numbers_of_the_dataset_are_read_as_such(
    datasets: dict[str, list[Dataset]], tmp_path: Path
) -> None:
    dataset = datasets["cloze"][0]
    path = answers(rows_of(dataset, "global", tmp_path / "global")["test"], tmp_path / "a.jsonl")
    gold, (found,) = match_files([path], dataset, "test")
    assert np.array_equal(found.choice, gold.answer)
    assert found.problems["from_number"].count == len(gold)


def some_wrong(wrong: int) -> Callable[[int, dict[str, Any]], dict[str, Any]]:
    return lambda number, row: {**row, "answer": f"nobody {number}"} if number < wrong else row


@pytest.mark.parametrize(("wrong", "is_refused"), [(31, False), (32, True)])
def test_more_than_half_of_the_answers_name_a_candidate(
    wrong: int, is_refused: bool, datasets: dict[str, list[Dataset]], tmp_path: Path
) -> None:
    dataset = datasets["cloze"][0]
    rows = rows_of(dataset, "names", tmp_path / "names")["test"]
    changed = map(some_wrong(wrong), range(len(rows)), rows)
    path = answers(changed, tmp_path / "a.jsonl")
    if is_refused:
        words = (
            r"32 of its 62 answers are no candidate's text.*the first is 'nobody 0'.*; answer with the keys"
        )
        with pytest.raises(InputError, match=words):
            match_files([path], dataset, "test")
        for verb in (api.score, api.compare, api.evaluate):
            with pytest.raises(InputError, match="`score --keep-unmatched` counts them as wrong"):
                verb(dataset, [path, path])
            assert verb(dataset, [path, path], keep_unmatched=True).views
        kept = api.score(dataset, [path], keep_unmatched=True).systems[0]
        assert kept.measures["accuracy"].value == 30 / 62
        assert kept.problems["unmapped"].count == 32
    else:
        assert match_files([path], dataset, "test")[1][0].problems["unmapped"].count == 31


def test_a_file_in_another_view_than_the_named_one_is_refused_with_the_likely_one(
    local: tuple[str, str], capfd: pytest.CaptureFixture[str]
) -> None:
    line = refused(["score", *local, "--view", "names"], capfd)
    assert "62 of its 62 answers such as '@entity2' name candidates in the view local or anonymous" in line
    assert "as the view names" in line


@each_row(
    ("numbering", "written", "read", "wrong", "named"),
    [
        ("original", "local", "anonymous", 0, "local"),
        ("original", "local", "anonymous-title-last", 25, "local"),
        ("original", "anonymous", "local", 25, "anonymous"),
        ("original", "anonymous", None, 0, "anonymous"),
        ("original", "local", "anonymous", 58, None),  # a weak system: chance decides which view is better
        ("original", "local", "local", 58, None),
        ("B", "anonymous", None, 0, "anonymous"),  # keys of Setting B are tokens too
        ("B", "anonymous", "local", 25, "anonymous"),
    ],
)
def test_the_view_with_the_same_tokens_that_fits_best_is_named(
    numbering: str,
    written: str,
    read: str | None,
    wrong: int,
    named: str | None,
    datasets: dict[str, list[Dataset]],
    tmp_path: Path,
) -> None:
    dataset = datasets["cloze"][{"original": 0, "B": 2}[numbering]]
    rows = rows_of(dataset, written, tmp_path / "rows")["test"]
    turned = [{**row, "answer": row["candidates"][row["answer_index"] - 1]} for row in rows[:wrong]]
    path = answers([*turned, *rows[wrong:]], tmp_path / "a.jsonl")
    if named is None:
        assert len(match_files([path], dataset, "test", view=read)[1]) == 1
        return
    with pytest.raises(InputError, match=f"in the view {named}") as refusal:
        match_files([path], dataset, "test", view=read)
    assert f": --view {named}, NAME@" in str(refusal.value) or f": --view {named} or" in str(refusal.value)
    kept = api.score(dataset, [path], view=read, keep_unmatched=True).systems[0]
    right = api.score(dataset, [path], view=named).systems[0]
    assert right.measures["accuracy"].value == 1 - wrong / len(rows) > kept.measures["accuracy"].value


def test_answers_by_number_with_a_wrong_view_are_refused(
    datasets: dict[str, list[Dataset]], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    dataset = datasets["cloze"][0]
    file = answers(rows_of(dataset, "global", tmp_path / "global")["test"], tmp_path / "a.jsonl")
    line = refused(["score", str(dataset.folder), str(file), "--view", "local"], capfd)
    assert "name candidates in the view global, and " in line
    assert "as the view local; name it: --view global, NAME@global=FILE" in line


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


def test_people_s_answers_are_read_in_the_named_view_too(
    local: tuple[str, str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    dataset, file = local
    lines = [{**json.loads(line), "annotator": "Ann"} for line in Path(file).read_text().splitlines()]
    people = tmp_path / "people.jsonl"
    people.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert "in the view local or anonymous" in refused(["agreement", dataset, str(people)], capfd)
    assert run(["agreement", dataset, str(people), "--view", "local", "--json"]) == 0
    ident = lines[0]["id"]
    assert run(["show", dataset, file, "--instance", ident, "--view", "local"]) == 0
    assert "wrong" not in capfd.readouterr().err


def test_free_texts_that_a_command_of_ours_wrote_are_scored(
    datasets: dict[str, list[Dataset]], tmp_path: Path
) -> None:
    """As of the language model of CliCR, which answers with an entity of train."""
    dataset = datasets["cloze"][0]
    rows = rows_of(dataset, "names", tmp_path / "names")["test"]
    path = answers(map(some_wrong(60), range(len(rows)), rows), tmp_path / "a.jsonl")
    write_note(path, Note(untrained=True))
    assert match_files([path], dataset, "test")[1][0].problems["unmapped"].count == 60


def test_answers_left_open_do_not_count(datasets: dict[str, list[Dataset]], tmp_path: Path) -> None:
    dataset = datasets["cloze"][0]
    rows = rows_of(dataset, "names", tmp_path / "names")["test"]
    path = answers([{**rows[0], "answer": "nobody"}, rows[1]], tmp_path / "a.jsonl")
    with path.open("a") as stream:
        stream.writelines(json.dumps({"id": row["id"], "answer": None}) + "\n" for row in rows[2:])
    gold, (found,) = match_files([path], dataset, "test")
    assert found.problems["unmapped"].count == 1
    assert match(path, gold, writing=Writing("names")).choice.tolist()[:2] == [-2, gold.answer[1]]
