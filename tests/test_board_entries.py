"""The project's own board: submissions/ holds what benchmarks/ says of it, made for the sets that are built today."""

from __future__ import annotations

import gzip
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from benchmarks import board_entries
from benchmarks.board_entries import board_sets

from anagnosis import predictions
from anagnosis.api import load
from anagnosis.datasets.folder import store
from anagnosis.leaderboard.submission import Submission, submissions
from tests.rows import each_row

SUBMISSIONS = board_entries.ROOT / "submissions"
TABLE = board_entries.entries()
SETS = {name: each for name, each in board_sets.table().sets.items() if not each.trains}
BUNDLED = [name for name, each in SETS.items() if each.bundled]
LARGEST, LARGEST_IN_ALL = 200_000, 4_000_000  # bytes
LONGEST_ANSWER = 8  # words


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, store.Dataset]:
    """The bundled sets, as `make board` builds them."""
    out = tmp_path_factory.mktemp("sets")
    for name in BUNDLED:
        assert board_sets.made(name, SETS[name], out, None) == "made"
    return {name: load(out / name) for name in BUNDLED}


def files() -> Iterator[tuple[str, str, Path]]:
    """(system, set, predictions file) of our systems."""
    for path in sorted(SUBMISSIONS.glob(f"*/*{board_entries.SUFFIX}")):
        if path.parent.name in TABLE.systems:
            yield path.parent.name, path.name.partition(".")[0], path


def fingerprints(path: Path) -> set[str | None]:
    return {prediction.dataset for prediction in predictions.read(path)}


def test_every_system_of_the_table_has_a_folder() -> None:
    assert set(TABLE.systems) == {each.name for each in submissions(SUBMISSIONS)}


@each_row("each", submissions(SUBMISSIONS), ids=lambda each: each.name)
def test_a_submission_has_no_fault_and_says_what_the_table_says(each: Submission) -> None:
    assert each.faults == ()
    written = tomllib.loads((each.folder / board_entries.SYSTEM).read_text("utf-8"))
    assert written == board_entries.system(TABLE.systems[each.name])


def test_a_system_has_answers_on_each_of_its_sets_and_on_no_other() -> None:
    found = {(system, of) for system, of, _ in files()}
    assert found == {(name, of) for name, entry in TABLE.systems.items() for of in TABLE.sets_of(entry)}


def demand_made_for(today: dict[str, store.Dataset]) -> None:
    fits = {name: {store.fingerprint(dataset, "test")} for name, dataset in today.items()}
    made_for = {(system, of): fingerprints(path) for system, of, path in files() if of in fits}
    assert {of for _, of in made_for} == set(fits)
    assert made_for == {(system, of): fits[of] for system, of in made_for}


def test_predictions_were_made_for_the_bundled_sets_that_are_built_today(
    built: dict[str, store.Dataset],
) -> None:
    demand_made_for(built)


@pytest.mark.slow
@pytest.mark.shared
def test_predictions_were_made_for_the_public_sets_that_are_built_today(shared: Path, tmp_path: Path) -> None:
    public = set(SETS).difference(BUNDLED)
    for name in public:
        assert board_sets.made(name, SETS[name], tmp_path, shared / "data") == "made"
    demand_made_for({name: load(tmp_path / name) for name in public})


def test_no_file_holds_a_text_of_a_paper() -> None:
    """Answers and scores are keys, labels or numbers of sentences; of CliCR-like and BioASQ's sets a few words."""
    for system, of, path in files():
        with gzip.open(path, "rb") as stream:
            lines = [msgspec.json.decode(line) for line in stream]
        fields = {field for line in lines for field in line} - ({"answers"} if of == "bioasq-8b" else set())
        assert fields <= {"id", "answer", "scores", "dataset", "annotator", "group"}, (system, of)
        texts = [each["text"] for line in lines for each in line.get("answers", ())]
        assert all(len(text.split()) <= LONGEST_ANSWER for text in texts), (system, of)


def test_the_files_are_small() -> None:
    sizes = {path: path.stat().st_size for _, _, path in files()}
    assert max(sizes.values()) < LARGEST
    assert sum(sizes.values()) < LARGEST_IN_ALL


@pytest.mark.slow
@pytest.mark.parametrize(
    "system",
    [name for name, entry in TABLE.systems.items() if entry.reader and not entry.train and not entry.before],
)
def test_a_system_that_is_not_trained_gives_the_same_answers_anew(
    system: str, built: dict[str, store.Dataset], tmp_path: Path
) -> None:
    entry = TABLE.systems[system]
    for of in set(TABLE.sets_of(entry)) & set(BUNDLED):
        out = tmp_path / of
        out.mkdir()
        (new,) = board_entries.made(entry, of, out, built[of].folder.parent, None)
        there = SUBMISSIONS / system / new.name
        assert gzip.decompress(new.read_bytes()) == gzip.decompress(there.read_bytes())
