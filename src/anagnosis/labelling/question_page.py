"""One offline page on which a person answers questions in a browser: no network, no other file, no library.

A `Study` says what is asked and how; `render` makes the page. Whoever adds a kind of study gives questions and a form,
and changes nothing here. The page shows one question at a time, counts the seconds during which it is visible, keeps
the progress in the browser, and saves a file of JSON lines, one for each answered question:

    {"id": "bcr-2012-1.2", "answer": "phosphate enemas", "dataset": "3f0c…", "annotator": "ann", "group": "experts", "seconds": 61.2}
    {"id": "bcr-2012-1.2", "skills": ["bridging", "object tracking"]}

Text of papers is hostile input: jinja2 escapes it, characters that browsers obey are masked, and the page's security
policy allows its own script and style alone, by their hashes.
"""  # noqa: E501  (a line of the saved file, whole)

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec

from anagnosis.masking import escaped_json
from anagnosis.templates import environment

if TYPE_CHECKING:
    from jinja2 import Template

LONGEST_ANSWER = 500  # characters of the text field
GAP = "____"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text. entity: index into the question's entities, None for plain text. gap: the hidden entity."""

    text: str
    entity: int | None = None
    gap: bool = False


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity of a question. label: "@entity3". names: in the texts, empty where the person must not see them.

    answer: what the saved line holds where the person answers by the label.
    """

    label: str
    names: tuple[str, ...]
    answer: str

    @property
    def number(self) -> str:
        """The label's number."""
        return self.label.removeprefix("@entity")


@dataclass(frozen=True, slots=True)
class Question:
    """What a person reads. passage: its lines. known: (heading, text) of what stands below the question, such as its
    answer."""

    id: str
    passage: tuple[tuple[Piece, ...], ...]
    question: tuple[Piece, ...]
    entities: tuple[Entity, ...] = ()
    known: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice with its meaning. alone: beside it no other may be chosen."""

    name: str
    meaning: str
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Study:
    """What is asked.

    title: of the page. instructions: paragraphs above the first question. prompt: the words beside the field.
    saved_as: the field of the saved lines. choices: of which a person may take several; without any there is a text
    field, and `unsure` is the label of the box for "no answer", saved as null. file: the saved file is FILE-NAME.jsonl.
    constants: further fields of each line. about_person: whether lines carry annotator, group and seconds, too.
    """

    title: str
    instructions: tuple[str, ...]
    questions: tuple[Question, ...]
    prompt: str
    saved_as: str
    file: str
    choices: tuple[Choice, ...] = ()
    unsure: str = "Cannot tell"
    constants: Mapping[str, str] = field(default_factory=dict[str, str])
    about_person: bool = True


def render(study: Study) -> bytes:
    """The page, the same bytes for the same study.

    What is saved, ids and answers, stands in one attribute as JSON, to the letter; what is shown is masked.
    """
    identity = hashlib.sha256(msgspec.json.encode(study)).hexdigest()[:32]
    script, style = _part("js"), _part("css")
    form = {
        "field": study.saved_as,
        "file": study.file,
        "constants": dict(study.constants),
        "person": study.about_person,
        "ids": [question.id for question in study.questions],
        "answers": [[entity.answer for entity in question.entities] for question in study.questions],
    }
    from markupsafe import Markup

    text = _template().render(
        study=study,
        identity=identity,
        form=escaped_json(msgspec.json.encode(form).decode()),
        script=Markup(script),
        style=Markup(style),
        script_hash=_hash(script),
        style_hash=_hash(style),
        gap=GAP,
        longest=LONGEST_ANSWER,
    )
    return text.encode()


@cache
def _template() -> Template:
    return environment("anagnosis.labelling").get_template("question_page.html.jinja")


@cache
def _part(ending: str) -> str:
    return files("anagnosis.labelling").joinpath("templates", f"question_page.{ending}").read_text("utf-8")


def _hash(text: str) -> str:
    """As a security policy names an inline script or style."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
