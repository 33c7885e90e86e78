"""The question alone: naive Bayes of the question's words and the entity, without the passage.

    score(e) = log P(e) + Σ_w log P(w | e)
    P(e) ∝ answers(e) + 1
    P(w | e) = (count(w, e) + 1) / (words(e) + V)

fitted on the training part's questions and answers (multinomial model, Laplace smoothing; Manning et al.
2008, Introduction to Information Retrieval, section 13.2). w runs over the question's white-space tokens in lower
case, with keys for visible entities, without the placeholder and unknown words. V is the number of different words.
All counts of a candidate that was never an answer are 0.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance, outside
from anagnosis.readers.heuristics.priors import answered, with_identity
from anagnosis.readers.heuristics.tokens import question_tokens


def fit(
    instances: Iterable[ClozeInstance], *, view: str = "global"
) -> Callable[[ClozeInstance], list[float]]:
    """The question alone: naive Bayes of the question's words and the entity, without the passage.

    Scores are natural logarithms, up to a constant of the training part.

    Each (key, word) is one int64 code, key · 2³² + word: sorted codes and counts take 16 bytes a pair, a dict about
    100.
    """
    import numpy as np

    words: dict[str, int] = {}
    keys: dict[str, int] = {}
    answers: array[int] = array("q")
    codes: array[int] = array("q")
    known = with_identity(instances, "question-words", view)
    for instance, answer in answered(known, "question-words"):
        key = keys.setdefault(instance.candidates[answer].key, len(keys))
        answers.append(key)
        codes.extend(key << 32 | words.setdefault(word, len(words)) for word in question_words(instance))
    answers_of = np.bincount(np.frombuffer(answers, np.int64), minlength=len(keys))
    pairs, counts = np.unique(np.frombuffer(codes, np.int64), return_counts=True)
    words_of = np.bincount(pairs >> 32, counts, minlength=len(keys))

    def question_alone(instance: ClozeInstance) -> list[float]:
        ids = [words[word] for word in question_words(instance) if word in words]
        known_words = np.array(ids, np.int64)  # [words]
        known = np.array([keys.get(c.key, -1) for c in instance.candidates], np.int64)  # [candidates]
        wanted = known[:, None] << 32 | known_words  # [candidates, words], negative if never an answer
        at = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
        times = np.where(pairs[at] == wanted, counts[at], 0) if len(pairs) else np.zeros_like(wanted)
        prior = np.where(known >= 0, answers_of[known], 0)  # [candidates]
        length = np.where(known >= 0, words_of[known], 0)  # [candidates]
        parts = np.hstack([np.log(prior + 1)[:, None], np.log(times + 1)])
        rests = len(known_words) * np.log(np.maximum(length + len(words), 1))
        # fsum: candidates with the same counts in another order must tie exactly
        return [math.fsum([*part, -rest]) for part, rest in zip(parts.tolist(), rests.tolist())]

    return question_alone


def question_words(instance: ClozeInstance) -> list[str]:
    """The question's tokens in lower case, without the placeholder; visible entities as their keys, or as @entityN
    where they are no candidates.
    """
    tokens, placeholder = question_tokens(instance)
    del tokens[placeholder]
    return [token.lower() if isinstance(token, str) else _entity(instance, token) for token in tokens]


def _entity(instance: ClozeInstance, index: int) -> str:
    return instance.candidates[index].key if index >= 0 else f"@entity{outside(index)}"
