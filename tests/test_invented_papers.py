"""Synthetic documents: the same for a seed, whole, within BioMRC's rules, and with something to learn."""

from __future__ import annotations

import gzip
import hashlib
import io
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks import invented_papers
from benchmarks.invented_papers import documents

from anagnosis.datasets.biomrc import build, rules
from anagnosis.datasets.biomrc.rules import BioMRCRecipe
from anagnosis.documents.document import Document, Mention
from anagnosis.documents.formats.pubtator import format as pubtator
from anagnosis.documents.repairs import Repairs

COUNT = 300


@pytest.fixture(scope="module")
def some() -> list[Document]:
    return list(documents(COUNT, seed=1))


def as_bytes(found: list[Document]) -> bytes:
    stream = io.BytesIO()
    assert pubtator.write(found, stream) == {}
    return stream.getvalue()


def test_the_same_seed_gives_the_same_bytes_here_and_everywhere(some: list[Document]) -> None:
    found = hashlib.sha256(as_bytes(some)).hexdigest()
    assert found == hashlib.sha256(as_bytes(list(documents(COUNT, seed=1)))).hexdigest()
    # Held fixed, so that a figure measured on synthetic documents means the same documents in every version.
    assert found == "02269c9a7048e435ad4d67d96758d1dda9307a0a6e61395fcd6be6fa926e3897"


def test_a_document_does_not_depend_on_how_many_are_asked_for(some: list[Document]) -> None:
    assert list(documents(5, seed=1)) == some[:5]
    assert list(documents(0, seed=1)) == []


def test_an_entity_has_one_type_and_its_names_are_nobody_elses() -> None:
    names: Counter[str] = Counter()
    for number in range(invented_papers.ENTITIES):
        names.update(invented_papers._entity(number, "", "").names)  # pyright: ignore[reportPrivateUsage]  (no public way to all names)
    assert len(names) == 2 * invented_papers.ENTITIES


def test_nearly_all_pass_the_rules_of_biomrc(some: list[Document]) -> None:
    recipe = BioMRCRecipe()
    passed = 0
    for document in some:
        article = build.article(document, "", recipe, Repairs())
        passed += not any(rule(article, recipe) for rule in (*rules.TEXT_RULES, *rules.MENTION_RULES))
        keys = [rules.key(m, recipe) for m in article.in_abstract]
        candidates = list(dict.fromkeys(keys))
        frequencies = [keys.count(key) for key in candidates]
        for mention in article.in_title:
            answer = candidates.index(rules.key(mention, recipe))
            assert not rules.answer_most_frequent(answer, frequencies)
    assert passed >= 0.95 * COUNT


def hidden(found: list[Document]) -> Iterator[tuple[Document, Mention, list[str]]]:
    """(document, mention of its title, candidates in order of first appearance)."""
    for document in found:
        border = len(document.title)
        candidates = list(dict.fromkeys(m.identifier for m in document.mentions if m.start > border))
        for mention in document.mentions:
            if mention.end <= border:
                yield document, mention, candidates


def beside(text: str, mention: Mention) -> set[str]:
    """The two words in front of a mention and the two behind it."""
    return {*text[: mention.start].split()[-2:], *text[mention.end :].split()[:2]}


def share_right(found: list[Document], known: frozenset[str] | None) -> float:
    """The share of title mentions found by counting words beside both; known: only these words count."""
    right = total = 0.0
    for document, mention, candidates in hidden(found):
        asked = beside(document.title, mention)
        held: dict[str, set[str]] = {candidate: set() for candidate in candidates}
        for other in document.mentions:
            if other.start > len(document.title):
                held[other.identifier] |= beside(document.text, other)
        scores = [len(asked & held[c] & known if known else asked & held[c]) for c in candidates]
        best = [c for c, score in zip(candidates, scores) if score == max(scores)]
        right += (mention.identifier in best) / len(best)
        total += 1
    return right / total


def test_who_knows_the_cues_finds_the_entity(some: list[Document]) -> None:
    cues = invented_papers._words().cues  # pyright: ignore[reportPrivateUsage]  (what a reader has to learn)
    assert share_right(some, frozenset(cues)) > 0.85


def test_counting_shared_words_alone_does_not(some: list[Document]) -> None:
    assert share_right(some, None) < 0.65


def test_place_and_frequency_say_little(some: list[Document]) -> None:
    asked = list(hidden(some))
    for place in (0, -1):
        assert sum(c[place] == m.identifier for _, m, c in asked) / len(asked) < 0.3


@pytest.mark.shared
def test_no_word_and_no_name_is_a_real_one(shared: Path) -> None:
    real: set[str] = set()
    for path in (shared / "data/vocabularies").glob("*.tsv.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as rows:
            real.update(word for row in rows for word in re.findall(r"[a-z]+", row.lower()))
    words = invented_papers._words()  # pyright: ignore[reportPrivateUsage]  (no public way to all words)
    names = {n for at in range(invented_papers.ENTITIES) for n in invented_papers._entity(at, "", "").names}  # pyright: ignore[reportPrivateUsage]  (as above)
    assert real & {*words.cues, *words.decoys, *words.running, *names} == set()
