"""A judge: a language model that chooses among the best sentences of an answer, by number, and writes none.

It gets the question and, each on a line of its own, the sentences with their papers' titles. Only their numbers and the
word none count as a reply. After any other it is asked once more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from anagnosis.errors import InputError
from anagnosis.language_models.asking import LanguageModel
from anagnosis.language_models.calls import Call, CallLog, Reply
from anagnosis.language_models.prompts import named
from anagnosis.language_models.server import Server
from anagnosis.language_models.spending import Spending
from anagnosis.progress import print_note
from anagnosis.searching.records.hits import Judged
from anagnosis.searching.records.passage import Evidence
from anagnosis.wording import shortened

UNREADABLE = "neither of its two replies is a list of these numbers"
TOO_LONG = "the sentences are too long for its server"
_LONGEST = 1_000  # characters of a title or sentence
# (seed, temperature) of the two calls, which no cache and no model answers alike.
_CALLS = ((0, 0.0), (1, 0.7))
_NUMBERS = re.compile(r"\d{1,2}(?:(?:\s*,\s*|\s+)\d{1,2})*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Judge:
    """model: as its server names it. server: None if only the log answers."""

    model: str
    server: Server | None
    log: CallLog | None = None
    READ: ClassVar[int] = 8  # sentences

    def choose(self, question: str, sentences: Sequence[Evidence]) -> tuple[list[Evidence], Judged]:
        """The sentences, those that it chose among the first READ before the others; and how it chose."""
        prompt, shown = named("judge@1"), sentences[: self.READ]
        lines = [f"{_line(one.text)} (paper: {_line(one.passage.paper)})" for one in shown]
        candidates = "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
        messages = (prompt.first, prompt.asked(question, candidates=candidates))
        # What it spends is of this question alone: a server of pages asks from many threads.
        model = LanguageModel(Spending(), self.server, self.log)
        chosen, asked, fault = None, 0, ""
        try:
            while chosen is None and fault != TOO_LONG and asked < len(_CALLS):
                seed, temperature = _CALLS[asked]
                asked += 1
                call = Call(self.model, messages, prompt.most, temperature, seed)
                ((_, (reply,)),) = model.replies([(None, [call])])
                chosen = places(reply, len(shown))
                said = TOO_LONG if reply.finish == "too-long" else UNREADABLE
                fault = said if chosen is None else ""
        except InputError as broken:
            print_note(f"the judge {self.model} does not answer: {broken.where}: {broken.what}")
            fault = broken.what.partition(" (")[0]  # behind it stands what the server wrote
        first = [shown[place] for place in chosen or ()]
        others = [one for one in sentences if one not in first]
        count = None if chosen is None else len(first)
        return [*first, *others], Judged(self.model, prompt.signed, count, asked, fault)


def places(reply: Reply, count: int) -> list[int] | None:
    """The places, from 0, of the sentences that a reply names among `count`; empty for none, None for anything else."""
    said = reply.text.strip().removesuffix(".") if reply.finish == "stop" else ""
    if said.casefold() == "none":
        return []
    found = [int(number) - 1 for number in re.findall(r"\d+", said)] if _NUMBERS.fullmatch(said) else []
    is_read = len(set(found)) == len(found) and all(0 <= place < count for place in found)
    return found if found and is_read else None


def _line(text: str) -> str:
    return shortened(" ".join(text.split()), _LONGEST)
