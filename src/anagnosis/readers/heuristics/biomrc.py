"""The basic baselines of BIOMRC (Stavropoulos et al. 2020, section 3.1), a function each, in its order.

Each gives one score a candidate, in their order, so that the candidates with the highest score are exactly
those among which the paper chooses at random. Scores are whole numbers: ties are exact.
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
    """BASE3: the entity with the most mentions in the passage. Score: how many."""
    scores = [0.0] * len(instance.candidates)
    for mention in instance.mentions:
        scores[mention.candidate] += 1.0
    return scores


def most_frequent_unless_alone(instance: ClozeInstance) -> list[float]:
    """BASE3+: those that share the most mentions if they are several, else those with the second most.

    BIOMRC keeps no instance whose answer is alone at the top (section 2), so that one is ranked last.
    Score: mentions.
    """
    scores = most_frequent_entity(instance)
    top = max(scores, default=0.0)
    if scores.count(top) == 1:
        scores[scores.index(top)] = -1.0
    return scores


def neighbour_overlap(instance: ClozeInstance, *, n: Grams = 3, counting: Counting = "set") -> list[float]:
    """BASE4: the entity whose neighbours in the passage are most like the placeholder's in the question.

    From the passage the n-grams that hold the entity, from the question those that hold the placeholder;
    score: the tokens they share, the placeholder not being one. A text shorter than n tokens has no n-gram.
    The paper does not say how shared tokens are counted (COUNTINGS); "set" comes nearest to its figures.
    """
    question, placeholder = question_tokens(instance)
    asked = [
        gram[: placeholder - start] + gram[placeholder - start + 1 :]
        for start, gram in grams_around(question, placeholder, n).items()
    ]
    passage, entities = passage_tokens(instance)
    held: list[dict[int, Gram]] = [{} for _ in instance.candidates]
    for place, candidate in entities:
        held[candidate].update(grams_around(passage, place, n))
    return [
        float(COUNTINGS[counting](asked, list(grams.values()), entity)) for entity, grams in enumerate(held)
    ]


def shared_set(asked: list[Gram], held: list[Gram], entity: int) -> int:
    """How many different tokens stand in n-grams of both placeholder and entity, itself left out."""
    return len((set[Token]().union(*asked) & set[Token]().union(*held)) - {entity})


def shared_multiset(asked: list[Gram], held: list[Gram], entity: int) -> int:
    """The same with multiplicity: of each token the smaller of its two counts over all n-grams.

    Here the entity itself is a shared token where it is still visible beside the placeholder.
    """
    wanted = Counter(token for gram in asked for token in gram)
    found = Counter(token for gram in held for token in gram if token in wanted)
    return sum(min(count, found[token]) for token, count in wanted.items())


def shared_pairs(asked: list[Gram], held: list[Gram], entity: int) -> int:
    """The different tokens two n-grams share, summed over all pairs of one of each; the entity as above."""
    wanted = Counter(token for gram in asked for token in set(gram))
    return sum(wanted[token] for gram in held for token in set(gram))


COUNTINGS: dict[Counting, Callable[[list[Gram], list[Gram], int], int]] = {
    "set": shared_set,
    "multiset": shared_multiset,
    "pairs": shared_pairs,
}
