"""What a reader sees of a decision: PubMedQA's settings (section 3.3), made on the way out.

reasoning-required   question and context; the long answer can teach beside the label
reasoning-free       question and long answer
question-only        the question, as some harnesses ask it
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from anagnosis.datasets.kinds.decision import LABELS, ContextSection, DecisionInstance
from anagnosis.errors import unknown_name

REQUIRED, FREE, QUESTION = "reasoning-required", "reasoning-free", "question-only"


class Posed(msgspec.Struct, frozen=True, gc=False):
    """A decision as a reader gets it.

    read: what stands beside the question. answer: index into LABELS, None where unlabelled. long_answer: for an
    auxiliary loss; empty where it is read, withheld or none of the reader's.
    """

    id: str
    question: str
    read: tuple[ContextSection, ...]
    answer: int | None
    long_answer: str = ""

    @property
    def text(self) -> str:
        """What is read beside the question, as one text."""
        return " ".join(section.text for section in self.read)

    @property
    def target(self) -> int:
        """The answer, -1 for none."""
        return -1 if self.answer is None else self.answer


def posed(instance: DecisionInstance, view: str) -> Posed:
    """The instance in one of VIEWS."""
    if view not in VIEWS:
        raise unknown_name("view of a decision", view, VIEWS)
    read, taught = VIEWS[view](instance)
    answer = None if instance.label is None else LABELS.index(instance.label)
    return Posed(instance.id, instance.question, read, answer, taught)


def passage(viewed: Posed) -> str:
    """What is read beside the question, a line for each section, without their labels."""
    return "\n".join(section.text for section in viewed.read)


def _required(instance: DecisionInstance) -> tuple[tuple[ContextSection, ...], str]:
    return instance.context, instance.long_answer or ""


def _free(instance: DecisionInstance) -> tuple[tuple[ContextSection, ...], str]:
    return (ContextSection("", instance.long_answer or ""),), ""


def _question(instance: DecisionInstance) -> tuple[tuple[ContextSection, ...], str]:
    return (), ""


VIEWS: dict[str, Callable[[DecisionInstance], tuple[tuple[ContextSection, ...], str]]] = {
    REQUIRED: _required,
    FREE: _free,
    QUESTION: _question,
}
