"""Sections out of blocks: headings, the text under them, captions of figures and tables, and what stands aside."""

from __future__ import annotations

import re
from collections import Counter
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

    def ends(self, mark: re.Pattern[str] = _ENDS) -> bool:
        """Whether no sentence is open."""
        return not self.paragraphs or bool(mark.search(self.paragraphs[-1][-_AT_END:]) and not self.hyphen)

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
        elif self.paragraphs and not cut and not (paragraph and self.ends(_SENTENCE_END)):
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
        self.body, self.hyphens, self.counts = body, hyphens, counts
        self.parts: list[Part] = [Part("body")]
        self.floats: list[Part] = []
        self.aside, self.size = Part("back"), body[1]
        self.is_caption = False
        self.edges = {block.left for block in blocks if self._is_body(block)}
        self.levels: dict[tuple[str, float], int] = {}
        self.stack: list[tuple[int, str]] = []
        self.blocks = list(self._split(blocks))

    def sections(self) -> list[Part]:
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

    def _split(self, blocks: Sequence[Block]) -> Iterator[Block]:
        """The blocks, of which the first line stands alone if it looks like a heading in the font of the text."""
        for above, block in zip((None, *blocks), blocks, strict=False):
            first, *others = block.lines
            text = first.text.strip()
            is_short = first.right - block.left < 0.7 * (block.right - block.left) and len(text.split()) <= 12
            alone = is_short and self._is_body(block) and _is_apart(above, block) and reads_as_heading(text)
            if others and (is_usual(text) or (alone and others[0].text[:1].isupper())):
                yield Block([first])
                yield Block(others)
            else:
                yield block

    def _is_body(self, block: Block) -> bool:
        return block.font == self.body[0] and abs(block.size - self.body[1]) < 0.6

    def _at_edge(self, block: Block) -> bool:
        """Whether a block begins where text does."""
        return any(abs(block.left - left) < 8 for left in self.edges)

    def _take(self, number: int, block: Block) -> None:
        text = text_of(block, self.hyphens)
        label, part, is_body = _CAPTION.match(text), self.parts[-1], self._is_body(block)
        if label and (not is_body or block.lines[0].font != self.body[0] or part.ends()):
            kind = "table" if label[1].lower() == "table" else "figure"
            self.floats.append(Part(kind, (label[0],)))
            self.is_caption = True
            self._add(self.floats[-1], number)
        elif (
            not is_body and self.is_caption and block.words > 3 and self._is_like_last(self.floats[-1], block)
        ):
            self._add(self.floats[-1], number)
        elif self._is_heading(number, block, text):
            self._head(text, (block.font, block.size))
        elif self._is_text(
            part, block, goes_on=(goes_on := part.ends() or self._goes_on(part, number)), is_body=is_body
        ):
            in_text = is_body or goes_on or part.label == REFERENCES
            if not part.ends() and (block.size < self.size - 0.6 or not in_text):
                part = self.aside
            else:
                self.is_caption, self.size = False, block.size
            self._add(part, number)
        else:
            self.counts[block.page]["short_line"] += len(block.lines)

    def _goes_on(self, part: Part, number: int) -> bool:
        """Whether a block goes on with an open sentence of a part: below or beside it with nothing between them.

        Over a page or a figure it begins in lower case, in the same letters, at the edge of a column.
        """
        if part.last < 0:
            return True
        last, block = self.blocks[part.last], self.blocks[number]
        if _is_under(last, block):
            return True
        same_size, same_font = self._is_like_last(part, block), last.font == block.font
        if last.page == block.page and part.last == number - 1:
            return same_size and (same_font or block.words >= 8)
        begins = block.lines[0].text.lstrip()[:1]
        in_lower_case = begins.isalpha() and not begins.isupper()
        return same_size and same_font and in_lower_case and self._at_edge(block) and _is_long(block, last)

    def _is_like_last(self, part: Part, block: Block) -> bool:
        """Whether a block has letters of the size of a part's last one."""
        return abs(self.blocks[part.last].size - block.size) < 0.6

    def _is_text(self, part: Part, block: Block, *, goes_on: bool, is_body: bool) -> bool:
        is_label = part.label != REFERENCES and _is_label(block)
        if not part.ends() and (goes_on or is_body):
            own = block.words >= 8 and not is_label and _is_long(block, self.blocks[part.last])
            return goes_on or own or part.label == REFERENCES
        if part.path and not part.paragraphs and part.label != REFERENCES:
            return True  # under its heading
        return not is_label and (block.words > 3 if is_body else block.words >= max(8, 4 * len(block.lines)))

    def _is_heading(self, number: int, block: Block, text: str) -> bool:
        if is_usual(text):
            return True
        if self.parts[-1].label == REFERENCES and (block.font, block.size) not in self.levels:
            return False  # journals and volumes stand out, too
        return (
            reads_as_heading(text)
            and (not self._is_body(block) or self._stands_alone(number))
            and self._at_edge(block)
            and self.parts[-1].ends()
            and number + 1 < len(self.blocks)
        )

    def _stands_alone(self, number: int) -> bool:
        """Whether a block in the font of the text is one short line with white space above."""
        block = self.blocks[number]
        if len(block.lines) > 1 or block.words > 12 or not number:
            return False
        return _is_apart(self.blocks[number - 1], block)

    def _head(self, text: str, key: tuple[str, float]) -> None:
        self.is_caption = False
        level = self.levels.setdefault(key, 1 if is_main(text) else 2)
        while self.stack and self.stack[-1][0] >= level:
            self.stack.pop()
        self.stack.append((level, text))
        path, label = tuple(one for _, one in self.stack), label_under(text)
        self.parts.append(Part(label, () if label == ABSTRACT else path))

    def _add(self, part: Part, number: int) -> None:
        block = self.blocks[number]
        cut = not part.ends(_SENTENCE_END) and not self._goes_on(part, number)
        self.counts[block.page]["cut_sentence"] += cut and not part.ends()
        part.last = number
        before: Line | None = None
        for line in block.lines:
            begins = line.left > block.left + 0.8 * line.size and len(block.lines) > 1
            gap = before is not None and before.base - line.base > 1.45 * line.size
            short = before is not None and before.right < block.right - 3 * line.size
            paragraph = before is None or begins or gap or short
            joins = part.take(line, self.hyphens, paragraph=paragraph, cut=cut and before is None)
            self.counts[line.page]["hyphen"] += joins
            before = line


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


def _is_apart(above: Block | None, block: Block) -> bool:
    return above is None or above.page != block.page or _white(above, block) > 1.9 * block.size


def _white(above: Block, block: Block) -> float:
    """The distance between the feet of the last line of a block and of the first of the next one."""
    return above.lines[-1].base - block.lines[0].base
