"""How fast JATS front matter is read: articles a CPU-second beside lxml, which parses the whole of each article.

    python benchmarks/jats.py ARCHIVE... [--rounds N]

ARCHIVE is a tar of articles, such as PMC gives out. Each round reads them by each reader in turn, in this one process;
the table shows the best round of each. Readers:

    anagnosis        unpack, cut, parse the front matter, a Document of every article (api.read)
    lxml, no fields  unpack, parse each member whole, and look at nothing
    unpacking alone  the bytes of all members
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from anagnosis import api
from anagnosis.archives import open_each

SUFFIXES = (".nxml", ".xml")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("archives", type=Path, nargs="+")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    readers: dict[str, Callable[[list[Path]], int]] = {
        "anagnosis": documents,
        "lxml, no fields": parsed,
        "unpacking alone": unpacked,
    }
    best: dict[str, float] = {}
    counts: dict[str, int] = {}
    for _ in range(options.rounds):
        for name, read in readers.items():
            begun = time.process_time()
            counts[name] = read(options.archives)
            best[name] = min(best.get(name, float("inf")), time.process_time() - begun)
    megabytes = sum(map(len, contents(options.archives))) / 1e6
    print(f"{counts['anagnosis']:,} articles, {megabytes:,.0f} MB unpacked")
    for name, seconds in best.items():
        rates = f"{counts[name] / seconds:8,.0f} articles, {megabytes / seconds:6,.0f} MB a CPU-second"
        print(f"{name:16} {seconds:7.2f} s {rates} ({best['lxml, no fields'] / seconds:.1f} times lxml)")


def contents(archives: list[Path]) -> Iterator[bytes]:
    for archive in archives:
        for opened in open_each(archive, SUFFIXES):
            yield opened.stream.read()


def documents(archives: list[Path]) -> int:
    return sum(1 for archive in archives for _ in api.read(archive))


def parsed(archives: list[Path]) -> int:
    import lxml.etree as etree

    safe = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True)
    return sum(etree.fromstring(data, safe) is not None for data in contents(archives) if data)


def unpacked(archives: list[Path]) -> int:
    return sum(1 for data in contents(archives) if data)


if __name__ == "__main__":
    main()
