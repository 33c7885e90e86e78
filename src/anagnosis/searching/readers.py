"""The trained readers that an answer may use, from one folder.

    FOLDER/evidence        scores sentences (`anagnosis train evidence-…`)
    FOLDER/decision        yes, no or maybe (`anagnosis train pubmedqa-…`)
    FOLDER/exact           names (a reader of cloze questions: `anagnosis train biomrc-…`)
    FOLDER/question-type   what kind of answer a question wants (`anagnosis train bioasq-question-type`)

Each may be missing. FOLDER may be one run folder too: what its reader reads says which of the four it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anagnosis.errors import InputError
from anagnosis.searching.highlighting import UNTRAINED, Highlighter
from anagnosis.searching.question_kinds import kind_of_question

if TYPE_CHECKING:
    from anagnosis.readers.learning import Settings
    from anagnosis.searching.deciding import Decider
    from anagnosis.searching.exact import ExactReader

EVIDENCE, DECISION, EXACT, QUESTION_TYPE = "evidence", "decision", "exact", "question-type"
ROLES = (EVIDENCE, DECISION, EXACT, QUESTION_TYPE)


@dataclass(frozen=True, slots=True)
class Readers:
    """kind: gives one of question_kinds.KINDS. None: the answer is off."""

    highlighter: Highlighter = UNTRAINED
    decider: Decider | None = None
    exact: ExactReader | None = None
    kind: Callable[[str], str] = kind_of_question


NONE = Readers()


def load_readers(folder: str | Path, device: str = "auto", threads: int | None = None) -> Readers:
    """Every reader of a folder. Refused (InputError): a folder without one, a run in the wrong place."""
    from anagnosis.training.run import Several, load

    path = Path(folder)
    named = {role: path / role for role in ROLES if (path / role).is_dir()}
    if not named:
        found = load(path)
        run = found.runs[0] if isinstance(found, Several) else found
        named = {role_of(run.config, str(path)): path}
    made: dict[str, Any] = {}
    for role, place in named.items():
        made[_FIELDS[role]] = _load(role, place, device, threads)
    return Readers(**made)


_FIELDS = {EVIDENCE: "highlighter", DECISION: "decider", EXACT: "exact", QUESTION_TYPE: "kind"}


def role_of(config: Settings, where: str) -> str:
    """Which of ROLES a reader with this recipe has."""
    from anagnosis.readers import learning

    roles = {
        learning.EvidenceSettings: EVIDENCE,
        learning.DecisionSettings: DECISION,
        learning.ClozeSettings: EXACT,
    }
    for kind, role in roles.items():
        if isinstance(config, kind):
            return role
    raise InputError("no reader that an answer can use", where, "see `anagnosis readers`")


def _load(role: str, place: Path, device: str, threads: int | None) -> Any:
    if role == DECISION:
        from anagnosis.searching.deciding import load_decider

        return load_decider(place, device, threads)
    raise InputError(f"readers of the kind {role} cannot be used yet", str(place), "leave that folder out")
