"""Labels by two people, as PQA-L was made (PubMedQA, Algorithm 1): the criteria, the draw, and what labels come to.

Annotator 1 sees the long answer too (reasoning-free), annotator 2 does not (reasoning-required). Annotator 1 may answer
that yes, no and maybe do not fit; such a question is removed, as is one that both cannot agree on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import nsmallest
from operator import itemgetter

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import LABELS, DecisionInstance
from anagnosis.datasets.sampling import rank
from anagnosis.errors import InputError

UNFIT = "unfit"
NONE = "none"  # in the discussion: no agreement
# Appendix C, in our words.
CONDITIONS = (
    "Answer what this paper found under its conditions: nearly everything is maybe if all conditions count."
)
MEANINGS = {
    "yes": "what was done and found here speaks for it, as where the groups differ significantly in the outcome.",
    "no": "it speaks against it, or the groups do not differ.",
    "maybe": "the paper shows conditions where it holds and conditions where it does not; or several things are asked "
    "after, and it holds for some of them and not for the others.",
}
UNFIT_MEANING = "yes, no and maybe do not fit, because the question asks what, which or how, or for a choice."


@dataclass(frozen=True, slots=True)
class Labelled:
    """answers: id → (first's, second's), "" where there is none. discussed: id → what both wrote in the discussion."""

    answers: dict[str, tuple[str, str]]
    discussed: dict[str, str]

    @property
    def unfit(self) -> list[str]:
        """Removed by annotator 1."""
        return [ident for ident, (first, _) in self.answers.items() if first == UNFIT]

    @property
    def unlabelled(self) -> list[str]:
        """By either, not looked at yet."""
        return [ident for ident, both in self.answers.items() if both[0] != UNFIT and not all(both)]

    @property
    def differing(self) -> list[str]:
        """Labelled by both, differently."""
        return [
            ident
            for ident, (first, second) in self.answers.items()
            if first not in ("", UNFIT, second) and second
        ]

    @property
    def to_discuss(self) -> list[str]:
        """The questions without a final label."""
        return [ident for ident in self.differing if not self.discussed.get(ident)]

    @property
    def no_agreement(self) -> list[str]:
        """The questions that are removed for want of agreement."""
        return [ident for ident in self.differing if self.discussed.get(ident) == NONE]

    @property
    def agreed(self) -> dict[str, tuple[str, str, str]]:
        """id → (first's, second's, final label)."""
        return {
            ident: (first, second, final)
            for ident, (first, second) in self.answers.items()
            if {first, second, final := first if first == second else self.discussed.get(ident, "")}
            <= {*LABELS}
        }


def draw(dataset: store.Dataset, count: int, seed: int) -> list[str]:
    """The ids of so many unlabelled instances with a long answer, by a seeded draw for each, in its order."""
    try:
        every = store.instances(dataset, store.ALL, of=DecisionInstance)
    except InputError as fault:
        remedy = "to have people answer other questions, add --kind answers"
        raise InputError(fault.what, fault.where, remedy) from fault
    usable = ((rank(seed, one.id), one.id) for one in every if one.label is None and one.long_answer)
    chosen = nsmallest(count, usable, key=itemgetter(0))
    if len(chosen) < count:
        what = f"{count:,} questions are asked for, {len(chosen):,} without a label have a long answer"
        raise InputError(what, str(dataset.folder), "draw fewer, of a dataset with questions without labels")
    return [ident for _, ident in chosen]


def instances(dataset: store.Dataset, labelled: Labelled) -> Iterator[DecisionInstance]:
    """The agreed ones, of subset L, with all three labels, in the dataset's order."""
    agreed = labelled.agreed
    every = store.instances(dataset, store.ALL, of=DecisionInstance)
    for place, instance in enumerate(instance for instance in every if instance.id in agreed):
        first, second, final = agreed[instance.id]
        yield msgspec.structs.replace(
            instance,
            label=final,
            annotators=(("reasoning_required", second), ("reasoning_free", first)),
            subset="L",
            place=place,
            fields=(),
        )
