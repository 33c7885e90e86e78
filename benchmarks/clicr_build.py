"""How fast CliCR-like queries are built, beside the published program's rate, and in how much memory.

    python benchmarks/clicr_build.py [--reports 400] [--workers 2]

The reports are made up: 1,573 tokens in 8.9 KB, 106 annotations and 7.7 queries each, 5 answers a query. A vocabulary
of 3,000 concepts gives the names. The published program's rates were measured on another machine: 164 reports and
146,000 queries a second, while ten million additions in a Python loop took .49 s. They are scaled by the same loop
here. The screening is that of `build clicr` in one process: reading JSON lines, lines, entities, queries,
answers from the stored vocabulary, and the columns of instances.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec

import anagnosis
from anagnosis.datasets.build.inputs import InputFiles
from anagnosis.datasets.build.synonyms import Synonyms
from anagnosis.datasets.clicr import build, paper
from anagnosis.datasets.clicr.questions import is_exact_repeat
from anagnosis.datasets.clicr.recipe import CliCRRecipe
from anagnosis.datasets.clicr.report import Entity, Line, report
from anagnosis.documents.document import Document, Mention, Section
from anagnosis.documents.repairs import Repairs
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
        lines = CliCRRecipe(sentences="lines", tokens="blanks")
        for recipe in (lines, msgspec.structs.replace(lines, variant="as-published"), CliCRRecipe()):
            rate = len(documents) / best(screening(papers, recipe, terms))
            chosen = f"{recipe.variant}, {recipe.sentences}, {recipe.tokens}"
            print(f"{chosen}: {beside(rate, CONSTRUCTION * scale, 'reports')}")
        made = lines_of_queries(papers)
        rates = [len(made) / best(partial(run, made)) for run in (removal, published_removal)]
        print(beside(rates[0], REPEATS * scale, "queries judged for exact repeats"))
        print(f"{rates[1]:,.0f} queries/s by the published program's steps on the same input")
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


def lines_of_queries(papers: Path) -> list[tuple[Line, Entity, str]]:
    """Of each query its line, the hidden entity, and the context."""
    recipe, repairs = CliCRRecipe(sentences="lines", tokens="blanks"), Repairs()
    made: list[tuple[Line, Entity, str]] = []
    for document in anagnosis.read(papers):
        whole = report(document, recipe, repairs)
        context = "\n".join(line.text for line in whole.context)
        made += [(line, entity, context) for line in whole.queries for entity in line.entities]
    return made


def removal(made: Sequence[tuple[Line, Entity, str]]) -> int:
    """How many of the queries the context repeats, by the variant of the paper."""
    return sum(paper.is_exact_repeat(line, entity, context) for line, entity, context in made)


def published_removal(made: Sequence[tuple[Line, Entity, str]]) -> int:
    """The same by the published program's steps, which begin with the query as text."""
    return sum(
        is_exact_repeat(f"{line.text[: entity.start]}@placeholder{line.text[entity.end :]}", context)
        for line, entity, context in made
    )


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
