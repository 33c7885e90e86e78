"""Yes, no or maybe for unlabelled questions, by two people (PubMedQA, Algorithm 1).

    SHEETS/ann.html                    question, context and conclusion, for annotator 1; "unfit" removes a question
    SHEETS/bea.html                    question and context, for annotator 2
    SHEETS/drawn.discussion.json       what the two labelled differently, once both have labelled everything
    SHEETS/discussion.html             these questions with both labels, which they discuss on one page
    SHEETS/decisions-NAME.jsonl        what each saved; decisions-discussion.jsonl what they agreed on

There is one discussion. Where somebody changes an answer after it was written, so that it lacks a question, it has to
be taken away first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.receipt import draft
from anagnosis.datasets.kinds.decision import LABELS, DecisionInstance
from anagnosis.datasets.pubmedqa import labelling
from anagnosis.datasets.pubmedqa.labelling import NONE, TO_DISCUSS, UNFIT, UNLABELLED, outcome
from anagnosis.errors import InputError
from anagnosis.io import outputs
from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_bytes
from anagnosis.io.paths import PathLike
from anagnosis.labelling.decision_answers import CHOICES, GUIDE, question
from anagnosis.labelling.drawn import Draw, Drawn, instances_by_id
from anagnosis.labelling.opened_study import OpenedStudy, open_study
from anagnosis.labelling.people import Person
from anagnosis.labelling.question_page import render
from anagnosis.labelling.returned import returned
from anagnosis.labelling.study import TIME, Choice, Field, Study
from anagnosis.progress import print_note

KIND = "decisions"
GROWS = False
_DISCUSSED = "drawn.discussion.json"
DISCUSSION = "discussion"
LABEL, AGREED = "label", "agreed"
_UNFIT = Choice(UNFIT, meaning=labelling.UNFIT_MEANING)
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


@dataclass(frozen=True, slots=True)
class Sheets:
    """How far the labelling is. drawn: instances on the sheets. labels: how many are agreed on, by label.

    unlabelled: by either annotator. to_discuss: answered differently, not discussed yet. unfit, no_agreement: removed.
    discussion: the page on which what is left is discussed, "" where nothing is, or where both must label
    first. dataset: what was written, None where nothing was.
    """

    drawn: int
    labels: dict[str, int]
    unlabelled: int
    to_discuss: int
    unfit: int
    no_agreement: int
    discussion: str = ""
    dataset: store.Dataset | None = None


def draw(dataset: store.Dataset, how: Draw) -> Drawn:
    """Draw so many unlabelled questions for two people."""
    how.refuse(KIND, "split", "view", "only", "knowledge", "texts")
    count = how.demand_count()
    _refuse_other_people(how.people)
    ids = labelling.draw(dataset, count, how.seed)
    first, second = (person.name for person in how.people)
    print_note(f"{first} sees the conclusion of each paper, {second} does not")
    return how.record(KIND, store.fingerprint(dataset, store.ALL), ids)


def studies(dataset: store.Dataset, drawn: Drawn, sheets: Path) -> Mapping[Person, Study]:
    """What annotator 1, annotator 2 and, in the discussion, both are asked. InputError: another dataset."""
    if store.fingerprint(dataset, store.ALL) != drawn.dataset:
        what = "the sheets were drawn from another dataset"
        raise InputError(what, str(sheets), "name the dataset that they were drawn from")
    _refuse_other_people(drawn.people)
    asked = instances_by_id(dataset, store.ALL, drawn.ids, DecisionInstance)
    each = dict(zip(drawn.ids, asked, strict=True))
    first, second = drawn.people
    found = {first: _labelling(drawn, each, first=True), second: _labelling(drawn, each, first=False)}
    if labels := _discussed(sheets):
        both = Person(DISCUSSION, f"{first.name} and {second.name}")
        found[both] = _discussion(drawn, each, labels)
    return found


def read(study: OpenedStudy, out: PathLike | None, *, replace: bool) -> Sheets:
    """Read the files of both pages, and list what was labelled differently for a discussion.

    out: write what is agreed on as a dataset of PQA-L's kind; all must be labelled and, where labels differ, discussed.
    """
    dataset, sheets = study.dataset, study.folder
    if out is not None:
        outputs.output_folder(out, inputs=(dataset.folder, sheets))
    answers, agreed = _read_labels(study)
    final = {ident: outcome(*both, agreed.get(ident, "")) for ident, both in answers.items()}
    counts = Counter(final.values())
    discussion = _write_discussion(study, answers, counts[UNLABELLED])
    made = None
    if out is not None:
        if counts[UNLABELLED] or counts[TO_DISCUSS]:
            what = f"{counts[UNLABELLED]:,} questions are not labelled by both, {counts[TO_DISCUSS]:,} not discussed"
            raise InputError(
                what, str(sheets), f"finish the sheets and {discussion or 'the discussion'} first"
            )
        removed = {"not_answerable": counts[UNFIT], "no_agreement": counts[labelling.NO_AGREEMENT]}
        labelled = {ident: (*answers[ident], label) for ident, label in final.items() if label in LABELS}
        labelled_from = store.fingerprint(dataset, store.ALL)
        made = writing.write(
            out,
            {"train": labelling.instances(dataset, labelled)},
            {"dataset": "pubmedqa", "kind": "decision", "labelled_from": labelled_from},
            lambda: draft(dropped={rule: count for rule, count in removed.items() if count}),
            replace=replace,
        )
    return Sheets(
        len(answers),
        {label: counts[label] for label in sorted(LABELS) if counts[label]},
        counts[UNLABELLED],
        counts[TO_DISCUSS],
        counts[UNFIT],
        counts[labelling.NO_AGREEMENT],
        discussion if counts[TO_DISCUSS] else "",
        made,
    )


def summary(record: Sheets) -> list[str]:
    """How many labels are agreed on, and what is left."""
    counts = {
        **record.labels,
        "not labelled by both": record.unlabelled,
        "to discuss": record.to_discuss,
        "not answerable by yes, no or maybe": record.unfit,
        "no agreement": record.no_agreement,
    }
    lines = [f"{record.drawn:,} questions, {sum(record.labels.values()):,} agreed on"]
    lines += [f"{name}: {count:,}" for name, count in counts.items() if count]
    return [*lines, *[f"fill in {record.discussion} together"] * bool(record.discussion)]


def _refuse_other_people(people: tuple[Person, ...]) -> None:
    """Refuse (InputError) other people than two, and a name that is the discussion's."""
    if len(people) != 2:
        what = f"{len(people)} people, and Algorithm 1 takes two"
        raise InputError(what, "--people", "name who sees the conclusion and who does not: --people ann,bea")
    if any(person.file_name.casefold() == DISCUSSION for person in people):
        raise InputError(
            f"the name {DISCUSSION!r} is that of the discussion", "--people", "give another name"
        )


