from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from anagnosis.errors import InputError
from anagnosis.predictions import notes
from anagnosis.predictions.notes import Note, TrainingNote

NOTE = TrainingNote(epochs=18, seconds=2340.0, parameters=6_818_800)


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    path = tmp_path / "own.jsonl"
    path.write_text('{"id": "1:0", "answer": "a"}\n')
    return path


def test_a_note_lies_beside_its_predictions_with_their_hash_and_is_read_again(predictions: Path) -> None:
    note = Note(training=NOTE, view="reasoning-free")
    path = notes.write(predictions, note)
    assert path == predictions.with_name("own.run.json")
    hashed = hashlib.sha256(predictions.read_bytes()).hexdigest()
    assert json.loads(path.read_text()) == {
        "predictions_sha256": hashed,
        "view": "reasoning-free",
        "training": {
            "epochs": 18,
            "seconds": 2340.0,
            "parameters": 6_818_800,
        },
    }
    assert notes.read(predictions) == replace(note, predictions_sha256=hashed)
    assert "training" not in notes.write(predictions, Note(view="names")).read_text()


@pytest.mark.parametrize(
    ("file", "note"),
    [
        ("a.jsonl", "a.run.json"),
        ("a.b.jsonl.gz", "a.b.run.json"),
        ("a.jsonl.zst", "a.run.json"),
        ("a", "a.run.json"),
    ],
)
def test_the_note_is_called_as_the_system(file: str, note: str, tmp_path: Path) -> None:
    (tmp_path / file).write_bytes(b"1")
    assert notes.write(tmp_path / file, Note(training=NOTE)).name == note
    assert notes.read(tmp_path / file).training == NOTE


def test_without_a_note_or_predictions_nothing_is_known(predictions: Path) -> None:
    assert notes.read(predictions) == notes.read("-") == Note()
    notes.write(predictions, Note(training=NOTE))
    predictions.unlink()
    assert notes.read(predictions) == Note()


def test_a_note_of_other_predictions_is_not_believed(predictions: Path) -> None:
    other = r"own\.run\.json: it was written for other predictions than own\.jsonl"
    notes.write(predictions, Note(training=NOTE))
    predictions.write_text('{"id": "1:0", "answer": "b"}\n')
    with pytest.raises(InputError, match=other):
        notes.read(predictions)
    note, fault = notes.read_with_fault(predictions)
    assert (note, "other predictions" in fault) == (Note(), True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"predictions_sha256": "", "training": {"epochs": "many"}}',
        '{"predictions_sha256": "", "view": "locl"}',
        '{"language_model": {"model": "m", "prompts": [], "context": "full", "cut_off": "June 2024"}}',
    ],
)
def test_a_note_that_is_none_is_told_in_a_line(text: str, predictions: Path) -> None:
    predictions.with_name("own.run.json").write_text(text)
    with pytest.raises(InputError, match=r"own\.run\.json: it cannot be read \(.*delete it"):
        notes.read(predictions)


def test_what_a_run_folder_says_stands_among_its_other_facts(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(
        '{"reader": "attention-sum", "epochs": 5, "seconds": 41, "best_epoch": 4}'
    )
    assert notes.of_run(tmp_path) == Note(
        training=TrainingNote(epochs=5, seconds=41.0, reader="attention-sum")
    )
    (tmp_path / "run.json").write_text('{"finished": false}')
    assert notes.of_run(tmp_path) == Note()
    (tmp_path / "run.json").write_text('{"view": "local", "train": {"rows": 3}}')
    assert notes.of_run(tmp_path) == Note(view="local")
    (tmp_path / "run.json").write_text('{"view": "foo"}')
    with pytest.raises(InputError, match="unknown view 'foo'"):
        notes.of_run(tmp_path)


def run_folder(folder: Path, recipe: str) -> Path:
    folder.mkdir()
    (folder / "run.json").write_text(
        '{"reader": "attention-sum", "epochs": 5, "train": {"rows": 90, "unanswered": 2}}'
    )
    (folder / "recipe.toml").write_text(recipe)
    return folder


def test_runs_that_differ_in_chance_or_room_have_the_same_settings(tmp_path: Path) -> None:
    recipes = (
        "seed = 0\nhidden = 8\n",
        'hidden = 8\nseed = 7\ntokens = 99\nprecision = "bfloat16"\n',
        "hidden = 9\n",
    )
    made = [notes.of_run(run_folder(tmp_path / str(n), recipe)).training for n, recipe in enumerate(recipes)]
    settings = [each.settings for each in made if each is not None]
    assert settings[0] == settings[1] != settings[2]
    lost = run_folder(tmp_path / "lost", "hidden = 8\n")
    (lost / "recipe.toml").unlink()
    assert notes.of_run(lost) == Note(training=TrainingNote(epochs=5, instances=88, reader="attention-sum"))
