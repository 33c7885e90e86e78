"""The sets that the project's board scores: the bundled ones, and the public ones whose files are at hand.

    python benchmarks/board_sets.py [--data FOLDER] [--out built/board] [NAME …]

board_sets.toml names the sets and the commands that make them. A bundled set is made anew each time; a public one is
made where its files lie in or below FOLDER, and stays where it is there already. Each set is a folder of OUT, which
`make board` gives to `anagnosis leaderboard build` as gold; what lies between goes to OUT/.work.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from anagnosis import corpus

HERE = Path(__file__).resolve().parent
TABLE = HERE / "board_sets.toml"
WORK = ".work"


class BoardSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A set of the board; board_sets.toml says what the fields mean."""

    what: str
    build: tuple[str, ...]
    files: tuple[str, ...] = ()
    terms: str = ""
    trains: bool = False

    @property
    def bundled(self) -> bool:
        return not self.files

    def folder(self, name: str, out: Path) -> Path:
        return out / WORK / name if self.trains else out / name


class BoardSets(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole table."""

    sets: dict[str, BoardSet]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="only these sets")
    parser.add_argument("--data", type=Path, help="where the files of public sets lie")
    parser.add_argument("--out", type=Path, default=Path("built/board"))
    options = parser.parse_args()
    known = table().sets
    if strange := [name for name in options.names if name not in known]:
        sys.exit(f"no set {', '.join(strange)} in {TABLE.name}; there are {', '.join(known)}")
    for name in options.names or known:
        print(f"{name}: {made(name, known[name], options.out, options.data)}")


def table() -> BoardSets:
    """The table, in its order."""
    return msgspec.convert(tomllib.loads(TABLE.read_text("utf-8")), BoardSets)


def made(name: str, each: BoardSet, out: Path, data: Path | None) -> str:
    """Make a set, if it can be made; says what became of it."""
    folder = each.folder(name, out)
    there = folder.is_dir()
    if each.files and there:
        return "is there"
    found = [found_files(data, pattern) if data else [] for pattern in each.files]
    if absent := [pattern for pattern, files in zip(each.files, found, strict=True) if not files]:
        return f"left out, no {', '.join(absent)}" + (f" below {data}" if data else "; name --data")
    work = out / WORK
    work.mkdir(parents=True, exist_ok=True)
    places = {"corpus": Path(corpus.__file__).parent, "out": folder, "work": work, "data": data or ""}
    numbered = {str(number): files for number, files in enumerate(found)}
    for line in each.build:
        run(line, {**places, **numbered})
    if not folder.is_dir():
        (work / name).rename(folder)
    return "made"


def found_files(data: Path, pattern: str) -> list[Path]:
    """The files of a pattern below a folder, in the order of their paths."""
    return sorted(path for path in data.rglob(pattern) if path.is_file())


def run(line: str, places: Mapping[str, object]) -> None:
    """Run a line of a table, with one thread, so that a training is repeated to the same weights."""
    words = [word for part in shlex.split(line) for word in filled(part, places)]
    replaces = words[0] in ("build", "import", "annotate", "predict", "vectors")
    program = (
        [sys.executable, *words[1:]] if words[0] == "python" else [sys.executable, "-m", "anagnosis", *words]
    )
    again = ["--replace"] if replaces else []
    one_thread = {"OMP_NUM_THREADS": "1", "ANAGNOSIS_QUIET": "1", "TOKENIZERS_PARALLELISM": "false"}
    print("$", shlex.join(words), flush=True)
    done = subprocess.run(
        [*program, *again], env={**os.environ, **one_thread}, stdout=subprocess.DEVNULL, check=False
    )
    if done.returncode:
        sys.exit(done.returncode)


def filled(word: str, places: Mapping[str, object]) -> Iterable[str]:
    """A word with its places filled in; a place of several files alone in a word is several words."""
    value = places.get(word[1:-1]) if word.startswith("{") and word.endswith("}") else None
    if isinstance(value, list):
        return [str(each) for each in value]
    for name, place in places.items():
        word = word.replace(f"{{{name}}}", str(place))
    return [word]


if __name__ == "__main__":
    main()
