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
from anagnosis.reports.search.results import (
    CONCLUDE,
    LONGEST_SHOWN,
    NO_PAPER_ABOUT,
    SENTENCES,
    STATES,
    described_paper,
    highlights,
    part,
    printed_pages,
    verdict,
)
from anagnosis.searching.analysis import WHAT_IT_IS_ABOUT
from anagnosis.searching.answers.states import NOTHING_LIMIT
from anagnosis.searching.citing import FORMATS
from anagnosis.searching.filters import NAME_FILTERS
from anagnosis.searching.records.hits import Hit, Sentence
from anagnosis.searching.sentences.highlighting import STRENGTHS
from anagnosis.searching.sentences.sentences import plain
from anagnosis.showing import environment
from anagnosis.web.contents import passage_name, path
from anagnosis.web.histogram import HEIGHT, bars, within
from anagnosis.web.limits import LONGEST_NAME, LONGEST_QUESTION, MOST_EXPORTED

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
HEADINGS = {
    400: "This cannot be asked",
    403: "Not shown here",
    404: "Not found",
    405: "This cannot be done here",
    409: "This page cannot be shown",
    413: "Too large",
    414: "The address is too long",
    421: "Not served here",
    429: "Too many requests",
    500: "Something broke",
    503: "Not just now",
}
_NO_SENTENCE = Sentence(0, 0, 0.0)
NOWHERE: Mapping[str, str] = {}
LONGEST_QUOTE = 420  # characters of a sentence; the rest is folded
# Where there is no sentence to quote, with and without papers.
NO_SENTENCE = "No sentence here has a word of the question. The papers that fit best stand below."
NO_PAPER = "No paper in this collection fits the question."
KINDS = {
    "yesno": "Read as asking for yes or no.",
    "factoid": "Read as asking for one name or number.",
    "list": "Read as asking for a list.",
    "summary": "Read as asking for a description.",
}
EXPLAINED = {
    "state": (
        "How much of the question the papers have, and whether the first sentence stands out and holds the asked kind "
        "of answer, decide between “answered here”, “perhaps not answered here” and “nothing about this here”. Where "
        "half of the questions had no answer in the collection, three in four of the first sentences “answered here” "
        "were right for questions like those that the rule was fitted on, and two in three for new ones. At most "
        f"{NOTHING_LIMIT:.0%} of the questions with an answer were to get “nothing”. Other collections differ."
    ),
    "strength": "Dots show how well a sentence fits the question. The list begins with the best.",
    "conclusion": (
        "Only papers with most of the question's words, the rarer ones among them, are listed, best match first; of "
        "what is added or compared, both sides. “In rats” or “in children”: the question does not ask about these. "
        "Papers disagree; their number is no vote. The kind of paper comes from rules and can be wrong."
    ),
}  # fmt: skip


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
        "states_of_papers": states.STATES,
        "states": STATES,
        "verdict": verdict,
        "explained": EXPLAINED,
        "quote_cut": quote_cut,
        "strengths": STRENGTHS,
        "plain": plain,
        "excerpts": excerpts,
        "best_sentence": best_sentence,
        "bars": bars,
        "within": within,
        "histogram_height": HEIGHT,
        "longest_question": LONGEST_QUESTION,
        "longest_name": LONGEST_NAME,
        "name_filters": NAME_FILTERS,
        "most_exported": MOST_EXPORTED,
        "passage_name": passage_name,
        "printed_pages": printed_pages,
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


def quote_cut(text: str, longest: int = LONGEST_QUOTE) -> int:
    """Where the shown part of a long sentence ends: behind a word, or its length if it is not long.

    A remainder of less than a line is not folded.
    """
    if len(text) <= longest + 80:
        return len(text)
    return max(text.rfind(" ", longest // 2, longest), 0) or longest
