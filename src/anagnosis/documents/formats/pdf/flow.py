"""Sections out of blocks: headings, the text under them, captions of figures and tables, and what stands aside."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from anagnosis.documents.document import HEADING_PATH, Section
from anagnosis.documents.formats.pdf.page_layout import Block
from anagnosis.documents.formats.pdf.page_lines import Line
from anagnosis.documents.formats.pdf.words import (
    ABSTRACT,
    REFERENCES,
    Hyphens,
    is_main,
    is_usual,
    label_under,
    may_be_heading,
    reads_as_heading,
    words_in,
)
from anagnosis.documents.page_map import PageMap, Run

_CAPTION = re.compile(
    r"(?:extended data |supplementary )?(fig(?:ure|\.)?|table|scheme|box)\s*(?:S?\d+[A-Za-z]?|[IVX]+)\b(?=[\s.:|)]|$)",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.?!:;。！？：；][)\]\"'”’）」』]*$")
_SENTENCE_END = re.compile(r"[.?!。！？][)\]\"'”’）」』]*$")
_OF_LABEL = re.compile(r"(?<!\S)[\W_]*[A-Z\d]")
_Counts = Mapping[int, Counter[str]]
_CAPTION_BESIDE = 40.0  # points, from the first lines of a caption down to its second column
_AT_END = 8  # characters, in which a sentence ends with its brackets and quotation marks


@dataclass
class Part:
    """A section in the making. path: headings above it, the outermost first.

    starts: where its lines begin: paragraph, offset there, page (from 1), PDFium's character.
    """

    label: str
    path: tuple[str, ...] = ()
    paragraphs: list[str] = field(default_factory=list[str])
    hyphen: bool = False
    last: int = -1  # number of its last block
    starts: list[tuple[int, int, int, int]] = field(default_factory=list[tuple[int, int, int, int]])

    @property
    def ended(self) -> bool:
        """Whether no sentence is open."""
        return not self.paragraphs or bool(_ENDS.search(self.paragraphs[-1][-_AT_END:]) and not self.hyphen)

    @property
    def ends_sentence(self) -> bool:
        return _SENTENCE_END.search(self.paragraphs[-1][-_AT_END:]) is not None and not self.hyphen

    def take(self, line: Line, hyphens: Hyphens, *, paragraph: bool, cut: bool = False) -> bool:
        """Add a line; returns whether that joined a broken word.

        paragraph: it begins one, if no sentence is open. cut: it begins one even then.
        """
        line.cut(len(line.text) - len(line.text.lstrip()))
        text = line.text.rstrip()
        if not text:
            self.hyphen = self.hyphen or line.hyphen
            return False
        if joins := bool(self.paragraphs and self.hyphen and not cut):
            self.paragraphs[-1] = hyphens.joined(self.paragraphs[-1], text)
        elif self.paragraphs and not cut and not (paragraph and self.ends_sentence):
            self.paragraphs[-1] += hyphens.between(self.paragraphs[-1], text) + text
        else:
            self.paragraphs[-1:] = [one + "-" * self.hyphen for one in self.paragraphs[-1:]]
            self.paragraphs.append(text)
        self.hyphen = line.hyphen
        number, behind = len(self.paragraphs) - 1, len(self.paragraphs[-1]) - len(text)
        self.starts += ((number, behind + at, line.page + 1, index) for at, index in line.starts)
        return joins

    def section(self, file: str) -> Section:
        """The section; file: the digest for its page map."""
        text = "\n".join(self.paragraphs)
        begins = list(accumulate((len(one) + 1 for one in self.paragraphs), initial=0))
        places = [(begins[paragraph] + at, page, index) for paragraph, at, page, index in self.starts]
        runs = tuple(
            Run(begin, end, page, index)
            for (begin, page, index), (end, *_) in pairwise((*places, (len(text), 0, 0)))
            if begin < end
        )
        return Section(self.label, text, HEADING_PATH.join(self.path), page_map=PageMap(file, runs).written())


def joined_lines(lines: Sequence[Line], hyphens: Hyphens, label: str = "") -> Part:
    """The lines as one paragraph."""
    part = Part(label)
    for line in lines:
        part.take(line, hyphens, paragraph=False)
    return part


def text_of(block: Block, hyphens: Hyphens) -> str:
    """A block as one paragraph."""
    return "".join(joined_lines(block.lines, hyphens).paragraphs)


class Flow:
    """The sections behind the title, in the making. counts: of each page; gets cut_sentence, hyphen, short_line."""

    def __init__(
        self, blocks: Sequence[Block], body: tuple[str, float], hyphens: Hyphens, counts: _Counts
    ) -> None:
        self.blocks, self.body, self.hyphens, self.counts = blocks, body, hyphens, counts
        self.parts: list[Part] = [Part("body")]
        self.floats: list[Part] = []
        self.aside, self.size = Part("back"), body[1]
        self.captions, self.is_caption = list[tuple[Part, Block]](), False
        self.columns = _columns([block for block in blocks if self._is_body(block)])
        self.levels: dict[tuple[str, float], int] = {}
        self.stack: list[tuple[int, str]] = []

    def sections(self) -> list[Part]:
        self.blocks = list(self._split())
        for number, block in enumerate(self.blocks):
            self._take(number, block)
        found: list[Part] = []
        every = (*self.parts, *self.floats, self.aside)
        for part, following in zip(every, (*every[1:], None), strict=True):
            # A heading above others stands in front of theirs.
            above = following is not None and following.path[: len(part.path)] == part.path
            if part.paragraphs or (part.path and not above):
                found.append(part)
        if any(part.paragraphs for part in found):
            return found
        for counts in self.counts.values():
            del counts["short_line"]  # which is kept
        return [joined_lines([line for block in self.blocks for line in block.lines], self.hyphens, "body")]

    def _split(self) -> Iterator[Block]:
        """The blocks, of which the first line stands alone if it looks like a heading in the font of the text."""
        above: Block | None = None
        for block in self.blocks:
            first = block.lines[0]
            text = first.text.strip()
            alone = (
                self._is_body(block)
                and first.right - block.left < 0.7 * (block.right - block.left)
                and text[:1].isupper()
                and block.lines[1:2]
                and block.lines[1].text[:1].isupper()
                and len(text.split()) <= 12
                and not _ENDS.search(text)
                and not text.endswith(",")
                and (above is None or above.page != block.page or _white(above, block) > 1.9 * block.size)
            )
            if len(block.lines) > 1 and (is_usual(text) or alone):
                yield Block([first])
                yield Block(block.lines[1:])
            else:
                yield block
            above = block

    def _is_body(self, block: Block) -> bool:
        return block.font == self.body[0] and abs(block.size - self.body[1]) < 0.6

    def _take(self, number: int, block: Block) -> None:
        text = text_of(block, self.hyphens)
        label = _CAPTION.match(text)
        key = block.font, block.size
        is_body = self._is_body(block)
        if label and (not is_body or block.lines[0].font != self.body[0] or self.parts[-1].ended):
            kind = "table" if label[1].lower() == "table" else "figure"
            self.floats.append(Part(kind, (label[0],)))
            self._add(self.floats[-1], number)
            self.captions.append((self.floats[-1], block))
            self.is_caption = True
            return
        if not is_body and (caption := self._caption_of(block)) is not None:
            self._add(caption, number)
            return
        if self._is_heading(number, block, text):
            self._head(text, key)
            return
        part = self.parts[-1]
        goes_on = part.ended or self._goes_on(part, number)
        if self._is_text(part, block, goes_on=goes_on, is_body=is_body):
            in_text = is_body or goes_on or part.label == REFERENCES
            if not part.ended and (block.size < self.size - 0.6 or not in_text):
                part = self.aside
            else:
                self.is_caption, self.size = False, block.size
            self._add(part, number)
        else:
            self.counts[block.page]["short_line"] += len(block.lines)

    def _caption_of(self, block: Block) -> Part | None:
        """The caption that goes on in a block: the one before it, or one beside it in another column."""
        for part, first in self.captions:
            beside = first.bottom - _CAPTION_BESIDE < block.top < first.top + first.size
            beside = beside and first.page == block.page
            behind = self.is_caption and part is self.floats[-1]
            if (beside or behind) and abs(first.size - block.size) < 0.4 and block.words > 3:
                return part
        return None

    def _goes_on(self, part: Part, number: int) -> bool:
        """Whether a block goes on with an open sentence of a part: below or beside it with nothing between them.

        Over a page or a figure it begins in lower case, in the same letters, at the edge of a column, and is no label.
        """
        if part.last < 0:
            return True
        last, block = self.blocks[part.last], self.blocks[number]
        if _is_under(last, block):
            return True
        same_size, same_font = abs(last.size - block.size) < 0.6, last.font == block.font
        if last.page == block.page and part.last == number - 1:
            return same_size and (same_font or block.words >= 8)
        begins = block.lines[0].text.lstrip()[:1]
        at_edge = any(abs(block.left - left) < 8 for left in self.columns[block.page])
        in_lower_case = begins.isalpha() and not begins.isupper()
        return same_size and same_font and at_edge and in_lower_case and _is_long(block, last)

    def _is_text(self, part: Part, block: Block, *, goes_on: bool, is_body: bool) -> bool:
        is_label = part.label != REFERENCES and _is_label(block)
        if not part.ended and (goes_on or is_body):
            own = block.words >= 8 and not is_label and _is_long(block, self.blocks[part.last])
            return goes_on or own or part.label == REFERENCES
        if part.path and not part.paragraphs and part.label != REFERENCES:
            return True  # under its heading
        if is_body:
            return block.words > 3 and not is_label
        return block.words >= 8 and block.words / len(block.lines) >= 4 and not is_label

    def _is_heading(self, number: int, block: Block, text: str) -> bool:
        if len(block.lines) > 5 or not may_be_heading(text):
            return False
        if is_usual(text):
            return True
        if self.parts[-1].label == REFERENCES and (block.font, block.size) not in self.levels:
            return False  # journals and volumes stand out, too
        if not reads_as_heading(text) or (self._is_body(block) and not self._stands_alone(number)):
            return False
        if block.size < self.body[1] - 1.6:
            return False
        if not any(abs(block.left - left) < 8 for left in self.columns[block.page]):
            return False
        return self.parts[-1].ended and number + 1 < len(self.blocks)

    def _stands_alone(self, number: int) -> bool:
        """Whether a block in the font of the text is one short line with white space above."""
        block, before = self.blocks[number], self.blocks[number - 1] if number else None
        if len(block.lines) > 1 or block.words > 12 or before is None:
            return False
        column = max((one.right - one.left for one in self.blocks if one.page == block.page), default=0.0)
        apart = before.page != block.page or _white(before, block) > 1.9 * block.size
        return block.right - block.left < 0.75 * column and apart

    def _head(self, text: str, key: tuple[str, float]) -> None:
        self.is_caption = False
        level = self.levels.setdefault(key, 1 if is_main(text) else 2)
        while self.stack and self.stack[-1][0] >= level:
            self.stack.pop()
        self.stack.append((level, text))
        path, label = tuple(one for _, one in self.stack), label_under(text)
        self.parts.append(Part(label, () if label == ABSTRACT else path))

    def _add(self, part: Part, number: int) -> None:
        block, is_open = self.blocks[number], bool(part.paragraphs) and not part.ends_sentence
        cut = is_open and not self._goes_on(part, number)
        self.counts[block.page]["cut_sentence"] += cut and not part.ended
        part.last = number
        lefts = [line.left for line in block.lines]
        usual = min(lefts)
        width = max(line.right for line in block.lines)
        for at, line in enumerate(block.lines):
            before = block.lines[at - 1] if at else None
            begins = line.left > usual + 0.8 * line.size if len(block.lines) > 1 else False
            gap = before is not None and before.base - line.base > 1.45 * line.size
            short = before is not None and before.right < width - 3 * line.size
            paragraph = at == 0 or begins or gap or short
            joins = part.take(line, self.hyphens, paragraph=paragraph, cut=cut and at == 0)
            self.counts[line.page]["hyphen"] += joins


def _is_long(block: Block, before: Block) -> bool:
    """Whether a block ends as sentences do, or its first line is about as long as the lines of another one."""
    is_long = block.lines[0].right - block.left > 0.7 * (before.right - before.left)
    return is_long or _ENDS.search(block.lines[-1].text.rstrip()) is not None


def _is_label(block: Block) -> bool:
    """Whether a line or two stand in a figure: most words are numbers or in capitals, and no sentence ends there."""
    text = " ".join(line.text for line in block.lines).rstrip()
    in_capitals = len(_OF_LABEL.findall(text)) > 0.6 * words_in(text)
    return len(block.lines) <= 2 and in_capitals and not _ENDS.search(text)


def _is_under(above: Block, block: Block) -> bool:
    """Whether a block goes on directly below another one, in letters of about its size."""
    return (
        above.page == block.page
        and 0 < _white(above, block) < 2 * above.size
        and abs(above.size - block.size) < 1.5
        and block.left < above.right
        and block.right > above.left
    )


def _white(above: Block, block: Block) -> float:
    """The distance between the feet of the last line of a block and of the first of the next one."""
    return above.lines[-1].base - block.lines[0].base


def _columns(text: Sequence[Block]) -> dict[int, list[float]]:
    """page → left edges of its text; of a page without text the usual ones."""
    edges: defaultdict[int, Counter[float]] = defaultdict(Counter)
    usual = Counter[float]()
    for block in text:
        lefts = [round(line.left) for line in block.lines]
        edges[block.page].update(lefts)
        usual.update(lefts)
    found = {page: [left for left, count in some.items() if count >= 2] for page, some in edges.items()}
    return defaultdict(
        lambda: [left for left, _ in usual.most_common(4)],
        {page: lefts for page, lefts in found.items() if lefts},
    )
