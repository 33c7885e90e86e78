"""The lines of a predictions file beside the questions of a split: what the task does not allow, each fault by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import short
from anagnosis.datasets.gold import ids_of
from anagnosis.datasets.kinds.question import TYPES, QuestionInstance
from anagnosis.datasets.kinds.table import demand_record
from anagnosis.errors import InputError
from anagnosis.io.counts import Counts
from anagnosis.io.input_files import display_names
from anagnosis.predictions import Prediction, common_split
from anagnosis.predictions.lines import numbered
from anagnosis.submissions.bioasq.rules import Texts, faults
from anagnosis.wording import shortened


@dataclass(slots=True)
class SubmissionCheck(Counts):
    """Of a file of answers to experts' questions. split: that the questions are in. lines: of the file."""

    files: int = 1
    split: str = ""
    questions: int = 0
    lines: int = 0

    @property
    def looked_at(self) -> str:
        """What was verified, in words."""
        return f"{self.lines:,} lines for {self.questions:,} questions of {self.split}"


@dataclass(slots=True)
class Answered:
    """The answers of files. found: id → (where, the first line) of each question of the split.

    faults: (where, id, name, words) of lines that are no answers. problems: of the files.
    """

    split: str
    found: dict[str, tuple[str, Prediction]] = field(default_factory=dict[str, tuple[str, Prediction]])
    lines: int = 0
    faults: list[tuple[str, str, str, str]] = field(default_factory=list[tuple[str, str, str, str]])
    problems: Counts = field(default_factory=Counts)


def answered(dataset: store.Dataset, files: Sequence[Path], split: str | None) -> Answered:
    """Read predictions files, or submissions. split: default the one in which their ids lie.

    InputError: the dataset has no experts' questions; lines of several people, answers made for another dataset, or
    types of questions; files without a line, or for different splits.
    """
    demand_record(dataset.kind, QuestionInstance, str(dataset.folder))
    given = Answered(split or common_split(files, dataset))
    here, ids = store.fingerprint(dataset, given.split), ids_of(dataset, given.split)
    wanted = set(ids.between(0, len(ids)))
    for file, name in zip(files, display_names(files), strict=True):
        for number, prediction in numbered(file, given.problems, name):
            given.lines += 1
            where, ident = f"{name}:{number}", prediction.id
            if prediction.annotator is not None:
                raise InputError(
                    "the answers of people are no submission", where, "name a system's predictions"
                )
            # Documents and snippets may be those that a run chose from another dataset about the same questions.
            if prediction.retrieved is None and prediction.dataset not in (None, here):
                what = f"made for another dataset or split (here: {given.split} {short(here)})"
                raise InputError(what, where, "give the dataset they were made for")
            if prediction.scores and prediction.scores.keys() <= {*TYPES}:
                raise InputError("the lines answer with types of questions", where, "name exact answers")
            if ident not in wanted:
                what = "".join(f", whose ids are such as {own}" for own in ids.between(0, 1))
                given.faults.append(
                    (where, ident, "foreign_id", f"the question is not in {given.split}{what}")
                )
            elif ident in given.found:
                what = f"the question has a line before, at {given.found[ident][0]}"
                given.faults.append((where, ident, "repeated_id", what))
            else:
                given.found[ident] = where, prediction
    if not given.lines:
        raise InputError("no predictions", ", ".join(display_names(files)), "check the files")
    return given


def check(
    dataset: store.Dataset, file: Path, split: str | None, texts: Texts | None = None
) -> SubmissionCheck:
    """Every fault of a file. texts: of documents, to compare snippets with."""
    given = answered(dataset, [file], split)
    found = SubmissionCheck(split=given.split, questions=dataset.sizes[given.split], lines=given.lines)
    for where, ident, name, words in _every_fault(dataset, given, texts):
        found.add(name, f"{where}: question {shortened(ident)!r}: {words}")
    return found


def refuse_faults(
    dataset: store.Dataset, given: Answered, files: Sequence[Path], texts: Texts | None = None
) -> None:
    """InputError: the first fault, with the number of the others. files: of the answers."""
    if not (wrong := [*_every_fault(dataset, given, texts)]):
        return
    where, ident, _, words = wrong[0]
    more = f", and {len(wrong) - 1:,} other fault{'' if len(wrong) == 2 else 's'}" if len(wrong) > 1 else ""
    file = quote(str(files[0])) if len(files) == 1 else "FILE"
    command = f"anagnosis check {quote(str(dataset.folder))} {file} --split {given.split}"
    what = f"question {shortened(ident)!r}: {words}{more}"
    raise InputError(what, where, f"correct it; `{command}` lists every fault")


def _every_fault(
    dataset: store.Dataset, given: Answered, texts: Texts | None
) -> Iterator[tuple[str, str, str, str]]:
    """(where, id, name, words) of every fault, by question."""
    yield from given.faults
    for question in store.instances(dataset, given.split, of=QuestionInstance):
        if question.id in given.found:
            where, prediction = given.found[question.id]
            for name, words in faults(question, prediction, texts):
                yield where, question.id, name, words
