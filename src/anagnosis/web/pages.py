"""Templates into pages. Everything goes through jinja2's escaping; paper text is hostile input.

A page shows a passage's text in parts with and without a mark, and explains each figure of an answer in plain words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from anagnosis.documents import states
from anagnosis.documents.document import HEADING_PATH
from anagnosis.reports.search import results
from anagnosis.reports.search.results import LONGEST_SHOWN, highlights, part
from anagnosis.searching.analysis import WHAT_IT_IS_ABOUT
from anagnosis.searching.answers.states import NOTHING_LIMIT
from anagnosis.searching.citing.formats import FORMATS
from anagnosis.searching.filters import NAME_FILTERS
from anagnosis.searching.records.hits import Hit, Sentence
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.highlighting import STRENGTHS
from anagnosis.searching.sentences.sentences import plain
from anagnosis.showing import environment
from anagnosis.web.limits import LONGEST, MOST_EXPORTED, MOST_PAGES
from anagnosis.wording import counted

if TYPE_CHECKING:
    from jinja2 import Environment

    from anagnosis.web.faults import Refusal

_KINDS = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
# One a subject; every page has them all.
STYLES = [f"{name}.css" for name in ("style", "results", "answer", "paper")]
SCRIPTS = [f"{name}.js" for name in ["submit", "copy", "complete", "keyboard", "feedback", "selecting"]]
STATIC = {name: _KINDS[name.rpartition(".")[2]] for name in (*STYLES, *SCRIPTS, "icon.svg")}
_NO_SENTENCE = Sentence(0, 0, 0.0)
NOWHERE: Mapping[str, str] = {}


def page(name: str, values: Mapping[str, Any]) -> str:
    """A page from `templates/`."""
    return _environment().get_template(f"{name}.html.jinja").render(**values)


def fault_page(refusal: Refusal, again: str) -> str:
    """The page of a refusal. again: the address that it leads back to."""
    return page("fault", {"refusal": refusal, "again": again})


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
        "number_of": counted,
        "states_of_papers": states.STATES,
        "wording": results,
        "nothing_limit": NOTHING_LIMIT,
        "strengths": STRENGTHS,
        "plain": plain,
        "excerpts": excerpts,
        "best_sentence": best_sentence,
        "longest": LONGEST,
        "most_pages": MOST_PAGES,
        "name_filters": NAME_FILTERS,
        "most_exported": MOST_EXPORTED,
        "headings": headings,
        "what_it_is_about": WHAT_IT_IS_ABOUT,
        "export_formats": {name: format.title for name, format in FORMATS.items()},
    }
    return environment("anagnosis.web", **named)


def headings(passage: Passage) -> list[str]:
    """The headings above a passage as printed, the outermost first; its section where it has none."""
    parts = [part for part in passage.heading.split(HEADING_PATH) if part.strip()]
    return parts or [passage.section.capitalize()]


def best_sentence(hit: Hit) -> Sentence:
    """The sentence of a passage that fits best; an empty one where none fits."""
    return max(
        (one for one in hit.sentences if one.strength), key=lambda one: one.score, default=_NO_SENTENCE
    )


class Excerpt(NamedTuple):
    """A part of a text, from the character `begin` on; strength 0: not marked; place: where the answer quotes it."""

    begin: int
    text: str
    strength: int
    score: float
    place: str = ""


def excerpts(hit: Hit, longest: int = LONGEST_SHOWN, places: Mapping[str, str] = NOWHERE) -> list[Excerpt]:
    """The text of a passage, or as much as fits around its best sentence, in marked and unmarked parts.

    They follow each other without a gap: joined they are a part of the text. places: where the answer quotes sentences.
    """
    text = hit.passage.text
    begin, end = part(text, hit.sentences, longest)
    marked = highlights(hit.sentences, begin, end)
    at, made = begin, list[Excerpt]()
    for one in hit.sentences:
        sentence = text[one.begin : one.end]
        place = places.get(plain(sentence), "")
        if begin <= one.begin and one.end <= end and (place or one in marked):
            made.append(Excerpt(at, text[at : one.begin], 0, 0.0))
            made.append(Excerpt(one.begin, sentence, one.strength, one.score, place))
            at = one.end
    made.append(Excerpt(at, text[at:end], 0, 0.0))
    return [piece for piece in made if piece.text]
