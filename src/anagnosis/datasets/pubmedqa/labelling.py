"""Labels by two people, as PQA-L was made (PubMedQA, Algorithm 1): the criteria, the draw, and what labels come to.

Annotator 1 sees the long answer too (reasoning-free), annotator 2 does not (reasoning-required). Annotator 1 may answer
that yes, no and maybe do not fit; such a question is removed, as is one that both cannot agree on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import nsmallest
from operator import itemgetter

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.datasets.sampling import rank
from anagnosis.errors import InputError

UNFIT = "unfit"
NONE = "none"  # in the discussion: no agreement
UNLABELLED, TO_DISCUSS, NO_AGREEMENT = "unlabelled", "to discuss", "no agreement"
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


def outcome(first: str, second: str, agreed: str) -> str:
    """What a question comes to: its final label, or UNLABELLED, TO_DISCUSS, UNFIT, NO_AGREEMENT.

    first, second: the annotators' labels, "" for none yet; agreed: what both wrote in the discussion, so too.
    """
    if first == UNFIT:
        return UNFIT
    if not (first and second):
        return UNLABELLED
    if first == second:
        return first
    return {"": TO_DISCUSS, NONE: NO_AGREEMENT}.get(agreed, agreed)


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


def instances(
    dataset: store.Dataset, labelled: Mapping[str, tuple[str, str, str]]
) -> Iterator[DecisionInstance]:
    """Those labelled, of subset L, in the dataset's order. labelled: id → (first's, second's, final label)."""
    every = store.instances(dataset, store.ALL, of=DecisionInstance)
    for place, instance in enumerate(instance for instance in every if instance.id in labelled):
        first, second, final = labelled[instance.id]
        yield msgspec.structs.replace(
            instance,
            label=final,
            annotators=(("reasoning_required", second), ("reasoning_free", first)),
            subset="L",
            place=place,
            fields=(),
        )
