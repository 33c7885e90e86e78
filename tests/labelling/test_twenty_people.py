"""Twenty people fill in their pages: every file is what its person chose, and `agreement` takes them all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from anagnosis import api
from tests.labelling.browser import opened
from tests.labelling.cloze_reports import dataset, instance
from tests.labelling.studies import Read, asked_ids

PEOPLE = 20
KNOWLEDGE = ("none", "prior", "both", "context")
# As a person clicks, all in one call.
ANSWERING = """choices => {
  document.querySelector('#begin').click();
  for (const [entity, knowledge] of choices) {
    const shown = document.querySelector('section.question:not([hidden])');
    shown.querySelector(`.entities input[data-e='${entity}']`).click();
    shown.querySelector(`input[value=${knowledge}]`).click();
    shown.querySelector('.main').click();
  }
}"""


def choice(person: int, ident: str) -> tuple[int, str]:
    """The entity and the knowledge of a person for a question."""
    number = int(ident.partition(".")[2])
    return (person + number) % 6, KNOWLEDGE[(3 * person + number) % 4]


def test_twenty_people_answer_and_their_files_are_scored(window: Any, tmp_path: Path) -> None:
    built = dataset(tmp_path / "d", [instance(f"r.{n}") for n in range(3)])
    names = [f"p{n}" for n in range(PEOPLE)]
    sheets = tmp_path / "s"
    groups = [f"experts={','.join(names[:8])}", f"novices={','.join(names[8:])}"]
    api.label(built, sheets, kind="answers", draw=3, people=groups, texts=False)
    assert len({tuple(asked_ids(sheets, name)) for name in names}) == 6, "every order of three questions"
    files: list[Path] = []
    for person, name in enumerate(names):
        opened(window, sheets, name)
        window.evaluate(ANSWERING, [choice(person, ident) for ident in asked_ids(sheets, name)])
        with window.expect_download() as download:
            window.click("#save")
        files.append(sheets / download.value.suggested_filename)
        download.value.save_as(files[-1])
    keys = Read((sheets / "p0.html").read_bytes()).form()["answers"][0]
    right = 0
    for person, (name, file) in enumerate(zip(names, files, strict=True)):
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        assert [(line["id"], line["place"]) for line in lines] == [
            (ident, place) for place, ident in enumerate(asked_ids(sheets, name), 1)
        ]
        for line in lines:
            entity, knowledge = choice(person, line["id"])
            answer = None if knowledge == "none" else keys[entity]
            assert (line["answer"], line["knowledge"], line["annotator"]) == (answer, knowledge, name)
            right += answer == "phosphate enema"
    found = api.agreement(built, files)
    assert [person.name for person in found.people] == names
    scores = [person.accuracy["wrong"] for person in found.people]
    assert sum(score.value for score in scores if score) * 3 == right
    assert {person.group for person in found.people} == {"experts", "novices"}
    record = api.label(built, sheets, kind="answers")
    assert [person.answered for person in record.people] == [3] * PEOPLE
