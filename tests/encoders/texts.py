"""Clozes as views show them, for the tests of encoders and readers: from texts with names of candidates and XXXX."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

from anagnosis.datasets.kinds.cloze_views import Viewed

ENTITY = re.compile(r"@entity(\d+)")
WORDS = ("the", "of", "in", "and", "with", "cells", "patients", "protein", "increased", "a", "was", "is")


def named(
    passage: str,
    question: str,
    names: Sequence[str],
    answer: int | None = 0,
    *,
    id: str = "1:0",
    hidden: int = 0,
    further: Mapping[str, int] | None = None,
) -> Viewed:
    """Every place of names[N] is a mention of candidate N; of overlapping names the longest counts.

    hidden: which XXXX of the question is the placeholder. further: other names, and their candidates.
    """
    known = {name: number for number, name in enumerate(names)} | dict(further or {})
    longest_first = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))

    def mentions(text: str) -> tuple[tuple[int, int, int], ...]:
        found = re.finditer(longest_first, text) if known else ()
        return tuple((m.start(), m.end(), known[m.group()]) for m in found)

    start = [m.start() for m in re.finditer("XXXX", question)][hidden]
    return Viewed(
        id=id,
        passage=passage,
        question=question,
        candidates=tuple(names),
        answer=answer,
        names=((),) * len(names),
        mentions=mentions(passage),
        question_mentions=mentions(question),
        placeholder=(start, start + 4),
    )


def marked(
    passage: str, question: str, answer: int | None = 0, *, id: str = "1:0", hidden: int = 0
) -> Viewed:
    """@entityN of the passage is candidate N."""
    count = 1 + max([answer or 0, *(int(m[1]) for m in ENTITY.finditer(passage))])
    return named(passage, question, [f"@entity{n}" for n in range(count)], answer, id=id, hidden=hidden)


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
