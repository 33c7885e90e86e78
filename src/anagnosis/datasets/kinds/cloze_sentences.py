"""The sentences of cloze instances for language models and word vectors: lower-cased words, each entity as one token.

    passage    "Low grade fever\\nHe had a dry cough ."     @entitylow_grade_fever | he had a @entitydry_cough .
    question   "Fever with XXXX is common ."               @entityfever with @entitydry_cough is common .

A line is a sentence. CliCR's program writes such a text for its language model (github.com/clips/clicr,
`clicr_to_concept_txt`), but leaves the filled answer as plain words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b

from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER, ClozeInstance, PassageMention
from anagnosis.datasets.kinds.cloze_tokens import entity_token
from anagnosis.datasets.kinds.cloze_views import placeholder_start


def sentences(
    instances: Iterable[ClozeInstance], written: Callable[[str], str] = entity_token
) -> Iterator[list[str]]:
    """The sentences of every different passage, once, and of every question that has an answer, which fills it.

    written: how an entity is written; `str.lower` leaves it its words.
    """
    read: set[bytes] = set()
    for instance in instances:
        digest = blake2b(instance.passage.encode(), digest_size=16).digest()
        if digest not in read:
            read.add(digest)
            yield from _lines(instance.passage, _entities(instance.passage, instance.mentions, written))
        answer = _answer(instance)
        if answer is not None:
            start = placeholder_start(instance)
            filled = (start, start + len(PLACEHOLDER), written(answer))
            marked = [*_entities(instance.question, instance.question_mentions, written), filled]
            yield from _lines(instance.question, sorted(marked))


def entity_surfaces(instance: ClozeInstance) -> Iterator[str]:
    """The surfaces, in lower case, behind the tokens of entities in the sentences of an instance."""
    for text, mentions in (
        (instance.passage, instance.mentions),
        (instance.question, instance.question_mentions),
    ):
        for mention in mentions:
            yield " ".join(text[mention.spans[0][0] : mention.spans[-1][1]].lower().split())
    answer = _answer(instance)
    if answer is not None:
        yield " ".join(answer.lower().split())


def words_before(instance: ClozeInstance) -> list[str]:
    """The words before the placeholder in its line."""
    start = placeholder_start(instance)
    before = [m for m in instance.question_mentions if m.spans[-1][1] <= start]
    marked = [*_entities(instance.question, before), (start, start, PLACEHOLDER)]
    return list(_lines(instance.question[:start], marked))[-1][:-1]


def _answer(instance: ClozeInstance) -> str | None:
    if instance.answers:
        return instance.answers[0]
    if instance.answer is None:
        return None
    candidate = instance.candidates[instance.answer]
    return candidate.names[0] if candidate.names else candidate.key


def _entities(
    text: str, mentions: Sequence[PassageMention], written: Callable[[str], str] = entity_token
) -> list[tuple[int, int, str]]:
    """(start, end, the entity as it is written) of each mention."""
    places = [(mention.spans[0][0], mention.spans[-1][1]) for mention in mentions]
    return [(start, end, written(text[start:end])) for start, end in places]


def _lines(text: str, entities: Sequence[tuple[int, int, str]]) -> Iterator[list[str]]:
    """The words of each line that has any."""
    pieces: list[str] = []
    done = 0
    for start, end, token in entities:
        pieces += (text[done:start].lower(), token)
        done = end
    pieces.append(text[done:].lower())
    for line in " ".join(pieces).split("\n"):
        if words := line.split():
            yield words
