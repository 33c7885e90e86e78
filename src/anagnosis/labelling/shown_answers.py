"""Which of several cloze questions show the answer of another, so that nobody should get both.

    Fever with XXXX .  /  XXXX with cough .       BIOMRC, CliCR: two gaps in one sentence
    passage: … Fever with cough . …               BioRead: windows of a text overlap, so that the sentence of one
                                                  question stands whole in the passage of another

Sentences are compared by their words: those of the text, with each candidate in turn in the gap, and those with one
word in place of every entity, since each question may number entities anew. The right answer is not looked at, so that
what is drawn tells nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anagnosis.datasets.kinds.cloze_instance import ENTITY, PLACEHOLDER, ClozeInstance, asked_sentence

_ANCHOR = 6  # words by which sentences are looked up in passages
_FEWEST = 5  # words that are no entities, with which a sentence is known without its entities
_Words = tuple[str, ...]


def showing(instances: Sequence[ClozeInstance]) -> Iterator[str]:
    """The ids of questions that show the answer of an earlier one, or whose answer an earlier one shows."""
    asked: dict[tuple[str, str], str] = {}
    overlapping = _overlapping(instances)
    kept = set[int]()
    for place, each in enumerate(instances):
        other_gap = asked.setdefault((each.document, asked_sentence(each)), each.question) != each.question
        if other_gap or not kept.isdisjoint(overlapping[place]):
            yield each.id
        else:
            kept.add(place)


def _overlapping(instances: Sequence[ClozeInstance]) -> list[set[int]]:
    """Of each question those in whose passage its sentence stands, or whose sentence stands in its passage."""
    found = [set[int]() for _ in instances]
    sentences: dict[_Words, list[tuple[int, _Words]]] = {}
    for place, each in enumerate(instances):
        for words in _sentences(each):
            sentences.setdefault(words[:_ANCHOR], []).append((place, words))
    lengths = sorted({len(anchor) for anchor in sentences})
    for place, each in enumerate(instances):
        for text in (each.passage, each.key_texts[1]):
            words = tuple(text.split())
            for start in range(len(words)):
                for length in lengths:
                    for other, sentence in sentences.get(words[start : start + length], ()):
                        if other != place and words[start : start + len(sentence)] == sentence:
                            found[place].add(other)
                            found[other].add(place)
    return found


def _sentences(instance: ClozeInstance) -> Iterator[_Words]:
    """The question with each candidate in its gap, and without entities where enough is left of it."""
    names = (name for each in instance.candidates for name in (*each.names, f"{ENTITY}{each.number}"))
    for name in dict.fromkeys(names):
        if words := tuple(instance.question.replace(PLACEHOLDER, name).split()):
            yield words
    plain = tuple(asked_sentence(instance).split())
    if sum(word != "entity" and any(map(str.isalnum, word)) for word in plain) >= _FEWEST:
        yield plain
