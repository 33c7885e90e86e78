"""Answers of people to cloze questions, on a page in their browser (CliCR, section 7.1: an expert and a novice).

    SHEETS/questions.html       the page for everybody
    SHEETS/drawn.json           what was drawn
    SHEETS/answers-NAME.jsonl   what each person saved: predictions, which `agreement` and `score` read

The page shows the texts with their entities' names, unless another view is chosen. An entity is a link that marks its
other places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from anagnosis.datasets.folder import store
from anagnosis.errors import InputError
from anagnosis.labelling import Draw, Summary
from anagnosis.labelling.cloze_questions import PAGE, RECORD, draw_questions, opened, question, read_draw
from anagnosis.labelling.new_sheets import write_new
from anagnosis.labelling.question_page import Study, render
from anagnosis.paths import PathLike
from anagnosis.predictions.lines import Prediction, numbered
from anagnosis.predictions.problems import Problems

DRAWN = "{drawn:,} questions drawn; give questions.html to each person, and put the files that they save beside it"
KIND = "answers"
FILE = "answers"
INSTRUCTIONS = (
    "Read each passage, and write what stands in the gap of the question below it: a disease, a drug, a test, or "
    "whatever fits. Several answers may be right; write the one that you think was there.",
    "Entities are links: choose one to see where else it stands. Its name, or its label such as @entity3, may be your "
    "answer, but any other words may be, too. Choose “Cannot tell” where neither the passage nor your "
    "knowledge gives an answer.",
    "The page counts the seconds during which you see a question. You may stop at any time and go on later in the same "
    "browser. When you are done, save the file and give it back.",
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
    """Write the page with the drawn questions."""
    dataset = opened(source, sheets)
    record, instances = draw_questions(KIND, dataset, how)
    view = dataset.viewer(record.view)
    study = Study(
        title=f"Which words stand in the gap? {len(instances):,} questions",
        instructions=INSTRUCTIONS,
        questions=tuple(question(instance, view(instance)) for instance in instances),
        prompt="Answer",
        saved_as="answer",
        file=FILE,
        constants={"dataset": record.dataset},
    )
    write_new(sheets, {PAGE: render(study), RECORD: record.encoded()})
    return AnswerSheets(len(record.ids), record.split)


def read(
    source: PathLike | store.Dataset, sheets: Path, out: PathLike | None, *, replace: bool = False
) -> AnswerSheets:
    """How far each person has come."""
    del replace
    if out is not None:
        raise InputError("answers of people make no dataset", "--out", "leave it out, or take --json")
    drawn = read_draw(KIND, opened(source, sheets), sheets)
    people: list[PersonAnswers] = []
    for path in sorted(sheets.glob(f"{FILE}-*.jsonl*")):
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
        left = {PAGE: record.drawn}
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
        answers = lines.setdefault((line.annotator or path.stem, line.group or "people"), {})
        if line.id in answers:
            raise InputError(f"a second answer to {line.id!r}", where, "keep one of the lines")
        answers[line.id] = line
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
