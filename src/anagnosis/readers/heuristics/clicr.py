"""Two baselines of CliCR (Šuster and Daelemans 2018, section 5.1), which look at the passage only.

The published program (github.com/clips/clicr, `baselines.py`) draws and counts over the entity's occurrences in title
and context, letter by letter: "Fever" and "fever" are two. The third baseline is `sim_entity.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance


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
    if not instance.mentions:
        return scores
    passage = instance.passage
    surfaces = [passage[m.spans[0][0] : m.spans[-1][1]] for m in instance.mentions]
    counts = Counter(surfaces)
    answer = most_frequent(surfaces)
    best = 0
    for mention, surface in zip(instance.mentions, surfaces, strict=True):
        scores[mention.candidate] = max(scores[mention.candidate], float(counts[surface]))
        if surface == answer:
            best = mention.candidate
    scores[best] += 0.5
    return scores


def most_frequent(surfaces: Sequence[str]) -> str:
    """The most frequent of some surfaces, the first of several; ValueError without any."""
    counts = Counter(surfaces)
    return max(counts, key=counts.__getitem__)
