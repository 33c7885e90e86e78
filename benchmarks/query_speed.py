"""How fast an index of synthetic papers answers: words, synonyms, facets and `ask`.

    python benchmarks/query_speed.py FOLDER [--papers 1000000] [--sections 1] [--questions 200]

FOLDER: an index of synthetic_papers.py with facts, made where it is missing (--papers, --sections: passages of each).
Questions are titles of its papers. Each is asked once, after one that is not counted; times are milliseconds of one
thread's processor, of the process for `ask` on the command line. "synonyms": two words of a question have two other
words and a phrase each that mean the same. "and not": the first two words, without the third.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from anagnosis import api
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import create_index, open_index
from anagnosis.searching.queries.meaning import words_query
from anagnosis.searching.queries.tree import Phrase, Query, Synonyms, Word
from anagnosis.searching.rank.ranking import by_words
from synthetic_papers import documents, texts
from timing import spread

_COLD = 5  # calls of the command line
_TOP = 10
_TOGETHER = 2_000  # documents, as `index` adds them
_EXPANDED = (1, 2)  # words with synonyms
_FACETS = 20  # journals and types


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--papers", type=int, default=100_000)
    parser.add_argument("--sections", type=int, default=1)
    parser.add_argument("--questions", type=int, default=200)
    options = parser.parse_args()
    if not options.folder.exists():
        made(options.folder, options.papers, options.sections)
    index = open_index(options.folder)
    print(f"{index.count().documents:,} papers, {index.count().passages:,} passages")
    titles = [title for title, _ in islice(texts(options.questions), options.questions)]
    words = [word for title in titles for word in title.split()]
    engine, no_filters = index.engine, Filters()

    def and_not(title: str) -> Query:
        one, other, third, *_ = words_query(title).ranked
        return Query((one, other), (one, other), (third,))

    ways: dict[str, Callable[[str], object]] = {
        "ten papers": lambda title: by_words(engine, words_query(title), no_filters, _TOP),
        "ten papers, synonyms": lambda title: by_words(engine, with_synonyms(title, words), no_filters, _TOP),
        "the engine alone": lambda title: engine.search(words_query(title), no_filters, _TOP),
        "the engine alone, and not": lambda title: engine.search(and_not(title), no_filters, _TOP),
        "facets": lambda title: engine.facets(words_query(title), no_filters, _FACETS),
        "ask": lambda title: api.ask(index, title),
    }
    for name, way in ways.items():
        print(f"  {name}: {times(way, titles)}", flush=True)
    print(f"  ask, cold command line: {cold(options.folder, titles[:_COLD])}")


def made(folder: Path, papers: int, sections: int) -> None:
    """Make the index."""
    index, begin = create_index(folder), time.process_time()
    index.begin()
    counts = Counter[str]()
    source = documents(papers, facts=True, sections=sections)
    while some := [("", one) for one in islice(source, _TOGETHER)]:
        index.add_all(some, counts)
    index.commit()
    index.close()
    print(f"made in {time.process_time() - begin:,.0f} CPU seconds, with the texts")


def with_synonyms(title: str, words: Sequence[str]) -> Query:
    """The words of a title, the second and third in a group with two other words and a phrase."""
    parts = [
        Synonyms((one, *others(number, words))) if number in _EXPANDED and isinstance(one, Word) else one
        for number, one in enumerate(words_query(title).ranked)
    ]
    return Query(tuple(parts))


def others(number: int, words: Sequence[str]) -> tuple[Word | Phrase, ...]:
    ranked = words_query(" ".join(words[4 * number : 4 * number + 12])).ranked
    found = [one for one in ranked if isinstance(one, Word)]
    return (*found[:2], Phrase(tuple(one.text for one in found[2:4])))


def times(way: Callable[[str], object], titles: Sequence[str]) -> str:
    way(titles[0])
    spent: list[float] = []
    for title in titles:
        begin = time.thread_time()
        way(title)
        spent.append(1000 * (time.thread_time() - begin))
    return spread(spent)


def cold(folder: Path, titles: Sequence[str]) -> str:
    spent: list[float] = []
    for title in titles:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "anagnosis", "ask", str(folder), title, "--json"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
    return spread(spent)


if __name__ == "__main__":
    main()
