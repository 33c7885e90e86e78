"""CRAFT's articles as documents for BioRead-like questions: gold sentences, gold concepts, sections.

    python benchmarks/bioread_craft.py CRAFT OUT
    anagnosis build bioread OUT/train.jsonl OUT/dev.jsonl OUT/test.jsonl --set sentences=given --out built/craft

CRAFT holds articles.tar.xz (articles/txt, articles/ids), concepts.tar.xz (Knowtator files), conllu/sentences.tsv.gz
(pmid, start, end of each gold sentence) and formatting.tsv.gz (pmid, kind, start, end, first_line), both of characters
of the article. OUT gets a file for each part of CRAFT.
"""

from __future__ import annotations

import csv
import gzip
import io
import sys
import tarfile
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import anagnosis
from anagnosis.documents.document import Document, Mention, Section
from anagnosis.entities.third_party import knowtator

PARTS = ("train", "dev", "test")
# The first line of a section → the label that recipes know. Nested sections are figures and tables alone.
LABELS = {
    "figure": "figure",
    "figures": "figure",
    "figures and tables": "figure",
    "table": "table",
    "abbreviations": "back",
    "acknowledgements": "back",
    "acknowledgments": "back",
    "acknowledgment": "back",
    "additional data files": "supplementary",
    "author's contributions": "back",
    "authors contributions": "back",
    "authors' contributions": "back",
    "competing interests": "back",
    "footnotes": "back",
    "list of abbreviations": "back",
    "pre-publication history": "back",
    "supplementary material": "supplementary",
    "supporting information": "supplementary",
}


def main() -> None:
    source, target = map(Path, sys.argv[1:])
    target.mkdir(parents=True, exist_ok=True)
    for part, papers in documents(source).items():
        anagnosis.write(papers, target / f"{part}.jsonl", format="jsonl", replace=True)


def documents(craft: Path) -> dict[str, list[Document]]:
    """The articles by part, each in sections, with all concepts as mentions and the gold sentences as a fact."""
    sentences: dict[str, list[str]] = defaultdict(list)
    for row in _rows(craft / "conllu" / "sentences.tsv.gz"):
        sentences[row["pmid"]] += [row["start"], row["end"]]
    spans: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for row in _rows(craft / "formatting.tsv.gz"):
        if row["kind"] == "section":
            spans[row["pmid"]].append((int(row["start"]), int(row["end"]), row["first_line"]))
    mentions: dict[str, list[Mention]] = defaultdict(list)
    for name, data in sorted(_members(craft / "concepts.tar.xz", ".xml")):
        for ident, concepts in knowtator.read(io.BytesIO(data), Counter(), name):
            mentions[ident] += [Mention(a.spans, a.text, a.type, a.identifier, a.name) for a in concepts]
    texts = {Path(name).stem: data.decode() for name, data in _members(craft / "articles.tar.xz", ".txt")}
    return {
        part: [
            Document(
                ident,
                tuple(sections(texts[ident], spans[ident])),
                tuple(mentions[ident]),
                facts={"sentence_offsets": " ".join(sentences[ident])},
            )
            for ident in sorted(texts[f"craft-ids-{part}"].split())
        ]
        for part in PARTS
    }


def sections(text: str, spans: list[tuple[int, int, str]]) -> Iterator[Section]:
    """The text in pieces of one innermost section each, so that the text of the document stays the same.

    spans: start and end in characters, first line. A figure inside a section divides it into pieces of one label.
    """
    spans = sorted(spans, key=lambda span: (span[0], -span[1]))
    borders = {0, len(text) + 1}
    outer = 0
    for start, end, _ in spans:
        borders.add(text.rfind("\n", 0, start) + 1)
        if end <= outer:  # What follows a figure belongs to the section around it.
            borders.add(text.find("\n", end) + 1 or len(text) + 1)
        outer = max(outer, end)
    starts = [start for start, _, _ in spans]
    for begin, after in pairwise(sorted(borders)):
        piece = text[begin : after - 1]
        place = begin + len(piece) - len(piece.lstrip())
        inside = [span for span in spans[: bisect_right(starts, place)] if place < span[1]]
        yield Section(_label(inside[-1][2]) if inside else "body", piece)


def _label(first_line: str) -> str:
    known = LABELS.get(first_line.lower()) or LABELS.get(first_line.lower().partition(" ")[0])
    return known or first_line.lower()


def _members(archive: Path, ending: str) -> Iterator[tuple[str, bytes]]:
    """(name, content) of the files with that ending."""
    with tarfile.open(archive, "r:xz") as opened:
        for member in opened:
            file = opened.extractfile(member) if member.name.endswith(ending) else None
            if file is not None:
                yield member.name, file.read()


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as rows:
        yield from csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE)


if __name__ == "__main__":
    main()
