from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra train is not installed")

from anagnosis.errors import InputError
from anagnosis.io.folders import PHASE_FOLDERS, REPLICATES
from anagnosis.training import phases, run_files
from anagnosis.training.run_files import claim_several, foreign, remove


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
    (kept / "thesis.tex").unlink()
    remove(tmp_path / "runs")
    assert not [*(tmp_path / "runs").iterdir()]
