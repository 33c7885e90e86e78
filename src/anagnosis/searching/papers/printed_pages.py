"""On which pages of a paper's file the text of another record stands: sentence by sentence, by its letters.

A sentence whose letters the file has once stands where they are; any other has no page.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec.structs import replace

from anagnosis.documents.formats.pdf.words import letters
from anagnosis.documents.page_map import PageMap, Run, read_page_map
from anagnosis.language.sentences import splitter
from anagnosis.searching.passages import SPLITTER
from anagnosis.searching.records.passage import Passage

_NOWHERE = 0  # the page of a text that has none
_SHORTEST = 20  # letters of a sentence that can only be that one


class PrintedText:
    """The letters of a paper's main file, with their places. passages: of its records; the main file comes first."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        every = [(passage, page_map) for passage in passages if (page_map := read_page_map(passage.page_map))]
        self._passages = [one for one in every if one[1].file == every[0][1].file]

    def __bool__(self) -> bool:
        return bool(self._passages)

    def with_pages(self, passage: Passage) -> Passage:
        """The passage of another record with a page map, where one of its sentences has a page."""
        runs = list(self._runs(passage.text, letters(passage.text)))
        if all(run.page == _NOWHERE for run in runs):
            return passage
        found = PageMap(self._passages[0][1].file, tuple(runs))
        return replace(passage, pages=found.pages, page_map=found.written())

    def _runs(self, text: str, own: Sequence[tuple[str, int]]) -> Iterator[Run]:
        places, done = [at for _, at in own], 0
        for begin, end in splitter(SPLITTER)(text):
            first, last = bisect_right(places, begin - 1), bisect_right(places, end - 1)
            sought = "".join(letter for letter, _ in own[first:last])
            at = self._letters.find(sought) if len(sought) >= _SHORTEST else -1
            if at < 0 or self._letters.find(sought, at + 1) >= 0:
                continue
            if begin > done:
                yield Run(done, begin, _NOWHERE, 0)
            pieces = list(self._pieces(at, at + len(sought)))
            ends = [places[first + behind - at] for behind, _, _ in pieces[1:]] + [end]
            for (_, page, character), piece_end in zip(pieces, ends, strict=True):
                yield Run(begin, piece_end, page, character)
                begin = piece_end
            done = end
        if done < len(text):
            yield Run(done, len(text), _NOWHERE, 0)

    def _pieces(self, begin: int, end: int) -> Iterator[tuple[int, int, int]]:
        """(first letter, page, character) of each line in which letters [begin, end) stand."""
        first = max(bisect_right(self._lines, begin, key=lambda line: line[0]) - 1, 0)
        for at, page, character, offsets in self._lines[first:]:
            if at >= end:
                return
            late = offsets[begin - at] - offsets[0] if begin > at else 0
            yield max(at, begin), page, character + late

    @cached_property
    def _letters(self) -> str:
        return "".join(letter for passage, _ in self._passages for letter, _ in letters(passage.text))

    @cached_property
    def _lines(self) -> list[tuple[int, int, int, list[int]]]:
        """(its first letter, page, character, offsets of its letters) of each line with letters."""
        lines: list[tuple[int, int, int, list[int]]] = []
        at = 0
        for passage, page_map in self._passages:
            for run in page_map.runs:
                own = [offset for _, offset in letters(passage.text[run.begin : run.end])]
                if own:
                    lines.append((at, run.page, run.character, own))
                    at += len(own)
        return lines
