"""The trained readers that an answer may use, from one folder.

    FOLDER/evidence        scores sentences (`anagnosis train evidence-…`)
    FOLDER/decision        yes, no or maybe (`anagnosis train pubmedqa-…`)
    FOLDER/exact           names (a reader of cloze questions: `anagnosis train biomrc-…`)
    FOLDER/question-type   what kind of answer a question wants (`anagnosis train bioasq-question-type`)

Each may be missing. FOLDER may be one run folder too: what its reader reads says which of the four it is. Those that
answer, decision and exact, are loaded where answers are asked for.
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
from anagnosis.searching.sentences.highlighting import UNTRAINED, Highlighter

if TYPE_CHECKING:
    from anagnosis.calibration.held_out import HeldOut
    from anagnosis.readers.learning import Settings
    from anagnosis.searching.answers.deciding import Decider
    from anagnosis.searching.index.index import Index
    from anagnosis.searching.records.answers import Exact, Hit

EVIDENCE, DECISION, EXACT, QUESTION_TYPE = "evidence", "decision", "exact", "question-type"
ROLES = (EVIDENCE, DECISION, EXACT, QUESTION_TYPE)
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
    from anagnosis.training.runs.run import load

    path = Path(folder)
    named = {role: path / role for role in ROLES if (path / role).is_dir()}
    if named:
        for other in sorted(path.iterdir()):
            if other.is_dir() and other.name not in ROLES and not other.name.startswith("."):
                tell(f"{other}: no reader is looked for there; folders are called {', '.join(ROLES)}")
    else:
        named = {role_of(load(path).runs[0].config, str(path)): path}
    silent = frozenset() if answers else named.keys() & set(ANSWERS)
    made: dict[str, Any] = {
        _FIELDS[role]: _load(role, place, device, threads)
        for role, place in named.items()
        if role not in silent
    }
    return Readers(**made, silent=frozenset(silent))


_FIELDS = {EVIDENCE: "highlighter", DECISION: "decider", EXACT: "exact", QUESTION_TYPE: "kind"}


def role_of(config: Settings, where: str) -> str:
    """Which of ROLES a reader with this recipe has."""
    role = named(config.kind).role
    if role not in ROLES:
        raise InputError("no reader that an answer can use", where, "see `anagnosis readers`")
    return role


def _load(role: str, place: Path, device: str, threads: int | None) -> Any:
    if role == DECISION:
        from anagnosis.searching.answers.deciding import load_decider

        return load_decider(place, device, threads)
    if role == QUESTION_TYPE:
        from anagnosis.searching.answers.question_type import load_kind

        return load_kind(place, device, threads)
    if role == EXACT:
        from anagnosis.searching.entities.naming import load_namer

        return load_namer(place, device, threads)
    if role == EVIDENCE:
        from anagnosis.searching.sentences.trained_highlighting import load_highlighter

        return load_highlighter(place, device, threads)
    raise InputError(f"readers of the kind {role} cannot be used yet", str(place), "leave that folder out")
