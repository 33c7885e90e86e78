"""BioASQ's yes/no questions as decisions, so that PubMedQA's readers answer them.

An instance has the question, its snippets as the context, and yes or no as the label. It has no long answer: the ideal
answer of a yes/no question mostly begins with "Yes" or "No".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from anagnosis.datasets.bioasq import layout
from anagnosis.datasets.bioasq.parts import parts_of
from anagnosis.datasets.definition import Builder
from anagnosis.datasets.export.layouts import Imported
from anagnosis.datasets.kinds.decision import ContextSection, DecisionInstance
from anagnosis.datasets.kinds.question import YESNO, distinct
from anagnosis.io.paths import PathLike


class DecisionRecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """recipes/bioasq-decisions.toml says what each is."""

    kind: Literal["decision"] = "decision"
    train: str = ""
    dev: str = ""
    test: str = ""


def make(paths: Sequence[PathLike], recipe: DecisionRecipe) -> Imported:
    """The instances, from golden files, folders or archives of them. Memory: all of their questions.

    The label of a question without an answer, such as one of a test set, is None.
    """
    source = layout.imported(paths, parts=parts_of(recipe))
    dropped = source.findings.refuse

    def of(split: str) -> Iterator[DecisionInstance]:
        for question in source.splits[split]:
            label = question.exact[0][0].strip(" .").lower() if question.exact else None
            if question.type != YESNO:
                dropped("", "other_type", "")
            elif label not in ("yes", "no", None):
                dropped("", "not_yes_or_no", "")
            else:
                texts = distinct(snippet.text for snippet in question.snippets)
                yield DecisionInstance(
                    id=question.id,
                    question=question.question,
                    context=tuple(ContextSection("", text) for _, text in texts),
                    long_answer=None,
                    label=label,
                    subset="U" if label is None else "L",
                    place=question.place,
                )

    return Imported({split: of(split) for split in source.splits}, {}, source.inputs, source.findings)


BUILDER = Builder(recipe=DecisionRecipe, make=make)
