"""Made-up studies, what a browser makes of a page, and the files of a folder of pages."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from anagnosis.labelling.people import Person
from anagnosis.labelling.study import KNOWLEDGE_FIELD, LONGEST_TEXT, Entity, Field, Piece, Question, Study

ANN = Person("ann", "experts")
ENTITIES = (Entity("@entity0", ("fever", "Fever"), "fever"), Entity("@entity1", (), "MESH:D1"))
ASKED = Question(
    "r.1",
    ((Piece("He had "), Piece("fever", 0), Piece(".")), (Piece("@entity1", 1),)),
    (Piece("Give "), Piece("XXXX", gap=True), Piece(" for "), Piece("Fever", 0)),
    ENTITIES,
    (("Answer:", "aspirin"),),
)
ANSWER = Field("answer", "Your answer", entities=True)
TEXT = Field("answer", "Your answer", entities=True, text=LONGEST_TEXT, none="I could not answer")
FIELDS = (ANSWER, KNOWLEDGE_FIELD)


def study(*questions: Question, fields: tuple[Field, ...] = FIELDS, **changes: Any) -> Study:
    settings: dict[str, Any] = {
        "kind": "answers",
        "title": "Questions",
        "instructions": ("Read.",),
        "constants": {"dataset": "3f0c"},
    }
    return Study(questions=questions, fields=fields, **settings | changes)


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

    def words(self) -> str:
        """The text with single blanks."""
        return " ".join(self.text().split())

    def form(self) -> dict[str, Any]:
        (body,) = (attributes for tag, attributes in self.tags if tag == "body")
        return json.loads(body["data-form"] or "")


def drawn(sheets: Path) -> dict[str, Any]:
    return json.loads((sheets / "drawn.json").read_text())


def ids(sheets: Path) -> list[str]:
    """Of the drawn questions."""
    return [*drawn(sheets)["ids"]]


def asked_ids(sheets: Path, person: str = "ann") -> list[str]:
    """Of the questions in the order of a person's page."""
    return [*Read((sheets / f"{person}.html").read_bytes()).form()["ids"]]
