"""How well and how fast sentences are found: precision, recall and F1 on gold sentences, rates beside nupunkt.

    python benchmarks/sentences.py [--craft FOLDER] [--lines FILE.tar.gz] [--corpus FOLDER]

Gold are the sentences of the CRAFT corpus where FOLDER holds it (articles.tar.xz, formatting.tsv.gz,
conllu/sentences.tsv.gz), of texts with one sentence a line (MACCROBAT), and else our own of tests/samples/language:
hard cases that say what the rules are for, not which splitter is the better one. The texts to be timed are the
abstracts of the PubTator files of --corpus, or of the bundled corpus. Rates are ratios to nupunkt in this same run;
it remembers what it has decided, so few texts, seen three times, flatter it. design/sentences.md has the results.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import tarfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate, groupby
from pathlib import Path
from typing import NamedTuple

from anagnosis.corpus import carried
from anagnosis.documents.formats.pubtator import format as pubtator
from anagnosis.documents.repairs import Repairs
from anagnosis.io.files import open_input
from anagnosis.language.sentences import SPLITTERS, Splitter, has_at_least, splitter

OUR_GOLD = Path(__file__).resolve().parents[1] / "tests" / "samples" / "language" / "sentences.txt"
MINIMUM = 10  # BIOMRC, section 2: abstracts of fewer sentences are dropped


class Paragraph(NamedTuple):
    """A text, where its sentences end but for the last (characters), and what it is reported under beside "all"."""

    text: str
    ends: list[int]
    labels: frozenset[str] = frozenset()


class Score(NamedTuple):
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        return 2 * self.precision * self.recall / ((self.precision + self.recall) or 1)

    def __str__(self) -> str:
        return f"{self.precision:.4f} {self.recall:.4f} {self.f1:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--craft", type=Path)
    parser.add_argument("--lines", type=Path)
    parser.add_argument("--corpus", type=Path)
    options = parser.parse_args()
    if options.craft:
        report_scores("CRAFT", list(craft(options.craft)))
    if options.lines:
        report_scores(options.lines.name, list(one_a_line(options.lines)))
    if not options.craft and not options.lines:
        report_scores("our own hard cases", list(our_gold(OUR_GOLD)))
    report_rates(list(abstracts(options.corpus)))


def report_scores(name: str, gold: list[Paragraph]) -> None:
    for label in ("all", *sorted(frozenset().union(*(paragraph.labels for paragraph in gold)))):
        chosen = [paragraph for paragraph in gold if label == "all" or label in paragraph.labels]
        inner = sum(len(paragraph.ends) for paragraph in chosen)
        print(f"\n{name} {label}: {len(chosen):,} texts, {inner:,} boundaries\n{'':10}precision recall F1")
        for splitter_name in SPLITTERS:
            print(f"{splitter_name:10}{score(splitter(splitter_name), chosen)}")


def report_rates(texts: list[str]) -> None:
    print(
        f"\n{len(texts):,} abstracts: rate beside nupunkt, of splitting and of deciding on {MINIMUM} sentences"
    )
    splitting = {name: seconds(splitter(name), texts) for name in SPLITTERS}
    deciding = {name: seconds(decider(name), texts) for name in SPLITTERS}
    verdicts = {name: [*map(decider(name), texts)] for name in SPLITTERS}
    for name, mine in verdicts.items():
        differ = sum(one != other for one, other in zip(mine, verdicts["nupunkt"], strict=True))
        print(
            f"{name:10}{splitting['nupunkt'] / splitting[name]:8.2f} {splitting['nupunkt'] / deciding[name]:8.2f}"
            f"   {1e6 * splitting[name] / len(texts):6.1f} and {1e6 * deciding[name] / len(texts):6.1f} us each;"
            f" {sum(mine):,} pass, {differ:,} verdicts differ from nupunkt's"
        )


def our_gold(path: Path) -> Iterator[Paragraph]:
    """One sentence a line, a blank line between paragraphs, comments behind "#"; a blank joins the sentences."""
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    yield from (_joined(list(block)) for filled, block in groupby(lines, key=bool) if filled)


def one_a_line(path: Path) -> Iterator[Paragraph]:
    """The .txt files of an archive, one sentence a line, joined by a blank."""
    for _, text in _texts(path):
        yield _joined([line.strip() for line in text.splitlines() if line.strip()])


def _joined(sentences: list[str]) -> Paragraph:
    ends = accumulate((len(sentence) + 1 for sentence in sentences[:-1]), initial=-1)
    return Paragraph(" ".join(sentences), list(ends)[1:])


def craft(folder: Path) -> Iterator[Paragraph]:
    """The paragraphs of more than one sentence, labelled by place and by half: the rules of `fast` were written over
    the errors in the papers of CRAFT's training and development lists; nobody looked at those in its test list."""
    articles = dict(_texts(folder / "articles.tar.xz"))
    unseen = set(articles["craft-ids-test"].split())
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
            labels = frozenset(
                (_place(headings), "papers looked at" if pmid not in unseen else "papers not looked at")
            )
            yield Paragraph(articles[pmid][first:last], ends, labels)


def _place(headings: list[str]) -> str:
    if "Abstract" in headings:
        return "abstract"
    listed = ("Figure", "Table", "Abbreviations", "Supplementary", "Supporting", "Additional")
    return "legend or list" if any(heading.startswith(listed) for heading in headings) else "body"


def _texts(archive: Path) -> Iterator[tuple[str, str]]:
    """Name without suffix, and text, of each .txt of a tar file."""
    with tarfile.open(archive) as members:
        for member in members:
            stream = members.extractfile(member) if member.name.endswith(".txt") else None
            if stream:
                yield Path(member.name).stem, stream.read().decode()


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
    return Score(right / max(found, 1), right / max(wanted, 1))


def _solid(text: str) -> int:
    return sum(map(len, text.split()))


def abstracts(folder: Path | None) -> Iterator[str]:
    for path in sorted(folder.glob("*.pubtator.gz")) if folder else [carried()]:
        with open_input(path) as stream:
            for document in pubtator.read(stream, Repairs(), path.name):
                yield from (
                    section.text
                    for section in document.sections
                    if section.label == "abstract" and section.text
                )


def decider(name: str) -> Callable[[str], bool]:
    return lambda text: has_at_least(text, MINIMUM, name)


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
