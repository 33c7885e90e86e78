"""Replicates of seeds: a run folder each, resumed, extended and replaced; which files a training calls its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.training.conftest import Interrupt, recipe

from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.io.folders import PHASE_FOLDERS, REPLICATES
from anagnosis.training import phases, run_files
from anagnosis.training.run_files import claim_several, foreign, remove
from anagnosis.training.runs.run import Replicates, load, load_run
from anagnosis.training.train import train, train_replicates


def test_each_seed_is_a_run_of_the_folder(cues: Dataset, tmp_path: Path) -> None:
    first = train_replicates(recipe(epochs=1), cues, tmp_path, "seed", 1, device="cpu")
    made = train_replicates(recipe(epochs=1), cues, tmp_path, "seed", 3, device="cpu")
    assert made.runs[0] == first.runs[0]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["seed-0", "seed-1", "seed-2", "seeds.json"]
    found = load(tmp_path)
    assert isinstance(found, Replicates)
    assert found == made
    assert [run.config.seed for run in found.runs] == [0, 1, 2]
    assert len({run.facts.weights for run in found.runs}) == 3
    assert json.loads((tmp_path / "seeds.json").read_bytes()) == {"seeds": [0, 1, 2]}
    fewer = train_replicates(recipe(epochs=1), cues, tmp_path, "seed", 1, device="cpu")
    assert len(fewer.runs) == 1
    assert load_run(tmp_path / "seed-1") == made.runs[1], "without --replace nothing goes"
    other = train_replicates(
        recipe(epochs=1, rate=0.01), cues, tmp_path, "seed", 2, device="cpu", replace=True
    )
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["seed-0", "seed-1", "seeds.json"]
    assert load(tmp_path) == other


def test_interrupted_seeds_go_on_where_they_were(cues: Dataset, tmp_path: Path, interrupt: Interrupt) -> None:
    steps = interrupt(30)
    given = recipe(epochs=1, tokens=10**6)
    with pytest.raises(KeyboardInterrupt):
        train_replicates(given, cues, tmp_path, "seed", 2, device="cpu")
    with pytest.raises(InputError, match="not all of its seeds are finished"):
        load(tmp_path)
    first = load_run(tmp_path / "seed-0")
    steps[0] = 100
    made = train_replicates(given, cues, tmp_path, "seed", 2, device="cpu")
    assert steps[0] == 100 + 19, "the finished seed was left alone"
    assert made.runs[0] == first


def test_a_folder_of_something_else_is_refused(cues: Dataset, tmp_path: Path) -> None:
    train(recipe(epochs=1), cues, tmp_path / "run", device="cpu")
    (tmp_path / "thesis.tex").write_text("mine")
    for out, what in ((tmp_path / "run", "single run"), (tmp_path, r"other files \(run, thesis.tex\)")):
        with pytest.raises(InputError, match=f"holds .*{what}"):
            train_replicates(recipe(epochs=1), cues, out, "seed", 2, device="cpu")


# --- which files are a training's ------------------------------------------------------------------


def run_in(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text('{"reader": "shallow-features", "files": {"vocabulary.json": "0a"}}')
    for name in (run_files.RECIPE, run_files.WEIGHTS, *names):
        (folder / name).touch()
    return folder


def test_folders_know_the_phases_and_members_of_a_training() -> None:
    assert set(phases.NAMES) == set(PHASE_FOLDERS)
    assert all(run_files.MEMBER.fullmatch(f"{what}-0") for what in REPLICATES)


def test_the_files_that_the_runs_reader_saved_are_ours_and_others_are_not(tmp_path: Path) -> None:
    of_later = "pseudo-labels-0123456789abcdef.json"
    run = run_in(tmp_path / "run", "vocabulary.json", of_later, ".run.json.x.part", "phase_scores.json")
    assert not [*foreign(run)]
    (run / "features.json").touch()
    (run / "seed-0").mkdir()
    assert [*foreign(run)] == ["features.json", "seed-0"]
    unfinished = tmp_path / "unfinished"
    (unfinished / "checkpoint").mkdir(parents=True)
    for name in ("checkpoint/vocabulary.json", "vocabulary.json", "history.jsonl", "thesis.tex"):
        (unfinished / name).touch()
    assert [*foreign(unfinished)] == ["thesis.tex"]


def test_several_hold_their_members_and_a_single_run_holds_no_other(tmp_path: Path) -> None:
    several = tmp_path / "several"
    run_in(several / "seed-0")
    run_in(several / "seed-1", "thesis.tex")
    (several / "seed-2").mkdir()
    (several / "seed-2" / "notes").touch()
    (several / "seed-4").mkdir()  # as a start on a full disk leaves it
    (several / "seeds.json").touch()
    assert [*foreign(several)] == ["seed-1/thesis.tex", "seed-2/notes"]
    with pytest.raises(InputError, match=r"other files \(seed-1/thesis\.tex, seed-2/notes\)"):
        claim_several(several, "seed", replace=True)
    with pytest.raises(InputError, match=r"other files \(seed-0, .* 4 more\)"):
        claim_several(several, "fold", replace=True)
    assert (several / "seed-0" / "run.json").exists()
    run_in(tmp_path / "single")
    run_in(tmp_path / "single" / "seed-0")
    assert [*foreign(tmp_path / "single")] == ["seed-0"]


def test_a_removal_leaves_a_folder_with_other_files(tmp_path: Path) -> None:
    run_in(tmp_path / "runs" / "seed-0", "vocabulary.json")
    kept = run_in(tmp_path / "runs" / "seed-1", "thesis.tex")
    (tmp_path / "runs" / "seeds.json").touch()
    with pytest.raises(InputError, match="other files"):
        remove(tmp_path / "runs")
    assert (tmp_path / "runs" / "seed-0" / "run.json").exists()
    (kept / "thesis.tex").unlink()
    remove(tmp_path / "runs")
    assert not [*(tmp_path / "runs").iterdir()]
