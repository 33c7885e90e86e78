"""What stands in some blocks of a report, for tests that read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from anagnosis.reports import RENDERERS, render
from anagnosis.reports.report import Block, Cell, Heading, Listing, Plot, Report, Table, Text

PICTURES = ".html"  # the format that draws


def table(blocks: Iterable[Block], caption: str) -> Table:
    """The one table that is called so."""
    (found,) = (block for block in blocks if isinstance(block, Table) and block.caption == caption)
    return found


def plot(blocks: Iterable[Block], title: str) -> Plot:
    """The one picture that is called so."""
    (found,) = (block for block in blocks if isinstance(block, Plot) and block.title == title)
    return found


def sentences(blocks: Iterable[Block]) -> list[tuple[str, str]]:
    """(label, sentence) of every listing."""
    return [
        (own.label, "".join(run.text for run in own.runs))
        for block in blocks
        if isinstance(block, Listing)
        for own in block.items
    ]


def texts(blocks: Iterable[Block]) -> list[tuple[str, str]]:
    """(text, tone)"""
    return [(block.text, block.tone) for block in blocks if isinstance(block, Text)]


def headings(blocks: Iterable[Block]) -> list[tuple[str, int]]:
    return [(block.text, block.level) for block in blocks if isinstance(block, Heading)]


def columns(of: Table) -> list[tuple[str, str]]:
    """(name, kind)"""
    return [(column.name, column.kind) for column in of.columns]


def column(of: Table, name: str) -> list[Cell]:
    """The cells under a name."""
    place = [own.name for own in of.columns].index(name)
    return [row[place] for row in of.rows]


def check_every_format(blocks: Sequence[Block], *words: str) -> None:
    """Each format shows these words and every caption; pictures stand in the one that draws."""
    captions = [block.caption for block in blocks if isinstance(block, Table)]
    titles = [block.title for block in blocks if isinstance(block, Plot)]
    for suffix in RENDERERS:
        shown = " ".join(render(Report("Of people", tuple(blocks)), suffix).split())
        for expected in (*words, *captions, *(titles if suffix == PICTURES else ())):
            assert expected in shown, (suffix, expected)
        assert (shown.count("<svg") == len(titles)) == (suffix == PICTURES or not titles), suffix
