"""A report as one page: no script, no other file, readable on a phone, on paper and in the dark.

jinja2 escapes everything from a file, and the page forbids scripts (its security policy). Plots are inline pictures.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from anagnosis.reports.renderers.numbers import grid
from anagnosis.reports.report import Plot, Report
from anagnosis.showing import environment

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

HUES = 8  # colours of entities in report.css


def render(report: Report, *, page: bool = True) -> str:
    """The whole page, or the title and the blocks, for a page of others, such as a notebook."""
    from markupsafe import Markup

    blocks = [(type(block).__name__.lower(), block) for block in report.whole]
    style = Markup(files("anagnosis.reports").joinpath("templates/report.css").read_text("utf-8"))
    return _template().render(page=page, report=report, blocks=blocks, style=style).strip() + "\n"


@cache
def _template() -> Template:
    names = {"grid": grid, "picture": _picture, "hues": HUES}
    # The renderer masks a report's texts itself.
    return environment("anagnosis.reports", mask=False, **names).get_template("report.html.jinja")


def _picture(plot: Plot, number: int) -> Markup:
    """The drawn plot, marked as safe: `draw` escapes what it writes."""
    from markupsafe import Markup

    from anagnosis.reports.renderers.picture import draw

    return Markup(draw(plot, f"plot{number}"))
