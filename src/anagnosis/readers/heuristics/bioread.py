"""The fourth baseline of BioRead (Pappas et al. 2018, section 3). Its first three are BIOMRC's under other
numbers: BASE1 is most_frequent_entity, BASE2 first_entity, BASE3 last_entity (`biomrc.py`).
"""

from __future__ import annotations

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.readers.heuristics.tokens import passage_tokens, question_tokens
from anagnosis.recipes.values import Grams


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
