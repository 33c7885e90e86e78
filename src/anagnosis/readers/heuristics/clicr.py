"""Two baselines of CliCR (Šuster and Daelemans 2018, section 5.1), which look at the passage only.

The published program (github.com/clips/clicr, `baselines.py`) draws and counts over the entity's occurrences in title
and context, letter by letter: "Fever" and "fever" are two. The third baseline is `sim_entity.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance, PassageMention


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
    return [*_by_surface(instance.passage, instance.mentions, len(instance.candidates))]


@lru_cache(maxsize=1)  # the questions of a report follow each other, and share its passage
def _by_surface(passage: str, mentions: tuple[PassageMention, ...], candidates: int) -> tuple[float, ...]:
    scores = [0.0] * candidates
    if not mentions:
        return tuple(scores)
    surfaces = [passage[m.spans[0][0] : m.spans[-1][1]] for m in mentions]
    counts = Counter(surfaces)
    answer = most_frequent(surfaces)
    for mention, surface in zip(mentions, surfaces, strict=True):
        scores[mention.candidate] = max(scores[mention.candidate], float(counts[surface]))
    scores[mentions[surfaces.index(answer)].candidate] += 0.5
    return tuple(scores)


def most_frequent(surfaces: Sequence[str]) -> str:
    """The most frequent of some surfaces, the first of several; ValueError without any."""
    counts = Counter(surfaces)
    return max(counts, key=counts.__getitem__)
