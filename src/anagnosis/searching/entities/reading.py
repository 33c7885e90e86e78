"""Make a cloze instance of a question: one passage of the best sentences, with each name as an entity.

The question becomes a statement with a gap (cloze.py). Candidates are the likeliest names, and the names of the
question, by which a reader relates it to the passage; those are no answers. Mentions must not overlap: of two that do,
the likelier name's stays, and of one name the longest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER, Candidate, ClozeInstance, PassageMention
from anagnosis.datasets.kinds.cloze_views import Viewed, view
from anagnosis.searching.entities.candidate_names import Name, ReadSentence
from anagnosis.searching.entities.candidates import spans
from anagnosis.searching.entities.cloze import ClozeStatement, statement
from anagnosis.searching.entities.same_entity import plain

CANDIDATES = 20  # names for the reader; as many as in the passages of its training
LONGEST = 1800  # characters of the passage, about an encoder's limit
_Place = tuple[int, int, int]


def posed(
    question: str,
    sentences: Sequence[ReadSentence],
    candidates: Sequence[Name],
    question_names: Sequence[Name],
    viewed: str,
    number: int = 0,
) -> tuple[Viewed, list[int | None]] | None:
    """(instance in a view, index of each of `candidates` in it); None if fewer than two candidates have mentions.

    An index is None for a candidate without a mention. sentences: in the order of their places. candidates: the
    likeliest first. question_names: names of the question. viewed: local or names.
    """
    every = [*candidates, *question_names]
    chosen = _chosen(sentences)
    texts = {place: sentences[place].text for place in chosen}
    of_sentence = _placed(every, texts)
    passage, mentions = _joined(chosen, texts, of_sentence)
    made = statement(question)
    in_question = _in_question(made, question_names, len(candidates))
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


def log_shares(log_probabilities: Sequence[float], places: Sequence[int | None]) -> list[float | None]:
    """Natural-log probabilities among the candidates alone, None for a candidate that the reader did not see.

    log_probabilities: the reader's, of all entities of the passage, -inf for those that it could not hold. places: the
    candidates' indices, from `posed`.
    """
    of_candidates = [log_probabilities[place] if place is not None else -math.inf for place in places]
    highest = max(of_candidates)
    if highest == -math.inf:
        return [None] * len(of_candidates)
    total = highest + math.log(math.fsum(math.exp(value - highest) for value in of_candidates))
    return [None if value == -math.inf else value - total for value in of_candidates]


def _chosen(sentences: Sequence[ReadSentence]) -> list[int]:
    """Indices of the sentences to read: the best up to LONGEST characters, each text once."""
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
    """sentence → mentions (begin, end, name) without overlap, sorted by begin."""
    placed: dict[int, list[_Place]] = {place: [] for place in texts}
    for number, name in enumerate(every):
        mentions = [mention for mention in name.mentions if mention.sentence in placed]
        for mention in sorted(mentions, key=lambda one: one.span.begin - one.span.end):
            begin, end, _ = mention.span
            taken = placed[mention.sentence]
            if all(end <= other or last <= begin for other, last, _ in taken):
                taken.append((begin, end, number))
    return {place: sorted(mentions) for place, mentions in placed.items()}


def _joined(
    chosen: Sequence[int], texts: dict[int, str], of_sentence: dict[int, list[_Place]]
) -> tuple[str, list[_Place]]:
    pieces, mentions, at = list[str](), list[_Place](), 0
    for place in chosen:
        mentions += [(at + begin, at + end, name) for begin, end, name in of_sentence[place]]
        pieces.append(texts[place])
        at += len(texts[place]) + 1
    return " ".join(pieces), mentions


def _in_question(made: ClozeStatement, question_names: Sequence[Name], first: int) -> list[_Place]:
    """The mentions of the question's names in the statement, the longest of each place, outside the gap."""
    number_of = {key: first + number for number, name in enumerate(question_names) for key in name.keys}
    gap_end = made.gap + len(PLACEHOLDER)
    taken: list[_Place] = []
    for begin, end, _ in sorted(spans(made.text), key=lambda span: (span.begin - span.end, span.begin)):
        number = number_of.get(plain(made.text[begin:end]))
        beside = end <= made.gap or gap_end <= begin
        if number is not None and beside and all(end <= other or last <= begin for other, last, _ in taken):
            taken.append((begin, end, number))
    return sorted(taken)
