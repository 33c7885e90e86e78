"""Papers made of the bundled corpus, as many as wanted, for benchmarks of searches.

Passages of about 164 words: sentences of two papers shuffled, every tenth word another, drawn from a vocabulary that
grows with the collection as real ones do, so that postings grow. With `facts`, papers have what a citation of MEDLINE
has: date, journal, types, authors, MeSH terms and identifiers, each drawn with a few common values and many rare ones.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import anagnosis
from anagnosis.corpus import carried
from anagnosis.documents.document import Document, Section

WORDS, FRESH, SEED = 164, 0.1, 7
_HEADINGS = ("BACKGROUND", "METHODS", "RESULTS", "CONCLUSIONS")
_JOURNALS, _TYPES, _DESCRIPTORS, _FAMILIES, _GIVEN = 2_000, 60, 30_000, 50_000, 400


def texts(count: int) -> Iterator[tuple[str, str]]:
    """(title, text) of so many passages."""
    draw = random.Random(SEED)
    papers = [document for kind in ("pubtator", "medline") for document in anagnosis.read(carried(kind))]
    sentences = [s.strip() for paper in papers for s in paper.text.split(". ") if s.strip()]
    titles = [paper.title for paper in papers if paper.title]
    for number in range(count):
        words = " ".join(draw.choices(sentences, k=11)).split()[:WORDS]
        for place in range(len(words)):
            if draw.random() < FRESH:
                words[place] = fresh(draw, number)
        yield f"{draw.choice(titles)} {fresh(draw, number)}", " ".join(words)


def documents(count: int, *, facts: bool = False, sections: int = 1) -> Iterator[Document]:
    """So many papers. sections: passages of each, at most 4."""
    draw = random.Random(SEED)
    for number, (title, text) in enumerate(texts(count)):
        words = text.split()
        size = -(-len(words) // sections)
        parts = [" ".join(words[at : at + size]) for at in range(0, len(words), size)]
        named = _HEADINGS[:sections] if sections > 1 else ("",)
        abstract = [Section("abstract", part, name, name) for part, name in zip(parts, named, strict=False)]
        known = _facts(draw, number) if facts else {"date": "2020"}
        yield Document(str(number), (Section("title", title), *abstract), facts=known)


def _facts(draw: random.Random, number: int) -> dict[str, str]:
    return {
        "date": f"{int(2025 - 60 * draw.random() ** 2)}-{draw.randint(1, 12):02}",
        "journal": f"Journal of {_name(_drawn(draw, _JOURNALS))}",
        "types": "; ".join(dict.fromkeys(f"Type {_name(_drawn(draw, _TYPES))}" for _ in range(2))),
        "authors": "; ".join(
            f"{_name(_drawn(draw, _FAMILIES))}, {_name(_drawn(draw, _GIVEN))} {_name(draw.randrange(26))[:1]}"
            for _ in range(5)
        ),
        "mesh": "; ".join(
            dict.fromkeys(f"Descriptor {_name(_drawn(draw, _DESCRIPTORS))}" for _ in range(10))
        ),
        "doi": f"10.1000/{number}",
        "pmcid": f"PMC{number}",
    }


def fresh(draw: random.Random, number: int) -> str:
    """A word of a vocabulary that has grown to 1,000 and one for every fifth passage; the first are the commonest."""
    return _letters(int((1000 + number / 5) ** draw.random())) + "q"


def _drawn(draw: random.Random, values: int) -> int:
    """A number below `values`; the first are the commonest."""
    return int(values ** draw.random())


def _name(number: int) -> str:
    return f"{_letters(number)}a".title()


def _letters(rank: int) -> str:
    letters = ""
    while rank:
        rank, letter = divmod(rank, 26)
        letters += chr(97 + letter)
    return letters
