"""A person of a study whose answers a server keeps: the page, and the journal that its answers are added to."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

from anagnosis.labelling.journal import Journal
from anagnosis.labelling.links import Links
from anagnosis.labelling.opened_study import OpenedStudy
from anagnosis.labelling.people import Person
from anagnosis.labelling.question_page import render
from anagnosis.labelling.returned import check_of
from anagnosis.labelling.saved_file import SECONDS, Check, Line
from anagnosis.labelling.saved_lines import LONGEST_SECONDS

_DECIMALS = 1  # of seconds, as pages save them


class Participant:
    """person: who it is. page: makes the page. check: of the lines that it may send. path: of the journal.

    questions: how many there are.
    """

    def __init__(
        self, person: Person, page: Callable[[], bytes], check: Check, path: Path, questions: int
    ) -> None:
        self.person, self.questions, self._check = person, questions, check
        self.journal = Journal(path, check)
        self._make, self._page, self._making = page, b"", threading.Lock()
        self._received: dict[str, tuple[Line, float]] = {}  # id → line and `since` of what was received last
        self._answering = threading.Lock()

    def page(self) -> bytes:
        """The page, made when somebody asks for it first."""
        with self._making:
            self._page = self._page or self._make()
            return self._page

    def answer(self, data: bytes, since: float) -> Line:
        """Keep an answer; gives the line as the journal holds it.

        data: the line as the page would save it; its seconds are those that the page knows of. since: those of them
        that the server acknowledged to the page before. Another page of the person may have added seconds meanwhile:
        then the rest is added to theirs. An answer that is received again adds nothing. InputError: as of `check` and
        `Journal.update`.
        """
        line = self._check(data, "the answer")
        ident, received = line["id"], (line, since)

        def merge(before: Line | None) -> Line:
            if before is not None and (line == before or self._received.get(ident) == received):
                return before
            there = 0 if before is None else before[SECONDS]
            seconds = line[SECONDS]
            if there != since:
                seconds = round(there + max(seconds - since, 0), _DECIMALS)
            return line | {SECONDS: min(max(seconds, there), LONGEST_SECONDS)}

        with self._answering:
            kept = self.journal.update(ident, merge)
            self._received[ident] = received
        return kept


def participants(study: OpenedStudy, links: Links, send: str) -> dict[str, Participant]:
    """Token → participant, of the people of a study in their order.

    send: the address, relative to a page's, to which it sends its answers. InputError: a journal with lines that no
    page of the study saves.
    """

    def participant(person: Person) -> Participant:
        of = study.questions(person)
        page = partial(render, of.study, person, study.drawn.seed, send=send)
        path = study.folder / person.saved(study.kind)
        return Participant(person, page, check_of(of), path, len(of.places))

    return {links.token(person.name): participant(person) for person in study.people}
