"""Yes, no or maybe by two people on pages, as PQA-L was made (PubMedQA, Algorithm 1).

    SHEETS/ann.html                    question, context and conclusion, for annotator 1; "unfit" removes a question
    SHEETS/bea.html                    question and context, for annotator 2
    SHEETS/drawn.discussions.json      what the two labelled differently, once both have labelled everything
    SHEETS/discussion.html             these questions with both labels, which they discuss on one page
    SHEETS/decisions-NAME.jsonl        what each saved; decisions-discussion.jsonl what they agreed on

Labels that differ only after a discussion was written, since somebody changed an answer, become a further one:
discussion-2.html. What people agreed on before stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import LABELS, DecisionInstance
from anagnosis.datasets.pubmedqa.labelling import CONDITIONS, NONE, UNFIT, UNFIT_MEANING, Labelled
from anagnosis.errors import InputError
from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_bytes
from anagnosis.labelling.decision_answers import CHOICES, GUIDE, question
from anagnosis.labelling.drawn import Drawn, instances_by_id
from anagnosis.labelling.opened_study import open_study
from anagnosis.labelling.people import Person
from anagnosis.labelling.question_page import render
from anagnosis.labelling.returned import returned
from anagnosis.labelling.study import TIME, Choice, Field, Study

KIND = "decisions"
RECORD = "drawn.discussions.json"
DISCUSSION = "discussion"
LABEL, AGREED = "label", "agreed"
_UNFIT = Choice(UNFIT, meaning=UNFIT_MEANING)
_NONE = Choice(NONE, "no agreement", "the question is removed")
_FIRST = (
    "Read each question, its abstract and the paper's conclusion, and label the question with yes, no or "
    f"maybe. Choose “{UNFIT}” where none of them can be the answer."
)
_SECOND = "Read each question and its abstract, and label the question with yes, no or maybe."
_BOTH = (
    "You labelled these questions differently. Discuss each, now that both of you see the conclusion, and choose the "
    f"label that you agree on; where you cannot agree, choose “{_NONE.label}”."
)


class Discussions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """rounds: of each discussion, id → the label of annotator 1, and of annotator 2."""

    rounds: tuple[dict[str, tuple[str, str]], ...] = ()


def refuse_other_people(people: tuple[Person, ...]) -> None:
    """Refuse (InputError) other people than two, and a name that is the discussion's."""
    if len(people) != 2:
        what = f"{len(people)} people, and Algorithm 1 takes two"
        raise InputError(what, "--people", "name who sees the conclusion and who does not: --people ann,bea")
    if any(person.file_name.casefold().startswith(DISCUSSION) for person in people):
        raise InputError(
            f"the name {DISCUSSION!r} is that of the discussion", "--people", "give another name"
        )


def studies(dataset: store.Dataset, drawn: Drawn, sheets: Path) -> dict[Person, Study]:
    """What annotator 1, annotator 2 and, in each discussion, both are asked. InputError: another dataset."""
    if store.fingerprint(dataset, store.ALL) != drawn.dataset:
        what = "the sheets were drawn from another dataset"
        raise InputError(what, str(sheets), "name the dataset that they were drawn from")
    refuse_other_people(drawn.people)
    asked = instances_by_id(dataset, store.ALL, drawn.ids, DecisionInstance)
    each = dict(zip(drawn.ids, asked, strict=True))
    first, second = drawn.people
    found = {first: _labelling(drawn, each, first=True), second: _labelling(drawn, each, first=False)}
    for number, labels in enumerate(_read(sheets).rounds):
        found[_person(number, drawn)] = _discussion(drawn, each, labels)
    return found


def read_labels(dataset: store.Dataset, sheets: Path) -> Labelled:
    """What the two labelled, and what they agreed on."""
    opened = open_study(dataset, sheets)
    first, second, *_ = opened.people
    given = {each.of.person: each.saved.last for each in returned(opened).files}
    labels = [
        {ident: line[LABEL] for ident, line in given.get(person, {}).items()} for person in (first, second)
    ]
    answers = {ident: (labels[0].get(ident, ""), labels[1].get(ident, "")) for ident in opened.drawn.ids}
    discussed = {
        ident: line[AGREED]
        for person, lines in given.items()
        if person not in (first, second)
        for ident, line in lines.items()
    }
    return Labelled(answers, discussed)


def write_discussion(dataset: store.Dataset, sheets: Path, labelled: Labelled) -> str:
    """Write a page with what both labelled differently and have not discussed; gives the file of the last page.

    Both must have labelled everything; "" where no page is needed.
    """
    before = _read(sheets)
    known = {ident for labels in before.rounds for ident in labels}
    new = {ident: labelled.answers[ident] for ident in labelled.differing if ident not in known}
    if new and not labelled.unlabelled:
        before = Discussions((*before.rounds, new))
        write_bytes(sheets / RECORD, msgspec.json.format(msgspec.json.encode(before), indent=1) + b"\n")
    opened = open_study(dataset, sheets)
    pages = {person: study for person, study in opened.studies.items() if person not in opened.drawn.people}
    for person, study in pages.items():
        if not (sheets / person.page).exists():
            write_bytes(sheets / person.page, render(study, person, opened.drawn.seed))
    return "" if not pages else [*pages][-1].page


def _labelling(drawn: Drawn, each: Mapping[str, DecisionInstance], *, first: bool) -> Study:
    choices = (*CHOICES, _UNFIT) if first else CHOICES
    return Study(
        kind=KIND,
        title=f"Yes, no or maybe? {len(drawn.ids):,} questions",
        instructions=(_FIRST if first else _SECOND, CONDITIONS, TIME),
        questions=tuple(question(each[ident], conclusion=first) for ident in drawn.ids),
        fields=(Field(LABEL, "Your label", choices),),
        guide=GUIDE,
        constants={"dataset": drawn.dataset},
        idle=drawn.idle,
    )


def _discussion(
    drawn: Drawn, each: Mapping[str, DecisionInstance], labels: Mapping[str, tuple[str, str]]
) -> Study:
    first, second = (person.name for person in drawn.people)
    if not labels.keys() <= each.keys() or not {label for both in labels.values() for label in both} <= {
        *LABELS
    }:
        raise InputError("is no record of a discussion of these questions", RECORD, "delete it")
    return Study(
        kind=KIND,
        title=f"What do you agree on? {len(labels):,} questions",
        instructions=(_BOTH, TIME),
        questions=tuple(
            question(
                each[ident],
                conclusion=True,
                known=((f"{first}, who saw the conclusion:", one), (f"{second}, who did not:", other)),
            )
            for ident, (one, other) in labels.items()
        ),
        fields=(Field(AGREED, "The label that you agree on", (*CHOICES, _NONE)),),
        guide=GUIDE,
        constants={"dataset": drawn.dataset},
        idle=drawn.idle,
    )


def _person(number: int, drawn: Drawn) -> Person:
    """Both people, in a discussion. number: from 0."""
    group = " and ".join(person.name for person in drawn.people)
    return Person(DISCUSSION if not number else f"{DISCUSSION} {number + 1}", group)


def _read(sheets: Path) -> Discussions:
    path = sheets / RECORD
    return (
        read_json(path, Discussions, "delete it", "is no record of discussions")
        if path.exists()
        else Discussions()
    )
