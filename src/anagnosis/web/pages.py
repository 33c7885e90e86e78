"""Templates into pages. Everything goes through jinja2's escaping; paper text is hostile input."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from anagnosis.reports.search.results import (
    CONCLUDE,
    NO_NAMES,
    NO_PAPER_ABOUT,
    SENTENCES,
    STATES,
    described_paper,
)
from anagnosis.searching.analysis import WHAT_IT_IS_ABOUT
from anagnosis.searching.citing import FORMATS
from anagnosis.searching.sentences.highlighting import STRENGTHS
from anagnosis.showing import environment
from anagnosis.web.contents import passage_name, path
from anagnosis.web.explanations import EXPLAINED, KINDS, NO_PAPER, NO_SENTENCE
from anagnosis.web.histogram import HEIGHT, bars, within
from anagnosis.web.limits import LONGEST_NAME, LONGEST_QUESTION, MOST_EXPORTED
from anagnosis.web.marked_text import excerpts, quote_cut

if TYPE_CHECKING:
    from jinja2 import Environment

    from anagnosis.web.faults import Refusal

_STYLE = "text/css; charset=utf-8"
_SCRIPT = "text/javascript; charset=utf-8"
STATIC = {
    "style.css": _STYLE,
    "results.css": _STYLE,
    "answer.css": _STYLE,
    "paper.css": _STYLE,
    "icon.svg": "image/svg+xml",
    "submit.js": _SCRIPT,
    "copy.js": _SCRIPT,
    "complete.js": _SCRIPT,
    "keyboard.js": _SCRIPT,
    "feedback.js": _SCRIPT,
    "years.js": _SCRIPT,
    "selecting.js": _SCRIPT,
    "contents.js": _SCRIPT,
}
# One a subject; every page has them all.
STYLES = [name for name, kind in STATIC.items() if kind == _STYLE]
SCRIPTS = [name for name, kind in STATIC.items() if kind == _SCRIPT]
# Of each notice: its name, what it says, whether the paper must not be relied on.
NOTICES = {
    "retracted": ("Retracted", "this paper was retracted.", True),
    "expression_of_concern": (
        "Expression of concern",
        "the journal has published a concern about this paper.",
        True,
    ),
    "erratum": ("Erratum", "a correction of this paper was published.", False),
    "notice_of": ("Notice", "this is a notice about another paper.", False),
}
HEADINGS = {
    400: "This cannot be asked",
    404: "Not found",
    405: "This cannot be done here",
    413: "Too large",
    414: "The address is too long",
    421: "Not served here",
    429: "Too many requests",
    500: "Something broke",
    503: "Not just now",
}


def page(name: str, values: Mapping[str, Any]) -> str:
    """A page from `templates/`."""
    return _environment().get_template(f"{name}.html.jinja").render(**values)


def fault_page(refusal: Refusal, again: str) -> str:
    """The page of a refusal. again: the address that it leads back to."""
    heading = HEADINGS.get(refusal.status, "This cannot be answered")
    return page("fault", {"refusal": refusal, "heading": heading, "again": again})


@cache
def static(name: str) -> bytes:
    """A file of STATIC."""
    return files("anagnosis.web").joinpath("static", name).read_bytes()


def static_address(name: str) -> str:
    """With a mark of what is in it, so that a browser can keep it for good."""
    return f"/static/{name}?v={hashlib.sha256(static(name)).hexdigest()[:12]}"


def address(path: str, **values: Any) -> str:
    """An address with its parameters; empty ones left out, lists repeated."""
    given = {name: value for name, value in values.items() if value not in ("", None, [], ())}
    return f"{path}?{urlencode(given, doseq=True)}" if given else path


@cache
def _environment() -> Environment:
    named: dict[str, Any] = {
        "static": static_address,
        "styles": STYLES,
        "scripts": SCRIPTS,
        "address": address,
        "kinds": KINDS,
        "no_names": NO_NAMES,
        "notice_words": NOTICES,
        "states": STATES,
        "explained": EXPLAINED,
        "quote_cut": quote_cut,
        "strengths": STRENGTHS,
        "excerpts": excerpts,
        "bars": bars,
        "within": within,
        "histogram_height": HEIGHT,
        "longest_question": LONGEST_QUESTION,
        "longest_name": LONGEST_NAME,
        "most_exported": MOST_EXPORTED,
        "passage_name": passage_name,
        "heading_path": path,
        "no_sentence": NO_SENTENCE,
        "no_paper": NO_PAPER,
        "conclude": CONCLUDE,
        "sentences_that_fit": SENTENCES,
        "no_paper_about": NO_PAPER_ABOUT,
        "described_paper": described_paper,
        "what_it_is_about": WHAT_IT_IS_ABOUT,
        "export_formats": {name: format.title for name, format in FORMATS.items()},
    }
    return environment("anagnosis.web", **named)
