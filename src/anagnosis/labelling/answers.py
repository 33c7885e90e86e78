"""Answers of people to cloze questions, on pages in their browsers (BIOMRC, section 3.3; CliCR, section 7.1).

    SHEETS/NAME.html            the page of each person
    SHEETS/drawn.json           what was drawn
    SHEETS/answers-NAME.jsonl   what each person saved: predictions

An entity is a link, which marks its other places and is the answer. Where answers are no candidates of the passage,
as in CliCR, any words may be written, too. Then the person marks what the answer is from (thesis, Figure 3.3), unless
the study has only "a choice or clueless" (BioRead, section 3).
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.errors import InputError
from anagnosis.labelling import Draw, Summary, collecting
from anagnosis.labelling.cloze_draw import draw_questions, drawn_instances, opened, read_draw
from anagnosis.labelling.cloze_questions import question
from anagnosis.labelling.collecting import Collected, collect, nothing_yet
from anagnosis.labelling.drawn import Drawn
from anagnosis.labelling.new_sheets import write_study
from anagnosis.labelling.people import Person
from anagnosis.labelling.study import KNOWLEDGE_FIELD, LONGEST_TEXT, Field, Study
from anagnosis.paths import PathLike

DRAWN = "{drawn:,} questions drawn; give each person their page, and put the files that they save beside the pages"
KIND = "answers"
COLLECTED = "anagnosis agreement {source} {out}"
"""What reads the collected lines."""
_READ = "Read each passage. Then say which entity stands in the gap of the question: the one that was hidden there."
_READ_TEXTS = (
    "Read each passage. Then say what stands in the gap of the question: a disease, a drug, a test, or whatever fits. "
    "Several answers may be right; give the one that you think was there."
)
_CHOOSE = (
    "Entities are links. Choose one in the passage, in the question or in the list, and it is your answer; all its "
    "places are marked."
)
_WRITE = "Any other words may be your answer, too: write them."
_KNOWLEDGE = (
    "Then say how you could answer: with prior knowledge only, with the context only, or with both. If you could not "
    "answer, say so. Choose an answer where you think that it is probably right, even if you are not sure."
)
_CLUELESS = (
    "If you have no clue, say so. Choose an answer where you think that it is probably right, even if you are not "
    "sure."
)
_TIME = (
    "The page counts the seconds during which you see a question and use the page. You may stop at any time and go on "
    "later."
)


def draw(source: PathLike | store.Dataset, sheets: Path, how: Draw) -> Collected:
    """Write a page for each person with the drawn questions."""
    if not how.people:
        raise InputError("who answers?", "--people", "name the people: --people NAME,NAME")
    dataset = opened(source, sheets)
    record, _ = draw_questions(KIND, dataset, how)
    texts = _has_other_answers(dataset, record.split) if how.texts is None else how.texts
    record = msgspec.structs.replace(record, knowledge=how.knowledge, texts=texts)
    write_study(sheets, record, studies(dataset, record, sheets), may_grow=True)
    return nothing_yet(record)


def studies(source: PathLike | store.Dataset, drawn: Drawn, sheets: Path) -> dict[Person, Study]:
    """The study of a draw, the same for everybody."""
    del sheets
    return dict.fromkeys(drawn.people, study(source, drawn))


def study(source: PathLike | store.Dataset, drawn: Drawn) -> Study:
    """The study of a draw."""
    dataset = source if isinstance(source, store.Dataset) else store.load(source)
    instances = drawn_instances(dataset, drawn)
    view = dataset.viewer(drawn.view)
    answer = Field(
        "answer",
        "Your answer",
        entities=True,
        text=LONGEST_TEXT if drawn.texts else 0,
        none="" if drawn.knowledge else "I could not answer the question",
    )
    read = (_READ_TEXTS, _CHOOSE, _WRITE) if drawn.texts else (_READ, _CHOOSE)
    return Study(
        kind=KIND,
        title=f"What stands in the gap? {len(instances):,} questions",
        instructions=(*read, _KNOWLEDGE if drawn.knowledge else _CLUELESS, _TIME),
        questions=tuple(question(instance, view(instance)) for instance in instances),
        fields=(answer, KNOWLEDGE_FIELD) if drawn.knowledge else (answer,),
        constants={"dataset": drawn.dataset},
        idle=drawn.idle,
    )


def _has_other_answers(dataset: store.Dataset, split: str) -> bool:
    """Whether the right answer of some question is none of its candidates, as in CliCR, so that people must write."""
    for part in dataset.parts(split):
        for batch in store.batches(part, 8192, ["answer", "answers"]):
            pairs = zip(batch.column("answer").to_pylist(), batch.column("answers").to_pylist(), strict=True)
            if any(answer is None and answers for answer, answers in pairs):
                return True
    return False


def read(
    source: PathLike | store.Dataset, sheets: Path, out: PathLike | None, *, replace: bool = False
) -> Collected:
    """How far each person has come."""
    del replace
    if out is not None:
        raise InputError("answers of people make no dataset", "--out", "leave it out, or take --json")
    dataset = opened(source, sheets)
    read_draw(KIND, dataset, sheets)
    return collect(dataset, sheets)


def summary(record: Collected, source: PathLike, sheets: PathLike, out: PathLike | None) -> Summary:
    """What each person answered, and what collects the answers."""
    return collecting.summary(record, source, sheets, out)
