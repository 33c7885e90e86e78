"""The trained readers that an answer may use, from one folder.

    FOLDER/evidence        scores sentences (`anagnosis train evidence-…`)
    FOLDER/decision        yes, no or maybe (`anagnosis train pubmedqa-…`)
    FOLDER/exact           names (a reader of cloze questions: `anagnosis train biomrc-…`)
    FOLDER/question-type   what kind of answer a question wants (`anagnosis train bioasq-question-type`)

Each may be missing. FOLDER may be one run folder too: the kind of its instances defines which of the four it is, and
how it is loaded (AnswerReader of datasets/kinds/kind.py). Those that answer, decision and exact, are loaded where
answers are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from anagnosis.datasets.kinds.table import named
from anagnosis.errors import InputError
from anagnosis.language.question_kinds import kind_of_question
from anagnosis.paths import PathLike
from anagnosis.progress import tell
from anagnosis.registry import load
from anagnosis.searching.sentences.highlighting import UNTRAINED, Highlighter

if TYPE_CHECKING:
    from anagnosis.calibration.held_out import HeldOut
    from anagnosis.datasets.kinds.kind import AnswerReader
    from anagnosis.readers.learning import Settings
    from anagnosis.searching.answers.deciding import Decider
    from anagnosis.searching.index.index import Index
    from anagnosis.searching.records.answers import Exact, Hit

EVIDENCE, DECISION, EXACT, QUESTION_TYPE = "evidence", "decision", "exact", "question-type"
# A part of an answer, which is its folder's name → the field of Readers.
ROLES = {EVIDENCE: "highlighter", DECISION: "decider", EXACT: "exact", QUESTION_TYPE: "kind"}
ANSWERS = (DECISION, EXACT)


class ExactReader(Protocol):
    """What gives names. held_out: None where nobody has measured it; then it gives none."""

    @property
    def held_out(self) -> HeldOut | None: ...

    def answer(self, index: Index, question: str, kind: str, found: Sequence[Hit]) -> Exact | None:
        """kind: factoid or list. None where nothing that could be a name stands in the passages."""
        ...


@dataclass(frozen=True, slots=True)
class Readers:
    """kind: gives one of question_kinds.KINDS, of what a question asks for. None: the answer is off.

    silent: roles of ANSWERS whose reader is there and was not asked for.
    """

    highlighter: Highlighter = UNTRAINED
    decider: Decider | None = None
    exact: ExactReader | None = None
    kind: Callable[[str], str] = kind_of_question
    silent: frozenset[str] = frozenset()

    @property
    def none_loaded(self) -> bool:
        """Whether there is no trained one."""
        return replace(self, silent=frozenset()) == NONE


NONE = Readers()


def load_readers(
    folder: PathLike, device: str = "auto", threads: int | None = None, *, answers: bool = False
) -> Readers:
    """The readers of a folder. answers: those of ANSWERS too.

    Refused (InputError): a folder without one, a run in the wrong place.
    """
    from anagnosis.training.runs.run import load as load_runs

    path = Path(folder)
    places = {role: path / role for role in ROLES if (path / role).is_dir()}
    if places:
        for other in sorted(path.iterdir()):
            if other.is_dir() and other.name not in ROLES and not other.name.startswith("."):
                tell(f"{other}: no reader is looked for there; folders are called {', '.join(ROLES)}")
    else:
        places = {role_of(load_runs(path).runs[0].config, str(path)).role: path}
    silent = frozenset() if answers else places.keys() & set(ANSWERS)
    made: dict[str, Any] = {}
    for role, place in places.items():
        if role in silent:
            continue
        run = load_runs(place).runs[0]
        reader = role_of(run.config, str(place))
        if reader.role != role:
            what = f"{run.reader} is no reader for the folder {role}"
            raise InputError(what, str(place), f"name the folder {reader.role}")
        made[ROLES[role]] = load(reader.load)(place, device, threads)
    return Readers(**made, silent=frozenset(silent))


def role_of(config: Settings, where: str) -> AnswerReader:
    """The part in an answer that the kind of a recipe gives to its readers. InputError: it has none."""
    reader = named(config.kind).answer_reader
    if reader is None or reader.role not in ROLES:
        raise InputError("no reader that an answer can use", where, "see `anagnosis readers`")
    return reader
