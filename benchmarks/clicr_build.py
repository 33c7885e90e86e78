"""How fast CliCR-like queries are built, beside the published program's rate, and in how much memory.

    python benchmarks/clicr_build.py [--reports 400] [--workers 2] [--program clips-clicr/dataset-code]

The reports are made up: 1,573 tokens in 8.9 KB, 106 annotations and 7.7 queries each, 5 answers a query. A vocabulary
of 3,000 concepts gives the names. Without the folder of the published program, the rate is the one measured on another
machine: 164 reports and 146,000 queries a second, while ten million additions in a Python loop took .49 s. It is scaled
by the same loop here. The screening is that of `build clicr` in one process: reading JSON lines, lines, entities,
queries, answers from the stored vocabulary, and the columns of instances.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import anagnosis
from anagnosis.datasets.build.inputs import InputFiles
from anagnosis.datasets.build.synonyms import Synonyms
from anagnosis.datasets.clicr import build
from anagnosis.datasets.clicr.exact_repeats import longer_side
from anagnosis.datasets.clicr.recipe import CliCRRecipe
from anagnosis.documents.document import Document, Mention, Section
from anagnosis.terms.concepts import Concept
from anagnosis.terms.vocabulary import store as store_vocabulary
from build_biomrc import Watched

CONSTRUCTION, REPEATS = 164.0, 146_000.0  # reports and queries a second
LOOP = 0.49  # seconds of ten million additions at that time
RUNS = 4  # the best counts
CONCEPTS = 3_000
TYPES = ("problem", "treatment", "test")
LINES, LINE_TOKENS, POINTS = 72, 21, 3


def main() -> None:
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # as the command line does
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reports", type=int, default=400)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--program", type=Path)
    options = parser.parse_args()
    documents = list(reports(options.reports))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        terms, papers = folder / "names.terms", folder / "reports.jsonl"
        store_vocabulary(concepts(), terms)
        anagnosis.write(documents, papers, format="jsonl")
        scale = LOOP / best(additions)
        print(
            f"ten million additions: {LOOP / scale:.2f} s; the published rates are multiplied by {scale:.2f}"
        )
        published = CliCRRecipe(variant="as-published", sentences="lines", tokens="blanks")
        for recipe in (CliCRRecipe(sentences="lines", tokens="blanks"), CliCRRecipe(), published):
            rate = len(documents) / best(screening(papers, recipe, terms))
            what = f"{recipe.variant}, {recipe.sentences}, {recipe.tokens}"
            print(f"{what}: {beside(rate, CONSTRUCTION * scale, 'reports')}")
        sides = list(both_sides(papers))
        print(
            beside(
                len(sides) / best(lambda: removal(sides)), REPEATS * scale, "queries without exact repeats"
            )
        )
        with Watched() as watched:
            built = anagnosis.build(
                "clicr", [papers], folder / "built", terms=[terms], workers=options.workers
            )
        peaks = ", ".join(map(str, sorted(watched.peaks.values(), reverse=True)))
        print(
            f"{built.receipt.documents.read:,} reports, {built.receipt.instances.kept:,} queries in "
            f"{watched.wall:.1f} s with {options.workers} workers; resident memory by process: {peaks} MB"
        )


def beside(rate: float, published: float, what: str) -> str:
    """A rate and its multiple of the published program's."""
    return f"{rate:,.0f} {what}/s, {rate / published:.1f} times the published program's {published:,.0f}"


def best(run: Callable[[], object]) -> float:
    """Processor seconds of the fastest of RUNS runs."""
    seconds: list[float] = []
    for _ in range(RUNS):
        begin = time.process_time()
        run()
        seconds.append(time.process_time() - begin)
    return min(seconds)


def additions() -> int:
    """Ten million additions."""
    total = 0
    for number in range(10_000_000):
        total += number
    return total


def screening(papers: Path, recipe: CliCRRecipe, terms: Path) -> Callable[[], object]:
    """One process's work on all of the reports, up to the table of instances."""
    synonyms = Synonyms(str(terms), "names")

    def run() -> None:
        for shard in InputFiles([papers]).shards():
            build.screen(shard, recipe, synonyms).columns.table()

    return run


def both_sides(papers: Path) -> Iterator[tuple[str, str, str]]:
    """Of each query the left and the right side of its placeholder, and the context."""
    recipe = CliCRRecipe(sentences="lines", tokens="blanks", remove_exact_repeats=False)
    for shard in InputFiles([papers]).shards():
        columns = build.screen(shard, recipe).columns
        for question, passage in zip(columns.questions, columns.passages, strict=True):
            left, _, right = question.partition("XXXX")
            yield left.rstrip(), right.lstrip(), passage.partition("\n")[2]


def removal(sides: list[tuple[str, str, str]]) -> int:
    """How many of the queries the context repeats."""
    return sum(longer_side(left, right) in context for left, right, context in sides)


def concepts() -> Iterator[Concept]:
    """Concepts with five names each, of one to three words."""
    draw = random.Random(1)
    for number in range(CONCEPTS):
        names = tuple(
            " ".join(
                f"{word(draw)}{number}" if place == 0 else word(draw) for place in range(draw.randint(1, 3))
            )
            for _ in range(5)
        )
        yield Concept(f"C{number:07}", names[0], names, (TYPES[number % 3],))


def reports(count: int) -> Iterator[Document]:
    """Made-up reports: a title, lines of tokens parted by blanks, learning points; entities are names of concepts."""
    draw = random.Random(2)
    known = list(concepts())
    for number in range(count):
        chosen = draw.sample(known, 60)
        texts: list[str] = []
        mentions: list[Mention] = []
        begin = 0
        for place in range(LINES + POINTS):
            if place == LINES:
                begin += len("Learning points\n")
            line, entities = sentence(draw, chosen, begin, 1.43 if place < LINES else 2.57)
            texts.append(line)
            mentions += entities
            begin += len(line) + 1
        sections = (
            Section("title", texts[0]),
            Section("body", "\n".join(texts[1:LINES])),
            Section("body", "\n".join(texts[LINES:]), "Learning points"),
        )
        yield Document(f"bcr-2012-{number:06}", sections, tuple(mentions))


def sentence(
    draw: random.Random, chosen: list[Concept], begin: int, average: float
) -> tuple[str, list[Mention]]:
    """A line of tokens and its mentions. begin: of the line in the text; average: mentions in it."""
    count = int(average) + (draw.random() < average % 1)
    places = set(draw.sample(range(LINE_TOKENS - 2), count))
    words: list[str] = []
    mentions: list[Mention] = []
    length = 0
    for place in range(LINE_TOKENS - count):
        piece = word(draw)
        if place in places:
            concept = draw.choice(chosen)
            piece = draw.choice(concept.names)
            span = (begin + length, begin + length + len(piece))
            mentions.append(Mention((span,), piece, concept.types[0], concept.identifier))
        words.append(piece)
        length += len(piece) + 1
    return " ".join(words), mentions


def word(draw: random.Random) -> str:
    """A word of about five letters."""
    return "".join(draw.choices("etaoinshrdlu", k=draw.randint(2, 7)))


if __name__ == "__main__":
    sys.exit(main())
