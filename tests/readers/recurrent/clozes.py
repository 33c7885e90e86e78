"""Small clozes for the recurrent readers, as views show them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.readers.learning import ViewedSplit

Token = str | tuple[str, int]  # a word, or the surface of a mention and its candidate


def cloze(
    passage: Sequence[Token],
    question: Sequence[Token],
    candidates: Sequence[str],
    answer: int | None,
    name: str = "1",
) -> Viewed:
    """Tokens joined by blanks; XXXX in the question is the placeholder."""
    text, mentions = _joined(passage)
    asked, asked_mentions = _joined(question)
    start = asked.split(" ").index("XXXX")
    start = len(" ".join(asked.split(" ")[:start])) + (start > 0)
    return Viewed(
        id=name,
        passage=text,
        question=asked,
        candidates=tuple(candidates),
        answer=answer,
        names=tuple(() for _ in candidates),
        mentions=mentions,
        question_mentions=asked_mentions,
        placeholder=(start, start + 4),
    )


def _joined(tokens: Sequence[Token]) -> tuple[str, tuple[tuple[int, int, int], ...]]:
    text = ""
    mentions = []
    for token in tokens:
        text += " " if text else ""
        if isinstance(token, tuple):
            mentions.append((len(text), len(text) + len(token[0]), token[1]))
            text += token[0]
        else:
            text += token
    return text, tuple(mentions)


def random_cloze(
    seed: int, *, length: int | None = None, candidates: int | None = None, words: int = 40, known: int = 8
) -> Viewed:
    """Every candidate is mentioned at least once, in random places; numbers below `known`."""
    dice = random.Random(seed)
    count = candidates or dice.randint(1, 5)
    length = length or dice.randint(2 * count, 60)
    tokens = [f"@entity{n}" for n in sorted(dice.sample(range(known), count))]
    passage: list[Token] = [f"w{dice.randrange(words)}" for _ in range(length)]
    for k, place in enumerate(dice.sample(range(length), min(length, 2 * count))):
        passage[place] = (tokens[k % count], k % count)
    question: list[Token] = [f"w{dice.randrange(words)}" for _ in range(dice.randint(0, 11))]
    question.insert(dice.randint(0, len(question)), "XXXX")
    if dice.random() < 0.5:
        question.append((tokens[0], 0))
    return cloze(passage, question, tokens, dice.randrange(count), str(seed))


def named_cloze() -> Viewed:
    """A names view: mentions of several words."""
    passage: list[Token] = [
        ("Breast cancer", 0),
        "responds",
        "to",
        ("aspirin", 1),
        "but",
        ("cancer of the breast", 0),
    ]
    return cloze(passage, ["XXXX", "of", "the", "patients", "."], ["Breast cancer", "aspirin"], 0)


def viewed_split(instances: Sequence[Viewed]) -> ViewedSplit:
    return ViewedSplit(name="train", digest="00", rows=len(instances), viewed=lambda: iter(instances))


def learner(module: Any, instances: Sequence[Viewed], **config: Any) -> Any:
    """A small reader, made ready for these instances."""
    sizes = {"embedding": 8, "hidden": 6, "dropout": 0.0}
    return module.prepare(module.Config(**{**sizes, **config}), viewed_split(instances))
