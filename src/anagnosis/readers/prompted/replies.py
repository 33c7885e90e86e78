"""Replies of a language model, read strictly: one of another form than the prompt asks for gives no answer.

answers         a JSON list of texts, perhaps in a fence of Markdown: ["MECP2", "CDKL5"]; [] for "I do not know"
yes-no          one word, perhaps with a full stop; so is yes-no-maybe
number          of a candidate, from 1, perhaps with a full stop
words           at most ten, in one line
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.datasets.kinds.table import CLOZE, DECISION, QUESTION

# Of a reply and what can be answered, in the order shown: the answers, the best first; None for another form.
Parser = Callable[[str, Sequence[str]], list[str] | None]
# No reply keeps the reader busy: more answers than BioASQ takes for a list, and longer ones, are of another form.
MOST, LONGEST = 100, 1000  # answers of a reply, characters of an answer
_WORDS = 10
_FENCE = re.compile(r"```(?:json)?\n(.*)\n```", re.DOTALL)
_NUMBER = re.compile(r"([1-9][0-9]{0,8})\.?")


def _answers(text: str, keys: Sequence[str]) -> list[str] | None:
    fenced = _FENCE.fullmatch(text.strip())
    try:
        listed = msgspec.json.decode(fenced[1] if fenced else text, type=list[str])
    except ValueError:
        return None
    answers = [" ".join(each.split()) for each in listed[: MOST + 1]]
    fits = len(answers) <= MOST and all(0 < len(each) <= LONGEST for each in answers)
    return answers if fits else None


def _label(text: str, keys: Sequence[str], labels: Sequence[str]) -> list[str] | None:
    word = text.strip().removesuffix(".").casefold()
    return [word] if word in labels else None


def _number(text: str, keys: Sequence[str]) -> list[str] | None:
    found = _NUMBER.fullmatch(text.strip())
    return [keys[int(found[1]) - 1]] if found and int(found[1]) <= len(keys) else None


def _words(text: str, keys: Sequence[str]) -> list[str] | None:
    words = text.split()
    is_line = len(text.strip().splitlines()) == 1 and len(words) <= _WORDS
    return [" ".join(words)] if is_line and len(text) <= LONGEST else None


# Name → the kind of dataset whose prompts may ask for it, and its parser.
REPLIES: dict[str, tuple[str, Parser]] = {
    "answers": (QUESTION, _answers),
    "yes-no": (DECISION, partial(_label, labels=LABELS[:2])),
    "yes-no-maybe": (DECISION, partial(_label, labels=LABELS)),
    "number": (CLOZE, _number),
    "words": (CLOZE, _words),
}
