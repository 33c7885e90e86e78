"""Names as a reader of cloze questions sees them: one passage of the best sentences, with each name as an entity.

The question becomes a statement with a gap (cloze.py). The likeliest names are candidates, and so are the names of the
question, by which such a reader knows where to look; those answer nothing. Mentions must not overlap: of two that do,
that of the likelier name stands, and of one name the longest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER, Candidate, ClozeInstance, PassageMention
from anagnosis.datasets.kinds.cloze_views import Viewed, view
from anagnosis.searching.entities.candidate_names import Name, Read
from anagnosis.searching.entities.candidates import spans
from anagnosis.searching.entities.cloze import Statement, statement
from anagnosis.searching.entities.same_entity import plain

CANDIDATES = 20  # names that are read; the papers' passages hold as many
LONGEST = 1800  # characters of the passage, which is about what an encoder reads at once
_Place = tuple[int, int, int]


def posed(
    question: str,
    sentences: Sequence[Read],
    candidates: Sequence[Name],
    asked: Sequence[Name],
    viewed: str,
    number: int = 0,
) -> tuple[Viewed, list[int | None]] | None:
    """What a reader sees, and the place of each of `candidates` in it, None for one that no mention is left of.

    sentences: in the order of their places. candidates: the likeliest first. asked: names of the question. viewed:
    local or names. None where fewer than two candidates would stand in the passage.
    """
    every = [*candidates, *asked]
    chosen = _chosen(sentences)
    texts = {place: sentences[place].text for place in chosen}
    of_sentence = _placed(every, texts)
    passage, mentions = _joined(chosen, texts, of_sentence)
    made = statement(question)
    in_question = _in_question(made, asked, len(candidates))
    present = sorted({name for _, _, name in mentions})
    if sum(name < len(candidates) for name in present) < 2:
        return None
    order = {name: place for place, name in enumerate(present)}
    instance = ClozeInstance(
        f"{number}:{made.gap}",
        str(number),
        "",
        passage,
        made.text,
        tuple(PassageMention(((begin, end),), order[name]) for begin, end, name in mentions),
        tuple(
            PassageMention(((begin, end),), order[name]) for begin, end, name in in_question if name in order
        ),
        tuple(
            Candidate(str(name), "", place, (every[name].text, *every[name].others))
            for place, name in enumerate(present)
        ),
        None,
        (),
    )
    seen = view(instance, viewed, "original")
    return seen, [order.get(name) for name in range(len(candidates))]


def log_shares(found: Sequence[float], places: Sequence[int | None]) -> list[float | None]:
    """Natural-log probabilities among the candidates alone, None for one that was not seen.

    found: a reader's, of all that stood in the passage, -inf for what it could not hold. places: as `posed` gives them.
    """
    own = [found[place] if place is not None else -math.inf for place in places]
    highest = max(own)
    if highest == -math.inf:
        return [None] * len(own)
    whole = highest + math.log(math.fsum(math.exp(value - highest) for value in own))
    return [None if value == -math.inf else value - whole for value in own]


def _chosen(sentences: Sequence[Read]) -> list[int]:
    """Which sentences are read: the best until there are LONGEST characters, each text once."""
    order = sorted(range(len(sentences)), key=lambda place: (-sentences[place].sentence.score, place))
    left, chosen, seen = LONGEST, list[int](), set[str]()
    for place in order:
        text = sentences[place].text
        if text not in seen and len(text) < left:
            seen.add(text)
            chosen.append(place)
            left -= len(text) + 1
    return sorted(chosen)


def _placed(every: Sequence[Name], texts: dict[int, str]) -> dict[int, list[_Place]]:
    """sentence → mentions (begin, end, name) without overlap, by where they begin."""
    found: dict[int, list[_Place]] = {place: [] for place in texts}
    for number, name in enumerate(every):
        own = [mention for mention in name.mentions if mention.sentence in found]
        for mention in sorted(own, key=lambda one: one.span.begin - one.span.end):
            begin, end, _ = mention.span
            taken = found[mention.sentence]
            if all(end <= other or last <= begin for other, last, _ in taken):
                taken.append((begin, end, number))
    return {place: sorted(own) for place, own in found.items()}


def _joined(
    chosen: Sequence[int], texts: dict[int, str], of_sentence: dict[int, list[_Place]]
) -> tuple[str, list[_Place]]:
    pieces, mentions, at = list[str](), list[_Place](), 0
    for place in chosen:
        mentions += [(at + begin, at + end, name) for begin, end, name in of_sentence[place]]
        pieces.append(texts[place])
        at += len(texts[place]) + 1
    return " ".join(pieces), mentions


def _in_question(made: Statement, asked: Sequence[Name], first: int) -> list[_Place]:
    """The names of the question where they stand in the statement, the longest of each place; not over the gap."""
    number_of = {key: first + number for number, name in enumerate(asked) for key in name.keys}
    gap_end = made.gap + len(PLACEHOLDER)
    taken: list[_Place] = []
    for begin, end, _ in sorted(spans(made.text), key=lambda span: (span.begin - span.end, span.begin)):
        number = number_of.get(plain(made.text[begin:end]))
        beside = end <= made.gap or gap_end <= begin
        if number is not None and beside and all(end <= other or last <= begin for other, last, _ in taken):
            taken.append((begin, end, number))
    return sorted(taken)
