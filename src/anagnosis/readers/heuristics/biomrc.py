"""The basic baselines of BIOMRC (Stavropoulos et al. 2020, section 3.1), one function each, in its order.

Each gives one score for each candidate, in their order. The candidates with the highest score are exactly those
among which the paper chooses at random. Scores are integers, so ties are exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Literal

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.readers.heuristics.tokens import Gram, Token, grams_around, passage_tokens, question_tokens
from anagnosis.recipes.values import Grams

Counting = Literal["set", "multiset", "pairs"]


def first_entity(instance: ClozeInstance) -> list[float]:
    """BASE1: the entity that the passage mentions first. Score: minus the rank of the first mention."""
    mentions = instance.mentions
    scores = [float(-len(mentions))] * len(instance.candidates)
    for rank in range(len(mentions) - 1, -1, -1):
        scores[mentions[rank].candidate] = float(-rank)
    return scores


def last_entity(instance: ClozeInstance) -> list[float]:
    """BASE2: the entity that the passage mentions last. Score: the rank of the last mention."""
    scores = [-1.0] * len(instance.candidates)
    for rank, mention in enumerate(instance.mentions):
        scores[mention.candidate] = float(rank)
    return scores


def most_frequent_entity(instance: ClozeInstance) -> list[float]:
    """BASE3: the entity with the most mentions in the passage. Score: their number."""
    scores = [0.0] * len(instance.candidates)
    for mention in instance.mentions:
        scores[mention.candidate] += 1.0
    return scores


def most_frequent_unless_alone(instance: ClozeInstance) -> list[float]:
    """BASE3+: those that share the most mentions if they are several, else those with the second most.

    BIOMRC drops instances whose answer is alone at the top (section 2), so a single top entity ranks last. Score:
    mentions.
    """
    scores = most_frequent_entity(instance)
    top = max(scores, default=0.0)
    if scores.count(top) == 1:
        scores[scores.index(top)] = -1.0
    return scores


def neighbour_overlap(instance: ClozeInstance, *, n: Grams = 3, counting: Counting = "set") -> list[float]:
    """BASE4: the entity whose neighbours in the passage are most like the placeholder's in the question.

    Score: the tokens that the passage's n-grams with the entity share with the question's n-grams with the
    placeholder, without the placeholder. A text shorter than n tokens has no n-gram. The paper does not define the
    count of shared tokens (COUNTINGS); "set" comes nearest to its figures.
    """
    question, placeholder = question_tokens(instance)
    of_placeholder = [
        gram[: placeholder - start] + gram[placeholder - start + 1 :]
        for start, gram in grams_around(question, placeholder, n).items()
    ]
    passage, entities = passage_tokens(instance)
    of_entity: list[dict[int, Gram]] = [{} for _ in instance.candidates]
    for place, candidate in entities:
        of_entity[candidate].update(grams_around(passage, place, n))
    return [
        float(COUNTINGS[counting](of_placeholder, list(grams.values()), entity))
        for entity, grams in enumerate(of_entity)
    ]


def shared_set(of_placeholder: list[Gram], of_entity: list[Gram], entity: int) -> int:
    """Number of different tokens in n-grams of both placeholder and entity, without the entity."""
    return len((set[Token]().union(*of_placeholder) & set[Token]().union(*of_entity)) - {entity})


def shared_multiset(of_placeholder: list[Gram], of_entity: list[Gram], entity: int) -> int:
    """The same with multiplicity: of each token the smaller of its two counts over all n-grams.

    The entity itself counts as a shared token if it is visible beside the placeholder.
    """
    wanted = Counter(token for gram in of_placeholder for token in gram)
    counts = Counter(token for gram in of_entity for token in gram if token in wanted)
    return sum(min(count, counts[token]) for token, count in wanted.items())


def shared_pairs(of_placeholder: list[Gram], of_entity: list[Gram], entity: int) -> int:
    """Number of different tokens that two n-grams share, summed over all pairs; the entity counts as above."""
    wanted = Counter(token for gram in of_placeholder for token in set(gram))
    return sum(wanted[token] for gram in of_entity for token in set(gram))


COUNTINGS: dict[Counting, Callable[[list[Gram], list[Gram], int], int]] = {
    "set": shared_set,
    "multiset": shared_multiset,
    "pairs": shared_pairs,
}
