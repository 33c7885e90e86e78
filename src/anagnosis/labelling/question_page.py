"""One page on which a person answers the questions of a study in a browser: no other file, no library, no network.

`render` makes a person's page of a `Study` (study.py). The page keeps what the person answers in the browser and saves
it as a file of JSON lines. Whenever the person leaves a question whose answer has changed, the page adds a line, so
that of several lines of a question the last is valid:

    {"id": "12345:0", "answer": "gene/57", "dataset": "3f0c…", "annotator": "ann", "group": "experts",
     "knowledge": "context", "seconds": 61.2, "place": 3}

Text of papers is hostile input: jinja2 escapes it, characters that browsers obey are masked, and the page's security
policy allows its own script and style alone, by their hashes: it may load and send nothing.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec

from anagnosis.labelling.drawn import order
from anagnosis.labelling.people import Person
from anagnosis.labelling.study import Field, Study
from anagnosis.showing import environment, escaped_json

if TYPE_CHECKING:
    from jinja2 import Template

GAP = "____"
# In templates/, in their order.
_SCRIPTS = ("fields", "layout", "time", "lines", "keeping", "page")
_LISTED = 20  # entities that are listed open: BIOMRC has no more (section 2); a report of CliCR has a hundred


def render(study: Study, person: Person, seed: int) -> bytes:
    """The person's page, the same bytes for the same study, person and seed, which give the order of the questions.

    What is saved, ids and answers, stands in one attribute as JSON, to the letter; what is shown is masked.
    """
    places = order([question.id for question in study.questions], person.name, seed)
    questions = [study.questions[place] for place in places]
    script, style = _script(), _part("css")
    form: dict[str, Any] = {
        "file": person.saved(study.kind),
        "idle": study.idle,
        "order": study.line_fields,
        "constants": {**study.constants, "annotator": person.name, "group": person.group},
        "fields": [_form_of(field) for field in study.fields],
        "ids": [question.id for question in questions],
        "answers": [[entity.answer for entity in question.entities] for question in questions],
    }
    if any(field.entities and field.text for field in study.fields):  # whoever writes a name means the entity
        form["names"] = [[entity.names for entity in question.entities] for question in questions]
    # So that the pages of two people, or of two studies, keep their answers apart in one browser.
    identity = hashlib.sha256(msgspec.json.encode(form)).hexdigest()[:32]
    from markupsafe import Markup

    text = _template().render(
        study=study,
        person=person,
        questions=questions,
        identity=identity,
        form=escaped_json(msgspec.json.encode(form).decode()),
        script=Markup(script),
        style=Markup(style),
        script_hash=_hash(script),
        style_hash=_hash(style),
        gap=GAP,
        listed=_LISTED,
        chooses=any(field.entities for field in study.fields),
    )
    return text.encode()


def _form_of(field: Field) -> dict[str, Any]:
    """What the script needs to know of a field; the rest it reads from the page."""
    return {
        "name": field.name,
        "several": field.several,
        "entities": field.entities,
        "text": field.text,
        "choices": [choice.value for choice in field.choices],
        "alone": [choice.value for choice in field.choices if choice.alone],
        "empties": {choice.value: choice.empties for choice in field.choices if choice.empties},
        "none": bool(field.none),
        "legend": field.legend,
    }


@cache
def _template() -> Template:
    return environment("anagnosis.labelling").get_template("question_page.html.jinja")


@cache
def _script() -> str:
    parts = "\n".join(_part(f"{name}.js") for name in _SCRIPTS)
    return f'\n"use strict";\n(() => {{\n{parts}\n}})();\n'


@cache
def _part(ending: str) -> str:
    return files("anagnosis.labelling").joinpath("templates", f"question_page.{ending}").read_text("utf-8")


def _hash(text: str) -> str:
    """As a security policy names an inline script or style."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
