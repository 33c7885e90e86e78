"""A plot as an <svg> element for a page: the same bytes each time, and the page's colours.

No date, a fixed salt for identifiers, the user's matplotlib settings set aside. Text stays text; ink, rules
and the eight hues become the page's own variables, so a picture follows it into the dark.
"""

from __future__ import annotations

import io
import re
import threading
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from anagnosis.reports.renderers import plots
from anagnosis.reports.renderers.plots import HUES, INK, RULE
from anagnosis.reports.report import Plot, Table
from anagnosis.showing import masked

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The drawings that a table can ask for, by name; each says what its table holds.
DRAWINGS: dict[str, Callable[[Table], Figure]] = {
    drawing.__name__: drawing
    for drawing in (
        plots.accuracy_by_candidates,
        plots.accuracy_by_group,
        plots.score_by_training_size,
        plots.accuracy_with_intervals,
        plots.difference_with_intervals,
        plots.left_after_each_rule,
    )
}
_SETTINGS = {
    "svg.fonttype": "none",
    "svg.hashsalt": "anagnosis",
    "font.family": ["DejaVu Sans"],
    "font.size": 10.0,
    "text.parse_math": False,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlesize": 10.0,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.axisbelow": True,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": RULE,
    "grid.linewidth": 0.8,
    "legend.frameon": False,
    "legend.fontsize": 9.5,
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
}
_DRAWING = threading.Lock()  # matplotlib's settings are of the whole process


def draw(plot: Plot, name: str) -> str:
    """The plot as an <svg> element for a page; name keeps its identifiers apart from other plots'."""
    from matplotlib import style

    # "default" puts back what a user has set, but for backends and the like.
    with _DRAWING, style.context(["default", _SETTINGS]), warnings.catch_warnings():
        # The page's font has it. Legends are measured, so that not only saving looks glyphs up.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        return _inline(_svg(DRAWINGS[plot.drawing](_masked(plot.data))), plot, name)


def _masked(table: Table) -> Table:
    """The table without what the library has no letter for and fails on."""
    return replace(
        table,
        caption=masked(table.caption),
        columns=tuple(replace(column, name=masked(column.name)) for column in table.columns),
        rows=tuple(
            tuple(masked(cell) if isinstance(cell, str) else cell for cell in row) for row in table.rows
        ),
    )


def _svg(figure: Figure) -> str:
    target = io.StringIO()
    figure.savefig(
        target, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
    )
    return target.getvalue()


def _inline(svg: str, plot: Plot, name: str) -> str:
    """The picture without what only a file of its own needs, with a title and description to listen to."""
    opening, body = svg[svg.index("<svg") :].rstrip().split(">", 1)
    body = re.sub(r"<metadata>.*?</metadata>\s*", "", body, flags=re.DOTALL)
    box = re.search(r'viewBox="[^"]*"', opening)
    assert box is not None, "matplotlib always writes a viewBox"
    return (
        f'<svg {box[0]} role="img" aria-labelledby="{name}-title {name}-desc"'
        ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">\n'
        f'<title id="{name}-title">{escape(plot.title)}</title>\n'
        f'<desc id="{name}-desc">{escape(plot.description)}</desc>'
        + re.sub(r"<[^>]+>", lambda tag: _themed(_named(tag[0], name)), body)
    )


def _named(tag: str, name: str) -> str:
    """The tag with its identifier, or those it points to, made this picture's own."""
    return re.sub(r'\b(id|clip-path|xlink:href|href)="(url\(#|#|)', rf'\1="\2{name}-', tag)


def _themed(tag: str) -> str:
    """The tag with the page's variables for our colours."""
    tag = tag.replace(INK, "currentColor").replace(RULE, "var(--line, #c5ccd4)")
    for number, hue in enumerate(HUES):
        tag = tag.replace(hue, f"var(--e{number}, {hue})")
    return tag
