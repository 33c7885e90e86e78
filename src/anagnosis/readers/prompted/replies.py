"""Replies of a language model, read strictly: one of another form than the prompt asks for gives no answer.

answers        a JSON list of texts, perhaps in a fence of Markdown: ["MECP2", "CDKL5"]; [] for "I do not know"
yes-no         one word; also yes-no-maybe
number         of a candidate, from 1
words          at most ten, in one line
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import msgspec

from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.datasets.kinds.table import CLOZE, DECISION, QUESTION
from anagnosis.predictions import Answer, Prediction
from anagnosis.readers.answers.ranking import ranked

LONGEST = 100  # characters of an answer, as BioASQ's task takes them (design/bioasq.md)
_WORDS = 10
_FENCE = re.compile(r"```(?:json)?\n(.*)\n```", re.DOTALL)
_NUMBER = re.compile(r"([1-9][0-9]{0,8})\.?")


@dataclass(frozen=True, slots=True)
class Form:
    """kind: of dataset whose prompts may ask for it. is_free: whether an answer is any text, not a key.

    read: of a reply and the candidates' keys, in the order shown, the answers; None if it has another form.
    written: the reverse, of right answers. predicted: of an instance's id and type, and its answers, the line.
    """

    kind: str
    read: Callable[[str, Sequence[str]], list[str] | None]
    predicted: Callable[[str, str, Sequence[Answer]], Prediction]
    written: Callable[[Sequence[str], Sequence[str]], str] = lambda answers, keys: answers[0]
    is_free: bool = False


def _answers(text: str, keys: Sequence[str]) -> list[str] | None:
    fenced = _FENCE.fullmatch(text.strip())
    try:
        listed = msgspec.json.decode(fenced[1] if fenced else text, type=list[str])
    except (ValueError, RecursionError):
        return None
    answers = [" ".join(each.split()) for each in listed]
    return answers if all(0 < len(each) <= LONGEST for each in answers) else None


def _label(text: str, keys: Sequence[str], labels: Sequence[str]) -> list[str] | None:
    word = text.strip().removesuffix(".").casefold()
    return [word] if word in labels else None


def _number(text: str, keys: Sequence[str]) -> list[str] | None:
    found = _NUMBER.fullmatch(text.strip())
    return [keys[int(found[1]) - 1]] if found and int(found[1]) <= len(keys) else None


def _words(text: str, keys: Sequence[str]) -> list[str] | None:
    line = text.strip()
    is_short = len(line) <= _WORDS * LONGEST and 1 <= len(line.split()) <= _WORDS
    return [line] if is_short and len(line.splitlines()) == 1 else None


def _several(ident: str, type: str, answers: Sequence[Answer]) -> Prediction:
    return Prediction(ident, answers=ranked(answers, type, group=False) or None)


def _one(ident: str, type: str, answers: Sequence[Answer]) -> Prediction:
    return Prediction(ident, answers[0].text if answers else None)


def _free(ident: str, type: str, answers: Sequence[Answer]) -> Prediction:
    return Prediction(ident, [each.text for each in answers] or None)


def _listed(answers: Sequence[str], keys: Sequence[str]) -> str:
    return json.dumps(answers, ensure_ascii=False)


def _numbered(answers: Sequence[str], keys: Sequence[str]) -> str:
    return str(keys.index(answers[0]) + 1)


REPLIES = {
    "answers": Form(QUESTION, _answers, _several, _listed, is_free=True),
    "yes-no": Form(DECISION, partial(_label, labels=LABELS[:2]), _one),
    "yes-no-maybe": Form(DECISION, partial(_label, labels=LABELS), _one),
    "number": Form(CLOZE, _number, _one, _numbered),
    "words": Form(CLOZE, _words, _free, is_free=True),
}
