"""Readers that are not trained: chance, baselines of BIOMRC, BioRead and CliCR, and rules on questions' first words.

Each gives one score for each candidate, in their order. The candidates with the highest score are exactly those
among which the paper chooses at random. Scores of the basic baselines of BIOMRC (Stavropoulos et al. 2020, section 3.1,
in its order) are integers, so ties are exact. The first three baselines of BioRead (Pappas et al. 2018, section 3) are
BIOMRC's under other numbers: BASE1 is most_frequent_entity, BASE2 first_entity, BASE3 last_entity.

The baselines of CliCR (Šuster and Daelemans 2018, section 5.1) look at the passage only: the published program
(github.com/clips/clicr, `baselines.py`) draws and counts over the entity's occurrences in title and context, letter by
letter: "Fever" and "fever" are two. Its third baseline is `sim_entity.py`.
"""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.datasets.kinds.question import TYPES, QuestionInstance
from anagnosis.language.question_kinds import kind_of_question
from anagnosis.readers.heuristics.tokens import Token, passage_tokens, question_tokens
from anagnosis.recipes.load import Grams


def random_candidate(instance: ClozeInstance) -> list[float]:
    """Equal scores for all k candidates: an expected accuracy of 1/k, and a uniform choice by the seeded draw."""
    return [0.0] * len(instance.candidates)


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


def neighbour_overlap(instance: ClozeInstance, *, n: Grams = 3) -> list[float]:
    """BASE4: the entity whose neighbours in the passage are most like the placeholder's in the question.

    Score: the different tokens that the passage's n-grams with the entity share with the question's n-grams with the
    placeholder, without the two themselves. A text shorter than n tokens has no n-gram. The paper does not define the
    count of shared tokens; of three ways this comes nearest to its figures.
    """
    question, placeholder = question_tokens(instance)
    wanted = _tokens_around(question, placeholder, n) - {question[placeholder]}
    passage, entities = passage_tokens(instance)
    of_entity: list[set[Token]] = [set() for _ in instance.candidates]
    for place, candidate in entities:
        of_entity[candidate] |= _tokens_around(passage, place, n)
    return [float(len((wanted & tokens) - {entity})) for entity, tokens in enumerate(of_entity)]


def _tokens_around(tokens: list[Token], place: int, n: int) -> set[Token]:
    """The tokens of all n-grams that contain a place; empty if the text is shorter than n tokens."""
    if len(tokens) < n:
        return set()
    return set(tokens[max(0, place - n + 1) : place + n])


def ngram_occurrences(instance: ClozeInstance, *, n: Grams = 2) -> list[float]:
    """BioRead's BASE4: put each candidate in the placeholder's place and look the question's n-grams up in the passage.

    Score: the occurrences in the passage of the question's n-grams with the placeholder, each counted as often as the
    question has it. The paper does not define its treatment of ties, which are frequent (often no n-gram occurs); we
    leave them as ties.
    """
    question, placeholder = question_tokens(instance)
    passage, entities = passage_tokens(instance)
    sides = [
        (question[start:placeholder], question[placeholder + 1 : start + n])
        for start in range(max(0, placeholder - n + 1), min(placeholder, len(question) - n) + 1)
    ]
    scores = [0.0] * len(instance.candidates)
    for place, candidate in entities:
        for left, right in sides:
            start = place - len(left)
            if start >= 0 and passage[start:place] == left and passage[place + 1 : start + n] == right:
                scores[candidate] += 1.0
    return scores


def rand_entity(instance: ClozeInstance, *, seed: int = 0) -> list[float]:
    """rand-entity: a uniform draw over the passage's occurrences, so a frequent entity is likelier.

    Score: 1 for the entity of the drawn occurrence, 0 for the others. The draw depends on the seed and the instance's
    id alone. Without an occurrence all entities tie.
    """
    scores = [0.0] * len(instance.candidates)
    if instance.mentions:
        digest = blake2b(f"rand-entity\n{seed}\n{instance.id}".encode(), digest_size=8).digest()
        drawn = instance.mentions[int.from_bytes(digest, "big") % len(instance.mentions)]
        scores[drawn.candidate] = 1.0
    return scores


def maxfreq_entity(instance: ClozeInstance) -> list[float]:
    """maxfreq-entity: the entity with the most frequent surface; of equally frequent surfaces the first in the passage.

    Score: the occurrences of the entity's most frequent surface, and 0.5 more for the answer, so that nothing ties.
    """
    scores = [0.0] * len(instance.candidates)
    surfaces = [instance.passage[m.spans[0][0] : m.spans[-1][1]] for m in instance.mentions]
    counts = Counter(surfaces)
    for mention, surface in zip(instance.mentions, surfaces, strict=True):
        scores[mention.candidate] = max(scores[mention.candidate], float(counts[surface]))
    if counts:
        scores[instance.mentions[surfaces.index(most_frequent(surfaces))].candidate] += 0.5
    return scores


def most_frequent(surfaces: list[str]) -> str:
    """The most frequent of some surfaces, the first of several."""
    counts = Counter(surfaces)
    return max(counts, key=counts.__getitem__)


def question_type_rules(instance: QuestionInstance) -> list[float]:
    """Rules on the first words: 1 for the type that they give, 0 for the others, in the order of TYPES."""
    by_rules = kind_of_question(instance.question)
    return [float(by_rules == each) for each in TYPES]
