"""What a SIGKILL during indexing leaves: committed documents lost, documents shown in part, what cannot be opened.

    python benchmarks/search_crash.py [--kills 12] [--documents 6000]

Each engine takes documents of three passages and commits every 300, in a process that tells of each commit when it has
returned. It is killed at a drawn moment, the half of them while it commits, then another process looks: are all
documents there of which a commit was told, and has each all its passages? Then indexing goes on where it was.
bm25s has no commits: it makes the whole index anew and saves it over the old one each time.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

sys.path.insert(0, str(Path(__file__).parent))
from anagnosis.documents.document import Document, Section
from anagnosis.searching.index.index import create_index, open_index
from anagnosis.searching.index.settings import holds_index
from sqlite_search import Fts5

PARTS, COMMIT, SEED = 3, 300, 5
IN_COMMIT, BETWEEN = 0.06, 0.3  # seconds, at most, from what was told to the kill
BEGINS, ENDS = "begins", "ends"


class Engine(Protocol):
    """add: a document of that number. commit: all since. there: (document, passages that are there)."""

    def there(self) -> dict[str, int]: ...
    def add(self, number: int) -> None: ...
    def commit(self) -> None: ...


def texts(number: int) -> list[str]:
    """The passages of a document."""
    draw = random.Random(number)
    return [" ".join(f"word{draw.randrange(3000)}" for _ in range(160)) for _ in range(PARTS)]


class Ours:
    """`anagnosis index`; each passage is read and found by its words."""

    def __init__(self, folder: Path) -> None:
        self._index = open_index(folder) if holds_index(folder) else create_index(folder)
        self._counts = Counter[str]()

    def there(self) -> dict[str, int]:
        found = {ident: len(self._index.document(ident)) for ident, _ in self._index.engine.marks()}
        if self._index.count() != (len(found), sum(found.values())):
            raise ValueError("passages of no document")
        return found

    def add(self, number: int) -> None:
        parts = (Section("abstract", text, f"PART {n}") for n, text in enumerate(texts(number)))
        self._index.add(Document(str(number), (Section("title", f"Paper {number}"), *parts)), self._counts)

    def commit(self) -> None:
        tell(BEGINS, "commit")
        self._index.commit()


class Sqlite:
    """FTS5 as in sqlite_search.py, its own check of the text index included."""

    def __init__(self, folder: Path) -> None:
        self._engine = Fts5(folder)

    def there(self) -> dict[str, int]:
        self._engine.check()
        return dict(self._engine.counts())

    def add(self, number: int) -> None:
        rows = enumerate(texts(number))
        self._engine.add((str(number), n, "abstract", 0, f"Paper {number}", text) for n, text in rows)

    def commit(self) -> None:
        tell(BEGINS, "commit")
        self._engine.commit()


class Bm25s:
    """Its index and its corpus, saved together."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._corpus: list[dict[str, str]] = []

    def there(self) -> dict[str, int]:
        import bm25s

        if not self._folder.exists():
            return {}
        engine = bm25s.BM25.load(str(self._folder), load_corpus=True)
        self._corpus = [{"text": one["text"]} for one in engine.corpus or ()]
        # As many passages as it can find, told by the document's name at the beginning of each.
        if engine.scores["num_docs"] != len(self._corpus):
            raise ValueError("index and corpus differ")
        return dict(Counter(one["text"].split()[0] for one in self._corpus))

    def add(self, number: int) -> None:
        self._corpus += ({"text": f"{number} {text}"} for text in texts(number))

    def commit(self) -> None:
        import bm25s

        engine = bm25s.BM25(corpus=self._corpus)
        words = [one["text"] for one in self._corpus]
        engine.index(bm25s.tokenize(words, show_progress=False), show_progress=False)
        tell(BEGINS, "commit")
        engine.save(str(self._folder))


ENGINES: dict[str, Callable[[Path], Engine]] = {"ours": Ours, "fts5": Sqlite, "bm25s": Bm25s}


def tell(*words: object) -> None:
    print(*words, flush=True)


def fill(engine: Engine, documents: int) -> None:
    """Index what is missing, and tell of each commit."""
    done = len(engine.there())
    for number in range(done, documents):
        engine.add(number)
        if number % COMMIT == COMMIT - 1:
            engine.commit()
            tell(ENDS, number + 1)


class Found(NamedTuple):
    """What one kill left. committed: of which a commit was told. opened: False where nothing can be read."""

    committed: int
    there: int
    parts: int
    opened: bool
    seconds: float


def killed(name: str, folder: Path, documents: int, draw: random.Random, told: int) -> tuple[Found, int]:
    """Let it index, kill it, look. told: of which a commit was told before; the new number with it."""
    command = [
        sys.executable,
        __file__,
        "--fill",
        name,
        "--folder",
        str(folder),
        "--documents",
        str(documents),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        lines, wanted = iter(process.stdout.readline, ""), draw.randint(1, 2)
        in_commit = draw.random() < 0.5
        for line in lines:
            kind, number = line.split()
            if kind == ENDS:
                told, wanted = int(number), wanted - 1
            if wanted <= 0 and kind == (BEGINS if in_commit else ENDS):
                break
        time.sleep(draw.random() * (IN_COMMIT if in_commit else BETWEEN))
        process.send_signal(signal.SIGKILL)
        # What was told before the kill and is still in the pipe.
        for line in lines:
            kind, number = line.split()
            told = int(number) if kind == ENDS else told
    begun = time.perf_counter()
    look = subprocess.run(
        [sys.executable, __file__, "--look", name, "--folder", str(folder)], capture_output=True, text=True
    )
    seconds = time.perf_counter() - begun
    if look.returncode:
        return Found(told, 0, 0, False, seconds), told
    there, parts = map(int, look.stdout.split())
    return Found(told, there, parts, True, seconds), told


def runs(name: str, kills: int, documents: int) -> Iterator[Found]:
    """Each kill; a new folder where the last one has left nothing to go on with, or all is done."""
    draw = random.Random(SEED)
    with tempfile.TemporaryDirectory() as scratch:
        told, place = 0, 0
        for _ in range(kills):
            found, told = killed(name, Path(scratch) / str(place), documents, draw, told)
            yield found
            if not found.opened or told > documents - 3 * COMMIT:
                told, place = 0, place + 1


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--documents", type=int, default=6000)
    parser.add_argument("--engine", action="append", choices=list(ENGINES))
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--fill", choices=list(ENGINES), help=argparse.SUPPRESS)
    parser.add_argument("--look", choices=list(ENGINES), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.fill:
        fill(ENGINES[given.fill](given.folder), given.documents)
    elif given.look:
        there = ENGINES[given.look](given.folder).there()
        tell(len(there), sum(number != PARTS for number in there.values()))
    else:
        for name in given.engine or ENGINES:
            found = list(runs(name, given.kills, given.documents))
            lost = sum(one.opened and one.there < one.committed for one in found)
            gone = sum(max(0, one.committed - one.there) for one in found)
            print(
                f"{name}: {len(found)} kills; {sum(not one.opened for one in found)} times it could not be opened,"
                f" {lost} times committed documents were lost, {sum(one.parts > 0 for one in found)} times"
                f" documents were shown in part; {gone:,} documents lost of {sum(one.committed for one in found):,}"
            )


if __name__ == "__main__":
    main()
