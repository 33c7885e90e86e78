"""The page of questions: what it holds, that nothing of a text is obeyed, that it needs nothing but itself."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.labelling.question_page import Choice, Entity, Piece, Question, Study, render
from anagnosis.masking import masked


class Read(HTMLParser):
    """What a browser makes of a page: tags with their attributes, and the text outside script and style."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.parts: dict[str, list[str]] = {"script": [], "style": [], "": []}
        self._inside = ""
        self.feed(page.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag if tag in self.parts else ""

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        self.parts[self._inside].append(data)

    def text(self, inside: str = "") -> str:
        return "".join(self.parts[inside])

    def form(self) -> dict[str, object]:
        (body,) = (attributes for tag, attributes in self.tags if tag == "body")
        return json.loads(body["data-form"] or "")


def study(*questions: Question, choices: tuple[Choice, ...] = ()) -> Study:
    return Study(
        title="Questions",
        instructions=("Read.",),
        questions=questions,
        prompt="Answer",
        saved_as="answer",
        file="answers",
        choices=choices,
        constants={"dataset": "3f0c"},
    )


ENTITIES = (Entity("@entity0", ("fever", "Fever"), "fever"), Entity("@entity1", (), "MESH:D1"))
ASKED = Question(
    "r.1",
    ((Piece("He had "), Piece("fever", 0), Piece(".")), (Piece("@entity1", 1),)),
    (Piece("Give "), Piece("XXXX", gap=True), Piece(" for "), Piece("Fever", 0)),
    ENTITIES,
    (("Answer:", "aspirin"),),
)


def test_the_page_shows_the_question_and_keeps_what_is_saved() -> None:
    read = Read(render(study(ASKED)))
    text = " ".join(read.text().split())
    assert "He had fever0." in text  # the number stands as a subscript
    assert "Give ____ for Fever0" in text
    assert "@entity0 fever, Fever" in text
    assert "Answer: aspirin" in text
    assert "@entity1" in text
    assert "@entity11" not in text  # a label is not numbered again
    assert read.form() == {
        "field": "answer",
        "file": "answers",
        "constants": {"dataset": "3f0c"},
        "person": True,
        "ids": ["r.1"],
        "answers": [["fever", "MESH:D1"]],
    }
    links = [attributes["href"] for tag, attributes in read.tags if tag == "a"]
    assert set(links) == {"#q0-e0", "#q0-e1"}
    assert {attributes.get("id") for tag, attributes in read.tags if tag == "li"} == {"q0-e0", "q0-e1"}


def test_the_page_needs_nothing_but_itself() -> None:
    page = render(study(ASKED))
    read = Read(page)
    assert not re.search(rb"https?:|url\(|@import|fetch\(|XMLHttpRequest|innerHTML|eval\(", page)
    assert not [tag for tag, _ in read.tags if tag in ("img", "link", "iframe", "object", "base")]
    assert not [
        name for _, attributes in read.tags for name in attributes if name in ("src", "style", "action")
    ]
    assert not [name for _, attributes in read.tags for name in attributes if name.startswith("on")]


def test_its_policy_names_its_own_script_and_style_alone() -> None:
    read = Read(render(study(ASKED)))
    policy = next(str(each["content"]) for tag, each in read.tags if tag == "meta" and "http-equiv" in each)
    hashes = {
        part: base64.b64encode(hashlib.sha256(read.text(part).encode()).digest()).decode()
        for part in ("script", "style")
    }
    assert policy.split("; ") == [
        "default-src 'none'",
        f"style-src 'sha256-{hashes['style']}'",
        f"script-src 'sha256-{hashes['script']}'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    assert [tag for tag, _ in read.tags].count("script") == 1


def test_choices_have_boxes_and_their_meanings_and_no_text_field() -> None:
    choices = (Choice("bridging", "words mean the same"), Choice("none", "no answer", alone=True))
    read = Read(render(study(ASKED, choices=choices)))
    boxes = [attributes for tag, attributes in read.tags if tag == "input" and "value" in attributes]
    assert [(each["value"], "data-alone" in each) for each in boxes if each.get("type") == "checkbox"] == [
        ("bridging", False),
        ("none", True),
    ]
    assert "words mean the same" in read.text()
    assert not [each for tag, each in read.tags if tag == "input" and each.get("name") in ("text", "unsure")]
    assert "Use as answer" not in read.text()


def test_progress_is_kept_by_study() -> None:
    def identity(page: bytes) -> str:
        return re.findall(rb'data-study="(\w+)"', page)[0].decode()

    other = Question("r.2", ASKED.passage, ASKED.question, ENTITIES)
    assert identity(render(study(ASKED))) == identity(render(study(ASKED)))
    assert len({identity(render(study(*each))) for each in ((ASKED,), (other,), (ASKED, other))}) == 3


HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    '" onfocus=alert(1) autofocus x="',
    "</p></section><img src=x onerror=alert(1)>",
    "{{ 7 * 7 }} {% raw %} ${7 * 7}",
    "\u202eReversed\u202c \u05e9\u05dc\u05d5\u05dd",
    "&lt;b&gt; &amp; ]]> -->",
    "\x00\x1b[31m\u2028",
    "javascript:alert(1)",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_and_not_obeyed(text: str) -> None:
    _is_shown_as_it_is(text)


@given(st.text(st.characters(codec="utf-8") | st.sampled_from("<>\"'&{}%`$\\/="), max_size=30))
def test_any_text_is_shown_as_it_is(text: str) -> None:
    _is_shown_as_it_is(text)


def _is_shown_as_it_is(text: str) -> None:
    """The tags are those of a harmless text, every text is read back, and what is saved is the same to the letter."""

    def page(text: str) -> Read:
        entity = Entity("@entity0", (text,), text)
        pieces = (Piece(text), Piece(text, 0))
        asked = Question(text, (pieces,), (*pieces, Piece("X", gap=True)), (entity,), ((text, text),))
        choices = (Choice(text, text),)
        return Read(render(study(asked, choices=choices)))

    read, harmless = page(text), page("harmless")
    assert [(tag, [*each]) for tag, each in read.tags] == [(tag, [*each]) for tag, each in harmless.tags]
    assert [read.text(part) for part in ("script", "style")] == [
        harmless.text(part) for part in ("script", "style")
    ]
    # A text shown 15 times: newlines of the masked text as HTML reads them.
    shown = masked(text).replace("\r\n", "\n").replace("\r", "\n")
    assert read.text() == harmless.text().replace("harmless", shown)
    assert (read.form()["ids"], read.form()["answers"]) == ([text], [[text]])
