"""A report as one page: no script, no other file, readable on a phone, on paper and in the dark.

Everything from a file goes through jinja2's escaping; the page also forbids scripts (its security policy), so
that a name could not run one even if it came through. Plots are inline pictures with a title and
a description.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from anagnosis.reports.renderers.numbers import best_cells, filled, table_texts
from anagnosis.reports.report import Block, Report
from anagnosis.showing import environment

if TYPE_CHECKING:
    from jinja2 import Template

HUES = 8  # colours of entities in report.css


def render(report: Report) -> str:
    """The whole page."""
    return _rendered(report, page=True)


def fragment(report: Report) -> str:
    """The title and the blocks, for a page of others, such as a notebook."""
    return _rendered(report, page=False)


def _rendered(report: Report, *, page: bool) -> str:
    from markupsafe import Markup

    blocks = [(type(block).__name__.lower(), block) for block in report.whole]
    style = files("anagnosis.reports").joinpath("templates/report.css").read_text("utf-8")
    text = _template().render(
        page=page, report=report, blocks=blocks, pictures=_pictures(report.whole), style=Markup(style)
    )
    return text.strip() + "\n"


@cache
def _template() -> Template:
    names = {"texts": table_texts, "best": best_cells, "filled": filled, "hues": HUES}
    # The renderer masks a report's texts itself.
    return environment("anagnosis.reports", mask=False, **names).get_template("report.html.jinja")


def _pictures(blocks: tuple[Block, ...]) -> dict[int, Any]:
    """The drawn plots by the number of their block, marked as safe: `draw` escapes what it writes."""
    from markupsafe import Markup

    from anagnosis.reports.report import Plot

    plots = [(number, block) for number, block in enumerate(blocks, 1) if isinstance(block, Plot)]
    if not plots:
        return {}
    from anagnosis.reports.renderers.picture import draw

    return {number: Markup(draw(plot, f"plot{number}")) for number, plot in plots}
