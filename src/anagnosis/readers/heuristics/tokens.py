"""An instance as white-space tokens; the token of an entity is the index of its candidate.

    passage  "Deficiency of folate (FA) causes anemia."     mentions folate → 0, FA → 0, anemia → 1
    tokens   ["Deficiency", "of", 0, "(", 0, ")", "causes", 1, "."]

Both papers use such tokens, in the original case ("a whitespace tokenizer": BIOMRC, Table 2; BioRead, section 2). A
replaced mention has a blank on each side, so it is a separate token. The text between mentions does not depend on the
replacement, and an index not on global or local numbers: the tokens are the same in all views that replace entities.
"""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.datasets.kinds.cloze_instance import (
    PLACEHOLDER,
    ClozeInstance,
    PassageMention,
    placeholder_start,
)
from anagnosis.errors import InputError

Token = str | int


def passage_tokens(instance: ClozeInstance) -> tuple[list[Token], list[tuple[int, int]]]:
    """The passage's tokens, and its entities in order as (index of the token, candidate)."""
    return _tokens(instance, instance.passage, instance.mentions)


def question_tokens(instance: ClozeInstance) -> tuple[list[Token], int]:
    """The question's tokens, and the index of the placeholder."""
    start = placeholder_start(instance)
    hidden = PassageMention(((start, start + len(PLACEHOLDER)),), len(instance.candidates))
    mentions = sorted((*instance.question_mentions, hidden), key=lambda mention: mention.spans)
    tokens, entities = _tokens(instance, instance.question, mentions)
    place = entities[mentions.index(hidden)][0]
    tokens[place] = PLACEHOLDER
    return tokens, place


def _tokens(
    instance: ClozeInstance, text: str, mentions: Sequence[PassageMention]
) -> tuple[list[Token], list[tuple[int, int]]]:
    tokens: list[Token] = []
    entities: list[tuple[int, int]] = []
    done = 0
    for mention in mentions:
        spans = mention.spans
        start = spans[0][0]
        if start < done:
            what = f"two mentions overlap at character {start} of {text[start : start + 20]!r}"
            raise InputError(what, instance.id, "leave one of them out")
        tokens.extend(text[done:start].split())
        entities.append((len(tokens), mention.candidate))
        tokens.append(mention.candidate)
        done = spans[-1][1]
    tokens.extend(text[done:].split())
    return tokens, entities
