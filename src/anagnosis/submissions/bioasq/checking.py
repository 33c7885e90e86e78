"""The lines of a predictions file beside the questions of a split: what the task does not allow, each fault by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

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
from anagnosis.submissions.bioasq.rules import faults
from anagnosis.wording import shortened


@dataclass(slots=True)
class SubmissionCheck(Counts):
    """Of files of answers to experts' questions. split: that the questions are in. lines: of the files."""

    files: int = 1
    split: str = ""
    questions: int = 0
    lines: int = 0

    @property
    def looked_at(self) -> str:
        """What was verified, in words."""
        return f"{self.lines:,} lines for {self.questions:,} questions of {self.split}"


def check(
    dataset: store.Dataset, files: Sequence[Path], split: str | None
) -> tuple[SubmissionCheck, dict[str, Prediction], Counts]:
    """Every fault of predictions files, or submissions; id → the first line of each question; problems of the files.

    split: default the one in which their ids lie.
    InputError: the dataset has no experts' questions; lines of several people, answers made for another dataset, or
    types of questions; a file without a line; files for different splits.
    """
    demand_record(dataset.kind, QuestionInstance, str(dataset.folder))
    split = split or common_split(files, dataset)
    found = SubmissionCheck(split=split, questions=dataset.sizes.get(split, 0))
    here, ids = store.fingerprint(dataset, split), ids_of(dataset, split)
    wanted = set(ids.between(0, len(ids)))
    answers: dict[str, Prediction] = {}
    places: dict[str, str] = {}
    problems = Counts()
    for file, name in zip(files, display_names(files), strict=True):
        before = found.lines
        for number, line in numbered(file, problems, name):
            found.lines += 1
            where = f"{name}:{number}"
            if line.annotator is not None:
                what, remedy = "the answers of people are no submission", "name a system's predictions"
                raise InputError(what, where, remedy)
            # Documents and snippets may be those that a run chose from another dataset about the same questions.
            if line.retrieved is None and line.dataset not in (None, here):
                what = f"made for another dataset or split (here: {split} {short(here)})"
                raise InputError(what, where, "give the dataset they were made for")
            if line.scores and line.scores.keys() <= {*TYPES}:
                raise InputError("the lines answer with types of questions", where, "name exact answers")
            of_line = f"{where}: question {shortened(line.id)!r}: the question"
            if line.id not in wanted:
                such = "".join(f", whose ids are such as {own}" for own in ids.between(0, 1))
                found.add("foreign_id", f"{of_line} is not in {split}{such}")
            elif line.id in answers:
                found.add("repeated_id", f"{of_line} has a line before, at {places[line.id]}")
            else:
                answers[line.id], places[line.id] = line, where
        if found.lines == before:
            raise InputError("holds no predictions", name, "check the file")
    for question in store.instances(dataset, split, of=QuestionInstance):
        if question.id in answers:
            for name, words in faults(question, answers[question.id]):
                found.add(name, f"{places[question.id]}: question {shortened(question.id)!r}: {words}")
    return found, answers, problems
