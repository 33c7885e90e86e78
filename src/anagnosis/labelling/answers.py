"""Answers of people to cloze questions, on pages in their browsers (BIOMRC, section 3.3; CliCR, section 7.1).

    SHEETS/NAME.html            the page of each person
    SHEETS/drawn.json           what was drawn
    SHEETS/answers-NAME.jsonl   what each person saved: predictions

An entity is a link, which marks its other places and is the answer. Where answers are no candidates of the passage,
as in CliCR, any words may be written, too. Then the person marks what the answer is from (thesis, Figure 3.3), unless
the study has only "a choice or clueless" (BioRead, section 3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.errors import InputError
from anagnosis.labelling import Draw, Summary
from anagnosis.labelling.cloze_draw import draw_questions, drawn_instances, opened, read_draw
from anagnosis.labelling.cloze_questions import question
from anagnosis.labelling.drawn import Drawn
from anagnosis.labelling.new_sheets import write_study
from anagnosis.labelling.people import GROUP
from anagnosis.labelling.study import KNOWLEDGE_FIELD, LONGEST_TEXT, Field, Study
from anagnosis.paths import PathLike
from anagnosis.predictions.lines import Prediction, numbered
from anagnosis.predictions.problems import Problems

DRAWN = "{drawn:,} questions drawn; give each person their page, and put the files that they save beside the pages"
KIND = "answers"
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


@dataclass(frozen=True, slots=True)
class PersonAnswers:
    """What one person saved. file: its name. answered: with an answer; unsure: "cannot tell".

    left: drawn questions without a line. seconds: the median of all lines, None where none was counted.
    """

    file: str
    annotator: str
    group: str
    answered: int
    unsure: int
    left: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class AnswerSheets:
    """drawn: questions on the page. split: of the dataset, from which they are. people: those who saved a file."""

    drawn: int
    split: str
    people: tuple[PersonAnswers, ...] = ()


def draw(source: PathLike | store.Dataset, sheets: Path, how: Draw) -> AnswerSheets:
    """Write a page for each person with the drawn questions."""
    if not how.people:
        raise InputError("who answers?", "--people", "name the people: --people NAME,NAME")
    dataset = opened(source, sheets)
    record, _ = draw_questions(KIND, dataset, how)
    texts = _has_other_answers(dataset, record.split) if how.texts is None else how.texts
    record = msgspec.structs.replace(record, knowledge=how.knowledge, texts=texts)
    write_study(sheets, record, study(dataset, record))
    return AnswerSheets(len(record.ids), record.split)


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
) -> AnswerSheets:
    """How far each person has come."""
    del replace
    if out is not None:
        raise InputError("answers of people make no dataset", "--out", "leave it out, or take --json")
    drawn = read_draw(KIND, opened(source, sheets), sheets)
    people: list[PersonAnswers] = []
    for path in sorted(sheets.glob(f"{KIND}-*.jsonl*")):
        people += _people(path, set(drawn.ids), drawn.dataset)
    names = [person.annotator for person in people]
    for person in people:
        if names.count(person.annotator) > 1:
            what = f"{person.annotator!r} has two files"
            raise InputError(
                what, str(sheets / person.file), "keep one, or write another name into one of them"
            )
    return AnswerSheets(len(drawn.ids), drawn.split, tuple(people))


def summary(record: AnswerSheets, source: PathLike, sheets: PathLike, out: PathLike | None) -> Summary:
    """What each person answered, and how the answers are scored."""
    lines = [f"{record.drawn:,} questions of {record.split}"]
    for person in record.people:
        seconds = "" if person.seconds is None else f", {person.seconds:,.0f} s a question (median)"
        said = f"{person.answered:,} answered, {person.unsure:,} “cannot tell”, {person.left:,} left"
        lines.append(f"{person.annotator} ({person.group}): {said}{seconds}")
    left = {person.annotator: person.left for person in record.people if person.left}
    if not record.people:
        left = {"nobody's file is here": record.drawn}
    files = " ".join(str(Path(sheets) / name) for name in dict.fromkeys(each.file for each in record.people))
    then = (f"anagnosis agreement {source} {files}",) if record.people else ()
    return Summary(tuple(lines), {"not answered": left} if left else {}, then)


def _people(path: Path, ids: set[str], dataset: str) -> Iterator[PersonAnswers]:
    """Each annotator of a file."""
    lines: dict[tuple[str, str], dict[str, Prediction]] = {}
    for number, line in numbered(path, Problems()):
        where = f"{path.name}:{number}"
        if line.id not in ids:
            what = f"{line.id!r} is no question of these sheets"
            raise InputError(what, where, "take the file away, or name the sheets that it belongs to")
        if line.dataset not in (None, dataset):
            raise InputError("answers to the questions of another dataset", where, "take the file away")
        # A changed answer has a line of its own, and the last one is valid.
        lines.setdefault((line.annotator or path.stem, line.group or GROUP), {})[line.id] = line
    for (annotator, group), answers in lines.items():
        given = [each for each in answers.values() if each.answer is not None]
        seconds = [each.seconds for each in answers.values() if each.seconds is not None]
        yield PersonAnswers(
            file=path.name,
            annotator=annotator,
            group=group,
            answered=len(given),
            unsure=len(answers) - len(given),
            left=len(ids) - len(answers),
            seconds=median(seconds) if seconds else None,
        )
