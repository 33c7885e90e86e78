from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra train is not installed")

from anagnosis.io.folders import CALIBRATION, MEMBERS, PHASE_FOLDERS
from anagnosis.training import phases, run_files
from anagnosis.training.loop import history
from anagnosis.training.runs import provenance
from anagnosis.training.schedules import phase_results


def run_in(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text('{"reader": "shallow-features", "train": {}}')
    for name in (run_files.RECIPE, run_files.WEIGHTS, *names):
        (folder / name).touch()
    return folder


def test_what_is_fitted_on_a_run_later_is_ours_too() -> None:
    files = {module.FILE for module in (history, provenance, phase_results)} | {run_files.LOCK}
    assert files | {CALIBRATION} <= run_files.OURS


def test_folders_know_the_phases_and_members_of_a_training() -> None:
    assert set(phases.NAMES) == set(PHASE_FOLDERS)
    assert all(run_files.MEMBER.fullmatch(name) for name in MEMBERS)


def test_the_files_that_the_runs_reader_saves_are_ours_and_those_of_another_reader_are_not(
    tmp_path: Path,
) -> None:
    run = run_in(
        tmp_path / "run", "vocabulary.json", "pseudo-labels-0123456789abcdef.json", ".run.json.x.part"
    )
    assert not [*run_files.foreign(run)]
    (run / "features.json").touch()
    (run / "seed-0").mkdir()
    assert [*run_files.foreign(run)] == ["features.json", "seed-0"]
    (run / "run.json").write_text('{"reader": "of-a-package-that-is-gone", "train": {}}')
    assert "vocabulary.json" in run_files.foreign(run)


def test_several_hold_their_members_and_a_single_run_holds_no_other(tmp_path: Path) -> None:
    run_in(tmp_path / "several" / "seed-0")
    run_in(tmp_path / "several" / "seed-1", "thesis.tex")
    for name in ("seed-2/notes", "seed-3/.run.json.x.part", "seed-3/.lock"):
        (tmp_path / "several" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "several" / name).touch()
    (tmp_path / "several" / "seed-4").mkdir()  # as a start on a full disk leaves it
    (tmp_path / "several" / "seeds.json").touch()
    assert [*run_files.foreign(tmp_path / "several")] == ["seed-1/thesis.tex", "seed-2"]
    run_in(tmp_path / "single")
    run_in(tmp_path / "single" / "seed-0")
    assert [*run_files.foreign(tmp_path / "single")] == ["seed-0"]


def test_a_removal_leaves_what_is_not_ours(tmp_path: Path) -> None:
    run_in(tmp_path / "runs" / "seed-0", "vocabulary.json")
    kept = run_in(tmp_path / "runs" / "seed-1", "thesis.tex")
    (tmp_path / "runs" / "seeds.json").touch()
    run_files.remove_whole(tmp_path / "runs")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [kept / "thesis.tex"]
    (kept / "thesis.tex").unlink()
    run_files.remove_whole(tmp_path / "runs" / "seed-1")
    assert not kept.exists()
    run_files.remove_whole(tmp_path / "never-there")
