"""Sentence and question as one sequence of pieces, [MASK] for the placeholder (BIOMRC, 3.1, "BERT-based model").

    [CLS] the sentence 's pieces [SEP] the question with [MASK] [SEP]

A mention is known by its first sub-token, which is found by its place in the text, so that a placeholder or a
mention that is glued to other signs (`XXXX-induced`, `(XXXX)`) is found too. Only sentences with a mention make
pairs. What does not fit into the encoder's limit is never left out: a long sentence is read in windows around its
mentions, each mention in one of them; a question that leaves no room is cut around its [MASK].
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from anagnosis.encoders.load import Pieces
from anagnosis.errors import InputError
from anagnosis.language.sentences import splitter

if TYPE_CHECKING:
    from anagnosis.datasets.kinds.cloze_views import Viewed

# A sentence has at least this share of the encoder's limit; a longer question is cut.
SENTENCE_SHARE = 4


class Pair(NamedTuple):
    """One sequence. mask, places: of [MASK] and of the mentions' first sub-tokens; second: where the question begins.

    owners: the candidate of each mention.
    """

    pieces: tuple[int, ...]
    mask: int
    second: int
    places: tuple[int, ...]
    owners: tuple[int, ...]


@dataclass(slots=True)
class Counts:
    """What did not go the common way. joined: sentences put together since a mention crosses the break between them;
    windowed: sentences over the encoder's limit; cut: questions over it."""

    pairs: int = 0
    joined: int = 0
    windowed: int = 0
    cut: int = 0

    def summary(self) -> str:
        """As half a sentence, empty where nothing did."""
        named = (
            (self.windowed, "over the encoder's limit were read in windows around their mentions"),
            (self.joined, "were put together with the next, since a mention crosses the break"),
        )
        said = [f"{number:,} sentences {what}" for number, what in named if number]
        if self.cut:
            said.append(f"{self.cut:,} questions over the encoder's limit were cut around [MASK]")
        return "; ".join(said)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Makes the pairs of instances.

    sentences: the splitter's name. closing: a [SEP] at the end. typed: token type 1 for the question, else 0
    everywhere. masked: without it each sequence is filled up with [PAD], which the encoder reads like words, to the
    longest of its instance, sentences without a mention included, as BIOMRC's program does.
    """

    pieces: Pieces
    sentences: str = "nupunkt"
    closing: bool = True
    typed: bool = False
    masked: bool = True
    counts: Counts = field(default_factory=Counts)

    def __post_init__(self) -> None:
        splitter(self.sentences)
        if self.typed and self.pieces.types < 2:
            raise InputError(
                f"{self.pieces.name} knows one token type only", "token_types", "leave token_types at 0"
            )

    def __call__(self, viewed: Viewed) -> list[Pair]:
        """The pairs of an instance, in the order of the passage: each of its mentions is in one of them."""
        groups = self._sentences(viewed)
        question, hole, (before, after), _ = question_pieces(viewed, self.pieces, closing=self.closing)
        self.counts.cut += len(question) < len(before.ids) + 1 + len(after.ids)
        read = self.pieces.split([viewed.passage[start:end] for start, end, _ in groups])
        specials = 2 + self.closing
        room = self.pieces.limit - specials - len(question)
        found: list[Pair] = []
        longest = 0
        for (start, _, mentions), encoding in zip(groups, read, strict=True):
            ids: list[int] = encoding.ids
            longest = max(longest, min(len(ids), room))
            if not mentions:
                continue
            places = [first_piece(encoding, m[0] - start, m[1] - start) for m in mentions]
            owners = [mention[2] for mention in mentions]
            if len(ids) <= room:
                found.append(self._joined(ids, places, owners, question, hole))
                continue
            self.counts.windowed += 1
            for left, chosen in windows(places, len(ids), room):
                here = [places[number] - left for number in chosen]
                mine = [owners[number] for number in chosen]
                found.append(self._joined(ids[left : left + room], here, mine, question, hole))
        self.counts.pairs += len(found)
        if self.masked:
            return found
        width = longest + specials + len(question)
        blank = (self.pieces.padding,)
        return [pair._replace(pieces=pair.pieces + blank * (width - len(pair.pieces))) for pair in found]

    def _joined(
        self, sentence: list[int], places: list[int], owners: list[int], question: list[int], hole: int
    ) -> Pair:
        end = (self.pieces.separator,)
        pieces = (self.pieces.start, *sentence, *end, *question, *(end if self.closing else ()))
        second = len(sentence) + 2
        return Pair(pieces, second + hole, second, tuple([place + 1 for place in places]), tuple(owners))

    def _sentences(self, viewed: Viewed) -> list[tuple[int, int, list[tuple[int, int, int]]]]:
        """(start, end, mentions) of each sentence; without a mention only where they count for the padding."""
        spans = list(splitter(self.sentences)(viewed.passage)) or [(0, len(viewed.passage))]
        # What stands before a sentence belongs to the one before it.
        starts = [span[0] for span in spans]
        grouped: list[tuple[int, int, list[tuple[int, int, int]]]] = []
        taken = -1  # the last sentence that is in a group
        for mention in viewed.mentions:
            sentence = max(0, bisect_right(starts, mention[0]) - 1)
            last = sentence
            while last + 1 < len(spans) and starts[last + 1] < mention[1]:
                last += 1
            end = max(spans[last][1], mention[1])
            if sentence <= taken:
                start, before, mentions = grouped[-1]
                self.counts.joined += last - taken if last > taken else 0
                grouped[-1] = (start, max(before, end), [*mentions, mention])
            else:
                self.counts.joined += last - sentence
                if not self.masked:
                    grouped += [(*span, []) for span in spans[taken + 1 : sentence]]
                grouped.append((min(starts[sentence], mention[0]), end, [mention]))
            taken = max(taken, last)
        if not self.masked:
            grouped += [(*span, []) for span in spans[taken + 1 :]]
        return grouped


def question_pieces(
    viewed: Viewed, pieces: Pieces, *, closing: bool
) -> tuple[list[int], int, tuple[Any, Any], int]:
    """The question's pieces; where [MASK] stands; the encodings of what stands before and after it; how many pieces
    of the former were cut."""
    start, end = viewed.placeholder
    before, after = pieces.split([viewed.question[:start], viewed.question[end:]])
    left, right = before.ids, after.ids
    most = pieces.limit - pieces.limit // SENTENCE_SHARE - 2 - closing
    if len(left) + 1 + len(right) > most:
        kept = max((most - 1) // 2, most - 1 - len(right))
        left = left[-kept:]
        right = right[: most - 1 - len(left)]
    return [*left, pieces.mask, *right], len(left), (before, after), len(before.ids) - len(left)


def windows(places: Sequence[int], length: int, room: int) -> list[tuple[int, list[int]]]:
    """(first piece, numbers of the mentions) of windows of `room` pieces over a sentence of `length`.

    Mentions that lie within half a window of each other share one, and stand in its middle where the sentence has
    pieces on both sides.
    """
    found: list[tuple[int, list[int]]] = []
    order = sorted(range(len(places)), key=places.__getitem__)
    while order:
        first = places[order[0]]
        chosen = [number for number in order if places[number] - first <= room // 2]
        order = order[len(chosen) :]
        middle = (first + places[chosen[-1]]) // 2
        left = max(0, min(middle - room // 2, length - room))
        found.append((left, chosen))
    return found


def batches(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Numbers of sequences for each batch: neighbours in length, at most `budget` padded pieces, or one sequence."""
    found: list[list[int]] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        # Sorted: the newest is the longest.
        if found and (len(found[-1]) + 1) * lengths[number] <= budget:
            found[-1].append(number)
        else:
            found.append([number])
    return found


def first_piece(encoding: Any, start: int, end: int) -> int:
    """The first piece of a mention; signs that the tokenizer drops are passed over."""
    for place in range(start, end):
        piece = encoding.char_to_token(place)
        if piece is not None:
            return piece
    # Nothing of the mention is left: the piece before it stands for it.
    ends = [offset[1] for offset in encoding.offsets]
    return max(0, bisect_right(ends, start) - 1)
