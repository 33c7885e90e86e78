"""How well and how fast sentences are found: precision, recall and F1 on gold sentences, rates beside nupunkt.

    python benchmarks/sentences.py [--craft FOLDER] [--corpus FOLDER]

Gold are the sentences of the CRAFT corpus, where FOLDER holds it (articles.tar.xz, formatting.tsv.gz,
conllu/sentences.tsv.gz: design/sentences.md), else our own of tests/samples/language. The texts to be timed are the
abstracts of the PubTator files of --corpus, or of the carried corpus. Rates are ratios to nupunkt in this same run.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import lzma
import tarfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from anagnosis.corpus import carried
from anagnosis.documents import pubtator
from anagnosis.documents.repairs import Repairs
from anagnosis.files import open_input
from anagnosis.language.sentences import SPLITTERS, Splitter, has_at_least, splitter

OUR_GOLD = Path(__file__).resolve().parents[1] / "tests" / "samples" / "language" / "sentences.txt"
MINIMUM = 10  # BIOMRC, section 2: abstracts of fewer sentences are dropped


class Paragraph(NamedTuple):
    """A text, and where its sentences end but for the last, in characters. kind: what it is counted under."""

    text: str
    ends: list[int]
    kind: str


class Score(NamedTuple):
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        return 2 * self.precision * self.recall / (self.precision + self.recall)

    def __str__(self) -> str:
        return f"{self.precision:.4f} {self.recall:.4f} {self.f1:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--craft", type=Path)
    parser.add_argument("--corpus", type=Path)
    options = parser.parse_args()
    gold = list(craft(options.craft) if options.craft else our_gold(OUR_GOLD))
    for title, kinds in groups(gold).items():
        chosen = [paragraph for paragraph in gold if paragraph.kind in kinds]
        inner = sum(len(paragraph.ends) for paragraph in chosen)
        print(f"\n{title}: {len(chosen):,} paragraphs, {inner:,} boundaries\n{'':10}precision recall F1")
        for name in SPLITTERS:
            print(f"{name:10}{score(splitter(name), chosen)}")
    texts = list(abstracts(options.corpus))
    print(f"\n{len(texts):,} abstracts: rate beside nupunkt, of splitting and of deciding on {MINIMUM} sentences")
    fast_first = sorted(SPLITTERS, key=lambda name: name == "punkt")
    splitting = {name: seconds(splitter(name), texts) for name in fast_first}
    deciding = {name: seconds(decider(splitter(name)), texts) for name in fast_first}
    verdicts = {name: [has_at_least(text, MINIMUM, splitter(name)) for text in texts] for name in fast_first}
    for name in fast_first:
        differ = sum(mine != other for mine, other in zip(verdicts[name], verdicts["nupunkt"], strict=True))
        print(
            f"{name:10}{splitting['nupunkt'] / splitting[name]:8.2f} {splitting['nupunkt'] / deciding[name]:8.2f}"
            f"   {1e6 * splitting[name] / len(texts):6.1f} and {1e6 * deciding[name] / len(texts):6.1f} microseconds each;"
            f" {sum(verdicts[name]):,} pass, {differ:,} verdicts differ from nupunkt's"
        )


def groups(gold: Iterable[Paragraph]) -> dict[str, set[str]]:
    kinds = sorted({paragraph.kind for paragraph in gold})
    return {"all": set(kinds)} | ({kind: {kind} for kind in kinds} if len(kinds) > 1 else {})


def our_gold(path: Path) -> Iterator[Paragraph]:
    """One sentence a line, a blank line between paragraphs, comments behind "#"; a blank joins the sentences."""
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    for filled, block in groupby(lines, key=bool):
        if filled:
            sentences = list(block)
            ends = [len(" ".join(sentences[: n + 1])) for n in range(len(sentences) - 1)]
            yield Paragraph(" ".join(sentences), ends, "our own")


def craft(folder: Path) -> Iterator[Paragraph]:
    """The paragraphs of more than one sentence; of the kind "abstract", "legend or list" or "body"."""
    with tarfile.open(fileobj=lzma.open(folder / "articles.tar.xz")) as archive:
        articles = {
            Path(member.name).stem: archive.extractfile(member).read().decode()  # pyright: ignore  a file, so no None
            for member in archive
            if member.isfile() and member.name.endswith(".txt") and "/txt/" in member.name
        }
    sections: defaultdict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for row in _rows(folder / "formatting.tsv.gz"):
        if row["kind"] == "section":
            sections[row["pmid"]].append((int(row["start"]), int(row["end"]), row["first_line"]))
    rows = _rows(folder / "conllu" / "sentences.tsv.gz")
    for (pmid, _), group in groupby(rows, key=lambda row: (row["pmid"], row["paragraph"])):
        spans = [(int(row["start"]), int(row["end"])) for row in group]
        if len(spans) > 1:
            first, last = spans[0][0], spans[-1][1]
            headings = [heading for start, end, heading in sections[pmid] if start <= first < end]
            ends = [end - first for _, end in spans[:-1]]
            yield Paragraph(articles[pmid][first:last], ends, _kind(headings))


def _kind(headings: list[str]) -> str:
    if "Abstract" in headings:
        return "abstract"
    listed = ("Figure", "Table", "Abbreviations", "Supplementary", "Supporting", "Additional")
    return "legend or list" if any(heading.startswith(listed) for heading in headings) else "body"


def _rows(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def score(split: Splitter, gold: Iterable[Paragraph]) -> Score:
    """Boundaries are equal if as many characters that are no white space stand before them."""
    right = found = wanted = 0
    for paragraph in gold:
        mine = {_solid(paragraph.text[:end]) for _, end in split(paragraph.text)[:-1]}
        theirs = {_solid(paragraph.text[:end]) for end in paragraph.ends}
        right, found, wanted = right + len(mine & theirs), found + len(mine), wanted + len(theirs)
    return Score(right / found, right / wanted)


def _solid(text: str) -> int:
    return sum(map(len, text.split()))


def abstracts(folder: Path | None) -> Iterator[str]:
    for path in sorted(folder.glob("*.pubtator.gz")) if folder else [carried()]:
        with open_input(path) as stream:
            for document in pubtator.read(stream, Repairs(), path.name):
                yield from (section.text for section in document.sections if section.label == "abstract" and section.text)


def decider(split: Splitter) -> Callable[[str], bool]:
    return lambda text: has_at_least(text, MINIMUM, split)


def seconds(function: Callable[[str], object], texts: list[str]) -> float:
    """CPU-seconds for all texts, the least of three passes."""
    function(texts[0])
    taken: list[float] = []
    for _ in range(3):
        started = time.process_time()
        for text in texts:
            function(text)
        taken.append(time.process_time() - started)
    return min(taken)


if __name__ == "__main__":
    main()
