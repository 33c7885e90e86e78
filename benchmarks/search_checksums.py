"""What checksums of an index cost: the same papers indexed, opened and asked with them and without, in one run.

    python benchmarks/search_checksums.py [--passages 100000] [--questions 100] [--block 20000] [--folder FOLDER]

Passages are those of search_speed.py. "Without", passages get no checksums, and neither they nor files are verified.
Both take turns, block by block and question by question, each time the other one first. Told are the ratios of the
processor's time (with / without), the median and the quartiles; so it matters little what else the machine does. `open`
reads files that are in memory already: on a disk of 500 MB/s the first time costs what reading them costs, of which a
search needs a part anyway.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np

from anagnosis import api
from anagnosis.documents.document import Document, Section
from anagnosis.searching.engines.embedded import entries
from anagnosis.searching.engines.embedded.engine import Embedded
from anagnosis.searching.engines.embedded.segments import STORE, Meta, Segments
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index, create_index, open_index
from anagnosis.searching.index.settings import IndexSettings
from anagnosis.searching.vectors import layout
from anagnosis.searching.vectors.reading import Vectors
from anagnosis.searching.vectors.scanning import Scan
from search_speed import memory, take
from search_vectors import filled, unit
from synthetic_papers import SEED, texts

WITH, WITHOUT = "with", "without"
_OPENED = 9  # times


@contextmanager
def without_checksums() -> Generator[None]:
    """Make and open indexes whose passages have no checksums; files are not verified."""
    with (
        patch.object(entries, "checksum", lambda *_: 0),
        patch.object(Meta, "has_checksums", new=False),
        patch.object(IndexSettings, "has_checksums", new=False),
        patch.object(Segments, "faults", lambda *_, **__: iter(())),
    ):
        yield


def opened(folder: Path, name: str) -> Index:
    if name == WITH:
        return open_index(folder / name)
    with without_checksums():
        return open_index(folder / name)


def cpu(work: Callable[[], object]) -> float:
    """Seconds of this process."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def by_turns(works: Sequence[tuple[Callable[[], object], Callable[[], object]]]) -> tuple[float, float, str]:
    """(median seconds with, without, their ratio in words) of pairs of works, the first of each with checksums."""
    pairs: list[tuple[float, float]] = []
    for turn, (first, second) in enumerate(works):
        if turn % 2:
            later = cpu(second)
            pairs.append((cpu(first), later))
        else:
            pairs.append((cpu(first), cpu(second)))
    ratios = [own / max(other, 1e-9) for own, other in pairs]
    low, middle, high = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else ratios * 3
    own, other = (statistics.median(one) for one in zip(*pairs, strict=True))
    return own, other, f"{middle:.2f} times ({low:.2f} to {high:.2f})"


def told(what: str, found: tuple[float, float, str], unit: float = 1e3) -> None:
    print(f"  {what}: {found[0] * unit:.1f} ms with, {found[1] * unit:.1f} without, {found[2]}", flush=True)


def size(folder: Path, ending: str = "") -> int:
    return sum(one.stat().st_size for one in folder.rglob(f"*{ending}") if one.is_file())


def made(folder: Path, passages: int, block: int) -> None:
    """Both indexes, and what making them takes."""
    with without_checksums():
        old = create_index(folder / WITHOUT)
    new, source, works = create_index(folder / WITH), texts(passages), list[tuple[float, float]]()
    for begin in range(0, passages, block):
        documents = [
            Document(
                str(begin + n), (Section("title", title), Section("abstract", text)), facts={"date": "2020"}
            )
            for n, (title, text) in zip(range(min(block, passages - begin)), source, strict=False)
        ]
        own, other = partial(take, new, documents), partial(take, old, documents)
        if begin // block % 2:
            later = cpu(other)
            works.append((cpu(own), later))
        else:
            works.append((cpu(own), cpu(other)))
    new.close()
    old.close()
    ratios = sorted(own / other for own, other in works)
    rates = [passages / sum(one) for one in zip(*works, strict=True)]
    print(f"{passages:,} passages")
    print(
        f"  index: {rates[0]:,.0f} passages a CPU second with, {rates[1]:,.0f} without, the time of the median block "
        f"{statistics.median(ratios):.2f} times ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    )
    sizes = {name: (size(folder / name), size(folder / name, STORE)) for name in (WITH, WITHOUT)}
    (own, stores), (other, _) = sizes[WITH], sizes[WITHOUT]
    print(
        f"  bytes: {own:,} with, {other:,} without, {(own - other) / passages:+.1f} a passage, "
        f"{own / other:.3f} times; {own - stores:,} are verified when it is opened"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--block", type=int, default=20_000)
    parser.add_argument("--folder", type=Path, help="keep both indexes here, or take those that are here")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp())
    if not (folder / WITH).exists():
        made(folder, options.passages, options.block)
    told("open", by_turns([(partial(opened, folder, WITH), partial(opened, folder, WITHOUT))] * _OPENED))
    own, other = opened(folder, WITH), opened(folder, WITHOUT)
    questions = [title for title, _ in texts(options.questions)]
    for limit in (10, 100, 1_000):
        own.search(questions[0], Filters(), limit)
        other.search(questions[0], Filters(), limit)
        works = [
            (partial(own.search, one, Filters(), limit), partial(other.search, one, Filters(), limit))
            for one in questions
        ]
        told(f"search, top {limit:,}", by_turns(works))
    asked = [(partial(api.ask, own, one), partial(api.ask, other, one)) for one in questions]
    told("ask", by_turns(asked))
    places = [(str(number), 0) for number in range(1_000)]
    told(
        "1,000 passages by their places",
        by_turns([(partial(each, own, places), partial(each, other, places))] * 5),
    )
    told("marks of all papers", by_turns([(partial(marks, own), partial(marks, other))]))
    of_vectors(folder, options.passages, options.questions)
    print(f"  this process at most {memory()} MB")
    if options.folder is None:
        shutil.rmtree(folder)


def each(index: Index, places: list[tuple[str, int]]) -> object:
    return index.engine.passages(places)


def marks(index: Index) -> None:
    """What `check`, and `index --encoder` for what has changed, read of every paper."""
    assert isinstance(index.engine, Embedded)
    for _ in index.engine.marks():
        pass


def of_vectors(folder: Path, rows: int, questions: int) -> None:
    """The same of drawn vectors, which are compared with each question by their signs first, and then exactly."""
    formats = {WITH: layout.FORMAT, WITHOUT: layout.WITHOUT_CHECKSUMS}
    for name, format in formats.items():
        if not (place := folder / f"vectors {name}").exists():
            draw = np.random.default_rng(SEED)
            blocks = (unit(draw, min(10_000, rows - begin)) for begin in range(0, rows, 10_000))
            spent = cpu(partial(filled, place, blocks, format=format))
            print(f"  {rows:,} vectors {name}: {rows / spent:,.0f} a CPU second, {size(place):,} bytes")
    places = [folder / f"vectors {name}" for name in (WITH, WITHOUT)]
    own, other = (partial(Vectors, place) for place in places)
    told("open vectors", by_turns([(own, other)] * _OPENED))
    scans, draw = [Scan(Vectors(place)) for place in places], np.random.default_rng(SEED + 1)
    asked = unit(draw, questions + 1)
    for scan in scans:
        scan.nearest(asked[0], 100)
    works = [tuple(partial(scan.nearest, one, 100) for scan in scans) for one in asked[1:]]
    told("nearest 100 vectors", by_turns([(first, second) for first, second in works]))


if __name__ == "__main__":
    main()