def _read_labels(study: OpenedStudy) -> tuple[dict[str, tuple[str, str]], dict[str, str]]:
    """id → (first's label, second's), "" where there is none yet; id → what both agreed on in the discussion."""
    first, second, *both = study.studies
    given = {each.of.person: each.last for each in returned(study).files}

    def of(person: Person, ident: str) -> str:
        return given.get(person, {}).get(ident, {LABEL: ""})[LABEL]

    agreed = {ident: line[AGREED] for each in both for ident, line in given.get(each, {}).items()}
    return {ident: (of(first, ident), of(second, ident)) for ident in study.drawn.ids}, agreed


def _write_discussion(study: OpenedStudy, answers: Mapping[str, tuple[str, str]], unlabelled: int) -> str:
    """Write a page with what both labelled differently, once both have labelled everything; gives its file, or "".

    InputError: there is one, which lacks a question, since somebody changed a label after it was written.
    """
    page, sheets = f"{DISCUSSION}.html", study.folder
    known = _discussed(sheets)
    differing = {ident: both for ident, both in answers.items() if outcome(*both, "") == TO_DISCUSS}
    if known:
        if missing := [ident for ident in differing if ident not in known]:
            what = f"the discussion lacks {len(missing):,} questions that are labelled differently ({missing[0]})"
            remedy = "take it away, and run the command again for another"
            raise InputError(what, str(sheets / _DISCUSSED), remedy)
        return page
    if unlabelled or not differing:
        return ""
    write_bytes(sheets / _DISCUSSED, msgspec.json.format(msgspec.json.encode(differing), indent=1) + b"\n")
    *_, (both, discussion) = open_study(study.dataset, sheets).studies.items()
    write_bytes(sheets / page, render(discussion, both, study.drawn.seed))
    return page


def _labelling(drawn: Drawn, each: Mapping[str, DecisionInstance], *, first: bool) -> Study:
    choices = (*CHOICES, _UNFIT) if first else CHOICES
    return Study(
        kind=KIND,
        title=f"Yes, no or maybe? {len(drawn.ids):,} questions",
        instructions=(_FIRST if first else _SECOND, labelling.CONDITIONS, TIME),
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
        raise InputError("is no record of a discussion of these questions", _DISCUSSED, "delete it")
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


def _discussed(sheets: Path) -> dict[str, tuple[str, str]]:
    """Of the discussion: id → the label of annotator 1, and of annotator 2. Empty where there is none yet."""
    path = sheets / _DISCUSSED
    if not path.exists():
        return {}
    return read_json(path, dict[str, tuple[str, str]], "delete it", "is no record of a discussion")
