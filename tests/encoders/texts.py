"""Viewed instances for the tests of encoders, from texts with @entityN and XXXX in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from anagnosis.datasets.kinds.cloze_views import Viewed

ENTITY = re.compile(r"@entity(\d+)")
WORDS = ("the", "of", "in", "and", "with", "cells", "patients", "protein", "increased", "a", "was", "is")


def marked(
    passage: str, question: str, answer: int | None = 0, *, id: str = "1:0", hidden: int = 0
) -> Viewed:
    """@entityN of the passage is candidate N. hidden: which XXXX of the question is the placeholder."""
    found = [(m.start(), m.end(), int(m[1])) for m in ENTITY.finditer(passage)]
    count = 1 + max([answer or 0, *(candidate for _, _, candidate in found)])
    return _viewed(id, passage, question, [f"@entity{n}" for n in range(count)], answer, found, hidden)


def named(passage: str, question: str, names: Sequence[str], answer: int | None = 0) -> Viewed:
    """Every place of names[N] is a mention of candidate N, as in the names view."""
    found = [
        (m.start(), m.end(), n) for n, name in enumerate(names) for m in re.finditer(re.escape(name), passage)
    ]
    return _viewed("1:0", passage, question, names, answer, sorted(found), 0)


def many(count: int, seed: int = 0) -> list[Viewed]:
    """Random instances of two to six candidates, sentences of all lengths, some of them without a mention."""
    random = Random(seed)

    def run(length: int) -> list[str]:
        return [random.choice(WORDS) for _ in range(length)]

    def instance(number: int) -> Viewed:
        candidates = random.randint(2, 6)
        sentences = [run(random.randint(1, 12)) for _ in range(random.randint(3, 7))]
        for candidate in [*range(candidates), *random.choices(range(candidates), k=4)]:
            sentence = random.choice(sentences[:-1])
            sentence.insert(random.randint(0, len(sentence)), f"@entity{candidate}")
        passage = " ".join(f"{' '.join(sentence).capitalize()} ." for sentence in sentences)
        question = " ".join([*run(random.randint(0, 4)), "XXXX", *run(random.randint(0, 4))])
        return marked(passage, question, random.randrange(candidates), id=f"{number}:0")

    return [instance(number) for number in range(count)]


def _viewed(
    id: str,
    passage: str,
    question: str,
    candidates: Sequence[str],
    answer: int | None,
    mentions: Sequence[tuple[int, int, int]],
    hidden: int,
) -> Viewed:
    start = [m.start() for m in re.finditer("XXXX", question)][hidden]
    return Viewed(
        id=id,
        passage=passage,
        question=question,
        candidates=tuple(candidates),
        answer=answer,
        names=((),) * len(candidates),
        mentions=tuple(mentions),
        question_mentions=(),
        placeholder=(start, start + 4),
    )
