"""A judge: a language model that chooses among the best sentences of an answer, by number. It writes none of them.

It gets the question and the sentences with their papers' titles, each on a line of its own, whatever they say:

    1. Cold tea does not change sleep. (paper: Cold tea and sleep)

Only numbers of these sentences and the word none count as a reply. After any other it is asked once more.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
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

SECONDS = 20.0
UNREADABLE = "neither of its two replies is a list of these numbers"
_PROMPT = "judge@1"
_LONGEST = 1_000  # characters of a title or sentence
# (seed, temperature) of the first call and the second, which no cache and no model then answers alike.
_CALLS = ((0, 0.0), (1, 0.7))
_NUMBERS = re.compile(r"\d{1,2}(?:(?:\s*,\s*|\s+)\d{1,2})*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Judge:
    """model: as its server names it. server: its seconds are those of both calls; None if only the log answers."""

    model: str
    server: Server | None
    log: CallLog | None = None
    READ: ClassVar[int] = 8  # sentences

    def choose(self, question: str, sentences: Sequence[Evidence]) -> tuple[list[Evidence], Judged]:
        """The sentences, those that it chose among the first READ before the others; and how it chose.

        Without a reply that can be read they stay in their order.
        """
        prompt, shown = named(_PROMPT), sentences[: self.READ]
        lines = (
            f"{number}. {_line(one.text)} (paper: {_line(one.passage.paper)})"
            for number, one in enumerate(shown, 1)
        )
        messages = (prompt.first, prompt.asked(question, candidates="\n".join(lines)))
        started, chosen, asked, fault = time.monotonic(), None, 0, UNREADABLE
        try:
            while chosen is None and asked < len(_CALLS):
                seed, temperature = _CALLS[asked]
                asked += 1
                call = Call(self.model, messages, prompt.most, temperature, seed)
                chosen = places(self._reply(call, time.monotonic() - started), len(shown))
        except InputError as broken:
            print_note(f"the judge {self.model} does not answer: {broken.where}: {broken.what}")
            fault = broken.what.partition(" (")[0]  # behind it stands what the server wrote
        if chosen is None:
            return [*sentences], self.judged(None, asked, fault)
        first = [shown[place] for place in chosen]
        others = [one for one in sentences if one not in first]
        return [*first, *others], self.judged(len(first), asked)

    def judged(self, chosen: int | None, asked: int, fault: str = "") -> Judged:
        """How it chose."""
        return Judged(self.model, named(_PROMPT).signed, chosen, asked, fault)

    def _reply(self, call: Call, passed: float) -> Reply:
        """passed: seconds of those that it has."""
        server = self.server and replace(self.server, seconds=max(self.server.seconds - passed, 0.0))
        # What it spends is of this question alone: a server of pages asks from many threads.
        ((_, (reply,)),) = LanguageModel(Spending(), server, self.log).replies([(None, [call])])
        return reply


def places(reply: Reply, count: int) -> list[int] | None:
    """The places, from 0, of the sentences that a reply names among `count`; empty for none, None for anything else."""
    said = reply.text.strip().removesuffix(".")
    if reply.finish != "stop":
        return None
    if said.casefold() == "none":
        return []
    if not _NUMBERS.fullmatch(said):
        return None
    found = [int(number) - 1 for number in re.findall(r"\d+", said)]
    is_read = len(set(found)) == len(found) and all(0 <= place < count for place in found)
    return found if is_read else None


def _line(text: str) -> str:
    return shortened(" ".join(text.split()), _LONGEST)
