"""The lines of a predictions file beside the questions of a split: what the task does not allow, each fault by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.fingerprint import short
from anagnosis.datasets.gold import ids_of
from anagnosis.datasets.kinds.question import TYPES, QuestionInstance
from anagnosis.datasets.kinds.table import demand_record
from anagnosis.errors import InputError
from anagnosis.io.counts import Counts
from anagnosis.io.files import STANDARD_INPUT
from anagnosis.io.input_files import display_names
from anagnosis.predictions import Prediction, fingerprints, split_of
from anagnosis.predictions.lines import numbered
from anagnosis.predictions.problems import Problem, problems_found
from anagnosis.submissions.bioasq.rules import Fault, Texts, faults
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


@dataclass(frozen=True, slots=True)
class Answered:
    """The answers of files. predictions: id → the first line of each question of the split. name: of the files.

    places: id → where it stands. faults: (where, id, fault) of lines that are no answers. problems: of the files.
    """

    name: str
    split: str
    lines: int
    predictions: dict[str, Prediction]
    places: dict[str, str]
    faults: tuple[tuple[str, str, Fault], ...] = ()
    problems: dict[str, Problem] = field(default_factory=dict[str, Problem])


def answered(dataset: store.Dataset, files: Sequence[Path], split: str | None) -> Answered:
    """Read predictions files, or submissions. split: default the one in which their ids lie.

    InputError: the dataset has no experts' questions; lines of several people, answers made for another dataset, or
    types of questions; a file without a line; files for different splits.
    """
    demand_record(dataset.kind, QuestionInstance, str(dataset.folder))
    names = display_names(files)
    ids = {each: ids_of(dataset, each) for each in dataset.sizes}
    splits = {
        name: split or split_of(file, ids, lambda: fingerprints(dataset), name)
        for file, name in zip(files, names, strict=True)
    }
    chosen = splits[names[0]]
    if other := next((name for name in names if splits[name] != chosen), ""):
        what = f"the files are for different splits ({names[0]}: {chosen}; {other}: {splits[other]})"
        raise InputError(what, "", "give those of one split, or --split")
    here = store.fingerprint(dataset, chosen)
    wanted = set(ids[chosen].between(0, len(ids[chosen]))) if chosen in ids else set[str]()
    problems, lines = Counts(), 0
    found: dict[str, Prediction] = {}
    places: dict[str, str] = {}
    wrong: list[tuple[str, str, Fault]] = []
    rows = (
        (name, *row)
        for file, name in zip(files, names, strict=True)
        for row in _numbered(file, problems, name)
    )
    for name, number, prediction in rows:
        lines += 1
        where = f"{name}:{number}"
        if prediction.annotator is not None:
            raise InputError("the answers of people are no submission", where, "name a system's predictions")
        # Documents and snippets may be those that a run chose from another dataset about the same questions.
        if prediction.retrieved is None and prediction.dataset not in (None, here):
            what = f"made for another dataset or split ({short(prediction.dataset)}; here: {chosen} {short(here)})"
            raise InputError(what, where, "give the dataset they were made for")
        if prediction.scores and prediction.scores.keys() <= {*TYPES}:
            raise InputError("the lines answer with types of questions", where, "name exact answers")
        if prediction.id not in wanted:
            elsewhere = [each for each, index in ids.items() if index.rows([prediction.id])[0] >= 0]
            what = f"the question is {f'in {elsewhere[0]}, ' if elsewhere else ''}not in {chosen}"
            if wanted and not elsewhere:
                what += f", whose ids are such as {ids[chosen].between(0, 1)[0]}"
            wrong.append((where, prediction.id, Fault("foreign_id", what)))
        elif prediction.id in found:
            what = f"the question has a line before, at {places[prediction.id]}"
            wrong.append((where, prediction.id, Fault("repeated_id", what)))
        else:
            found[prediction.id], places[prediction.id] = prediction, where
    return Answered(", ".join(names), chosen, lines, found, places, tuple(wrong), problems_found(problems))


def _numbered(file: Path, problems: Counts, name: str) -> Iterator[tuple[int, Prediction]]:
    empty = True
    for line in numbered(file, problems, name):
        yield line
        empty = False
    if empty:
        raise InputError("holds no predictions", name, "check the file")


def demand_seekable(file: Path) -> None:
    """Refuse (InputError) standard input, which cannot be read twice."""
    if str(file) == STANDARD_INPUT:
        raise InputError("answers cannot be read from standard input", "-", "name a file")


def all_faults(
    dataset: store.Dataset, given: Answered, texts: Texts | None = None
) -> Iterator[tuple[str, str, Fault]]:
    """(where, id, fault) of every fault, by question. texts: of documents, to compare snippets with."""
    yield from given.faults
    for question in store.instances(dataset, given.split, of=QuestionInstance):
        if (prediction := given.predictions.get(question.id)) is not None:
            for fault in faults(question, prediction, texts):
                yield given.places[question.id], question.id, fault


def check(
    dataset: store.Dataset, file: Path, split: str | None, texts: Texts | None = None
) -> SubmissionCheck:
    """Every fault of a file."""
    demand_seekable(file)
    given = answered(dataset, [file], split)
    found = SubmissionCheck(split=given.split, questions=dataset.sizes[given.split], lines=given.lines)
    for where, ident, fault in all_faults(dataset, given, texts):
        found.add(fault.name, f"{where}: {in_words(ident, fault)}")
    return found


def refuse_faults(
    dataset: store.Dataset, given: Answered, files: Sequence[Path], texts: Texts | None = None
) -> None:
    """InputError: the first fault, with the number of the others. files: of the answers."""
    wrong = all_faults(dataset, given, texts)
    first = next(wrong, None)
    if first is None:
        return
    where, ident, fault = first
    others = sum(1 for _ in wrong)
    more = f", and {others:,} other fault{'' if others == 1 else 's'}" if others else ""
    file = quote(str(files[0])) if len(files) == 1 else "FILE"
    command = f"anagnosis check {quote(str(dataset.folder))} {file} --split {given.split}"
    raise InputError(f"{in_words(ident, fault)}{more}", where, f"correct it; `{command}` lists every fault")


def in_words(ident: str, fault: Fault) -> str:
    """A fault with its question."""
    return f"question {shortened(ident)!r}: {fault.what}"
