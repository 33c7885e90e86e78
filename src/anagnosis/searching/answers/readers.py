"""The trained readers that `ask` uses, from one folder.

    FOLDER/evidence        scores sentences (`anagnosis train evidence-…`)
    FOLDER/stance          whether a conclusion supports or opposes (conclusions/stance.py)
    FOLDER/names           names that answer (entities/ranking.py)
    FOLDER/question-type   classifies questions by the kind of answer (`anagnosis train bioasq-question-type`)

Each may be missing. A run whose card says that it has not earned its use is left out. FOLDER may also
be one of these folders, whatever its card says; the kind of a run's instances determines its role and how to load it
(AnswerReader of datasets/kinds/kind.py). A folder with a file of FITTED is no run.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anagnosis.datasets.kinds.table import QUESTION, demand, named
from anagnosis.encoders.cpu import ready_for_torch
from anagnosis.errors import InputError
from anagnosis.io.checksums import read_checked_json, write_checked_json
from anagnosis.io.folders import READER_CARD, RUN, kind_of, with_article
from anagnosis.io.folders import READER_CARD as FILE
from anagnosis.io.paths import PathLike
from anagnosis.language.question_kinds import kind_of_question
from anagnosis.progress import print_note
from anagnosis.registry import referenced
from anagnosis.searching.records.reader_figures import FORMAT, RunCard
from anagnosis.searching.sentences.highlighting import UNTRAINED, Highlighter

if TYPE_CHECKING:
    from anagnosis.datasets.kinds.kind import AnswerReader
    from anagnosis.readers.learning import Settings
    from anagnosis.searching.conclusions.stance import StanceReader
    from anagnosis.searching.entities.naming import NamesReader
    from anagnosis.training.runs.predicting import Answering
    from anagnosis.training.runs.run import Run

EVIDENCE, STANCE = "evidence", "stance"
NAMES = "names"
QUESTION_TYPE = "question-type"

# A part of an answer, which is its folder's name → the field of Readers.
ROLES = {EVIDENCE: "highlighter", STANCE: "stance", NAMES: "names", QUESTION_TYPE: "kind"}

# Roles whose readers are one fitted file instead of a run: the file, and what loads its folder.
FITTED = {
    STANCE: ("stance.json", "anagnosis.searching.conclusions.stance:load_stance_reader"),
    NAMES: ("names.json", "anagnosis.searching.entities.naming:load_names_reader"),
}
_REMEDY = "make it again with `anagnosis readers make --data DATA --out READERS --replace`"


@dataclass(frozen=True, slots=True)
class Readers:
    """The loaded readers; a field is None if that answer is off.

    kind: classifies a question as one of question_kinds.KINDS.
    """

    highlighter: Highlighter = UNTRAINED
    stance: StanceReader | None = None
    names: NamesReader | None = None
    kind: Callable[[str], str] = kind_of_question

    @property
    def none_loaded(self) -> bool:
        """Whether no trained reader is loaded."""
        return self == NONE


NONE = Readers()


def load_readers(folder: PathLike, device: str = "auto", threads: int | None = None) -> Readers:
    """Load the readers of a folder. InputError: it has no reader, a run under the wrong role, or a run and no torch."""
    path = Path(folder)
    # Hidden ones are of a `readers make` that was stopped.
    if not path.is_dir() or all(entry.name.startswith(".") for entry in path.iterdir()):
        raise no_readers(path)
    places = {role: path / role for role in ROLES if (path / role).is_dir()}
    if places:
        for other in sorted(path.iterdir()):
            if other.is_dir() and other.name not in ROLES and not other.name.startswith("."):
                print_note(f"{other}: not read; folders of readers are called {', '.join(ROLES)}")
    else:
        fitted = next((role for role, (file, _) in FITTED.items() if (path / file).exists()), "")
        if not (fitted or _is_run(path)):
            raise no_readers(path)
        places = {fitted or role_of(_run(path).config, str(path)).role: path}
    made: dict[str, Any] = {}
    for role, place in places.items():
        # A reader that is named itself is used whatever its card says.
        if place != path and (card := load_card(place)) is not None and not card.earned:
            continue
        if role in FITTED:
            made[ROLES[role]] = referenced(FITTED[role][1])(place)
            continue
        run = _run(place)
        reader = role_of(run.config, str(place))
        if reader.role != role:
            what = f"{run.reader} is no reader for the folder {role}"
            raise InputError(what, str(place), f"name the folder {reader.role}")
        made[ROLES[role]] = referenced(reader.load)(place, device, threads)
    return Readers(**made)


def no_readers(path: Path) -> InputError:
    """The error of a path that is no folder of readers, with the command that makes one."""
    if path.is_file():
        return InputError("is a file, not a folder of readers", str(path), "name the folder")
    kind = kind_of(path)
    if kind is not None and kind != "run":
        return InputError(f"is {with_article(kind)}, not a folder of readers", str(path), "name the folder")
    what = "no readers in this folder" if path.is_dir() else "no such folder of readers"
    remedy = f"make them with `anagnosis readers make --data DATA --out {shlex.quote(str(path))}`"
    return InputError(what, str(path), remedy)


def _is_run(path: Path) -> bool:
    # Loading says what a damaged run lacks.
    return kind_of(path) == "run" or any((path / name).exists() for name in (RUN, READER_CARD))


def _run(place: Path) -> Run:
    """The run of a folder. InputError: torch is not installed, or no run is there."""
    ready_for_torch("answering with trained readers")
    from anagnosis.training.runs.run import load

    return load(place).runs[0]


def role_of(config: Settings, where: str) -> AnswerReader:
    """The part in an answer that the kind of a recipe gives to its readers. InputError: it has none."""
    reader = named(config.kind).answer_reader
    if reader is None or reader.role not in ROLES:
        raise InputError("no reader that an answer can use", where, "see `anagnosis readers`")
    return reader


def store_card(folder: Path, card: RunCard) -> None:
    """Write the card into the folder of a run."""
    write_checked_json(folder / FILE, card)


def load_card(folder: Path) -> RunCard | None:
    """The card of a folder, None without one. InputError: it is damaged, or another version made it."""
    if not (folder / FILE).exists():
        return None
    card = read_checked_json(folder / FILE, RunCard, _REMEDY)
    if card.format != FORMAT:
        raise InputError("was made by another version", str(folder / FILE), _REMEDY)
    return card


@dataclass(frozen=True, slots=True)
class LearnedKind:
    """A loaded reader of question types. Called with a question, it returns one of question_kinds.KINDS.

    Rules judge texts without a question mark ("pregnant women and COVID-19"): the reader was trained on questions
    alone, and is wrong about such texts.
    """

    reader: str
    answering: Answering

    def __call__(self, question: str) -> str:
        from anagnosis.datasets.kinds.question import TYPES, Typed

        if not question.rstrip().endswith("?"):
            return kind_of_question(question)
        (scores,) = self.answering.answers([Typed("0", question, None)], self.reader)
        return TYPES[scores.index(max(scores))]


def load_kind(place: Path, device: str = "auto", threads: int | None = None) -> LearnedKind:
    """Load a run folder. InputError: a folder of replicates, or the reader does not classify questions."""
    from anagnosis.datasets.kinds.question import TYPE
    from anagnosis.training.runs.predicting import Answering
    from anagnosis.training.runs.run import Run, load

    run = load(place)
    if not isinstance(run, Run):
        raise InputError(f"a folder of {len(run.runs)} {run.what}s", str(place), "name one of them")
    other = f"{run.reader} does not classify questions by type"
    remedy = "name a run of bioasq-question-type"
    demand(named(run.config.kind), QUESTION, str(place), other, remedy)
    if run.config.view != TYPE:
        raise InputError(other, str(place), remedy)
    return LearnedKind(run.reader, Answering(run, device, threads))
