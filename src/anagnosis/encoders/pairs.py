"""Sentence and question as one sequence of pieces, [MASK] for the placeholder (BIOMRC, 3.1, "BERT-based model").

    [CLS] the sentence 's pieces [SEP] the question with [MASK] [SEP]

The first sub-token of a mention represents it; we locate it by its place in the text, also if other characters touch
the placeholder or mention (`XXXX-induced`, `(XXXX)`). Only sentences with a mention make pairs. No mention is lost at
the encoder's limit: a long sentence is read in windows around its mentions, each mention in one window; a question that
leaves no room is cut around its [MASK].
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from anagnosis.encoders.load import Pieces
from anagnosis.language.sentences import Splitter, punkt, splitter
from anagnosis.progress import TextCounts

if TYPE_CHECKING:
    from anagnosis.datasets.kinds.cloze_views import Viewed

# The splitter of BIOMRC's program, which only these sequences have.
PUNKT = "punkt"
# A sentence gets at least the limit by this number; a question that takes more is cut.
SENTENCE_SHARE = 4
# What happens to texts, for TextCounts.
WINDOWED = "sentences over the encoder's limit were read in windows around their mentions"
CUT = "questions over the encoder's limit were cut around [MASK]"
QUESTIONS_CUT = "questions over three fourths of the encoder's limit were cut there"


class Pair(NamedTuple):
    """One sequence. mask, places: of [MASK] and the mentions' first sub-tokens. owners: each mention's candidate."""

    pieces: tuple[int, ...]
    mask: int
    places: tuple[int, ...]
    owners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pairing:
    """A maker of pairs from instances.

    sentences: the splitter's name, or PUNKT. closing: a [SEP] at the end. masked: without it each sequence is filled up
    with [PAD], which the encoder reads like words, to the longest of its instance, including sentences without a
    mention, as in BIOMRC's program.
    """

    pieces: Pieces
    sentences: str = "nupunkt"
    closing: bool = True
    masked: bool = True
    counts: TextCounts = field(default_factory=lambda: TextCounts(WINDOWED, CUT))

    def __post_init__(self) -> None:
        _splitter(self.sentences)

    def __call__(self, viewed: Viewed) -> list[Pair]:
        """The pairs of an instance in the order of the passage; each mention is in one of them."""
        groups = self._sentences(viewed)
        question, hole = self._question(viewed)
        read = self.pieces.split([viewed.passage[start:end] for start, end, _ in groups])
        specials = 2 + self.closing
        room = self.pieces.limit - specials - len(question)
        pairs: list[Pair] = []
        longest = 0
        for (start, _, mentions), encoding in zip(groups, read, strict=True):
            ids: list[int] = encoding.ids
            longest = max(longest, min(len(ids), room))
            if not mentions:
                continue
            places = [first_piece(encoding, m[0] - start, m[1] - start) for m in mentions]
            owners = [mention[2] for mention in mentions]
            if len(ids) <= room:
                pairs.append(self._joined(ids, places, owners, question, hole))
                continue
            self.counts[WINDOWED] += 1
            for left, chosen in windows(places, len(ids), room):
                here = [places[number] - left for number in chosen]
                their_owners = [owners[number] for number in chosen]
                pairs.append(self._joined(ids[left : left + room], here, their_owners, question, hole))
        if self.masked:
            return pairs
        width = longest + specials + len(question)
        blank = (self.pieces.padding,)
        return [pair._replace(pieces=pair.pieces + blank * (width - len(pair.pieces))) for pair in pairs]

    def _question(self, viewed: Viewed) -> tuple[list[int], int]:
        """The question's pieces, and the place of [MASK] in them."""
        start, end = viewed.placeholder
        before, after = self.pieces.split([viewed.question[:start], viewed.question[end:]])
        left, right = before.ids, after.ids
        most = self.pieces.limit - self.pieces.limit // SENTENCE_SHARE - 2 - self.closing
        if len(left) + 1 + len(right) > most:
            self.counts[CUT] += 1
            left = left[-max((most - 1) // 2, most - 1 - len(right)) :]
            right = right[: most - 1 - len(left)]
        return [*left, self.pieces.mask, *right], len(left)

    def _joined(
        self, sentence: list[int], places: list[int], owners: list[int], question: list[int], hole: int
    ) -> Pair:
        end = (self.pieces.separator,)
        pieces = (self.pieces.start, *sentence, *end, *question, *(end if self.closing else ()))
        mask = len(sentence) + 2 + hole
        return Pair(pieces, mask, tuple([place + 1 for place in places]), tuple(owners))

    def _sentences(self, viewed: Viewed) -> list[tuple[int, int, list[tuple[int, int, int]]]]:
        """(start, end, mentions) of sentences with mentions; of the others too if they affect the padding."""
        spans = list(_splitter(self.sentences)(viewed.passage)) or [(0, len(viewed.passage))]
        # Text between two sentences belongs to the first.
        starts = [span[0] for span in spans]
        grouped: list[tuple[int, int, list[tuple[int, int, int]]]] = []
        last_grouped = -1  # the last sentence that is in a group
        for mention in viewed.mentions:
            sentence = max(0, bisect_right(starts, mention[0]) - 1)
            last = sentence
            while last + 1 < len(spans) and starts[last + 1] < mention[1]:
                last += 1
            end = max(spans[last][1], mention[1])
            if sentence <= last_grouped:
                start, before, mentions = grouped[-1]
                grouped[-1] = (start, max(before, end), [*mentions, mention])
            else:
                if not self.masked:
                    grouped += [(*span, []) for span in spans[last_grouped + 1 : sentence]]
                grouped.append((min(starts[sentence], mention[0]), end, [mention]))
            last_grouped = max(last_grouped, last)
        if not self.masked:
            grouped += [(*span, []) for span in spans[last_grouped + 1 :]]
        return grouped


def windows(places: Sequence[int], length: int, room: int) -> list[tuple[int, list[int]]]:
    """(first piece, numbers of the mentions) of windows of `room` pieces over a sentence of `length`.

    Mentions within half a window of each other share a window, and are in its middle if the sentence has pieces on
    both sides.
    """
    chosen_windows: list[tuple[int, list[int]]] = []
    order = sorted(range(len(places)), key=places.__getitem__)
    while order:
        first = places[order[0]]
        chosen = [number for number in order if places[number] - first <= room // 2]
        order = order[len(chosen) :]
        middle = (first + places[chosen[-1]]) // 2
        left = max(0, min(middle - room // 2, length - room))
        chosen_windows.append((left, chosen))
    return chosen_windows


def _splitter(name: str) -> Splitter:
    return punkt() if name == PUNKT else splitter(name, also=(PUNKT,))


def first_piece(encoding: Any, start: int, end: int) -> int:
    """The first piece of a mention; skips characters that the tokenizer drops."""
    for place in range(start, end):
        piece = encoding.char_to_token(place)
        if piece is not None:
            return piece
    # The tokenizer drops the entire mention: use the piece before it.
    ends = [offset[1] for offset in encoding.offsets]
    return max(0, bisect_right(ends, start) - 1)
