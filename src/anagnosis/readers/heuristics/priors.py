"""Readers that count answers of a train part and do not read: entity-prior, best-position and majority.

The entity prior is how often an entity is the answer, for any question. The best position is the rank by first mention
in the passage at which the answer most often stands: rank 0 is the entity mentioned first (BASE1), and an instance with
too few candidates for the best rank takes its best rank. Ranks need no identity of entities, so it works in the local
view too. In that view (BIOMRC's Setting B) numbers restart in each instance: @entity0 is another entity each time, and
a count by entity is meaningless. The majority is always the most frequent label (PubMedQA, Tables 5 to 8: "Majority").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.datasets.kinds.decision import LABELS, DecisionInstance
from anagnosis.errors import InputError


def entity_prior(
    instances: Iterable[ClozeInstance], *, view: str = "global"
) -> Callable[[ClozeInstance], list[float]]:
    """The entity prior: how often an entity is the answer in the training part, for any question.

    Score of a candidate: its count (0 for one that was never an answer).
    """
    known = with_identity(instances, "entity-prior", view)
    answers = Counter(instance.candidates[answer].key for instance, answer in answered(known, "entity-prior"))

    def prior(instance: ClozeInstance) -> list[float]:
        return [float(answers[candidate.key]) for candidate in instance.candidates]

    return prior


def best_position(instances: Iterable[ClozeInstance]) -> Callable[[ClozeInstance], list[float]]:
    """The best position: the rank by first mention in the passage at which the answer most often stands.

    Score of a candidate: number of answers with its rank, −1 if unmentioned.
    """
    answers = Counter(
        first_ranks(instance).get(answer) for instance, answer in answered(instances, "best-position")
    )

    def position(instance: ClozeInstance) -> list[float]:
        ranks = first_ranks(instance)
        return [float(answers[ranks[c]]) if c in ranks else -1.0 for c in range(len(instance.candidates))]

    return position


def first_ranks(instance: ClozeInstance) -> dict[int, int]:
    """Candidate → rank by first mention in the passage; a candidate without a mention has none."""
    ranks: dict[int, int] = {}
    for mention in instance.mentions:
        ranks.setdefault(mention.candidate, len(ranks))
    return ranks


def majority(instances: Iterable[DecisionInstance]) -> Callable[[DecisionInstance], list[float]]:
    """Always the most frequent label of the train part (PubMedQA, Tables 5 to 8: "Majority").

    Scores are the labels' shares, in the order of LABELS; all 0 without labels.
    """
    counts = Counter(instance.label for instance in instances if instance.label is not None)
    total = max(1, counts.total())
    shares = [counts[label] / total for label in LABELS]
    return lambda instance: shares


def answered(instances: Iterable[ClozeInstance], reader: str) -> Iterator[tuple[ClozeInstance, int]]:
    """(instance, index of its answer) of the instances with an answer; InputError at the end if there is none."""
    none_yet = True
    for instance in instances:
        if instance.answer is not None:
            none_yet = False
            yield instance, instance.answer
    if none_yet:
        raise InputError(f"{reader} has nothing to count: no training instance has an answer", "split train")


def with_identity(instances: Iterable[ClozeInstance], reader: str, view: str) -> Iterable[ClozeInstance]:
    """Pass instances on; InputError in the local view, the only one of datasets numbered locally."""
    if view == "local":
        raise InputError(
            f"{reader} is undefined where entities have other numbers in each instance",
            "view local",
            "use the global view of a dataset with global numbers",
        )
    return instances
