"""A stored vocabulary: both look-ups, the same bytes, and damage."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from anagnosis.entities.concepts import Concept, concepts
from anagnosis.entities.vocabulary import Origin, Vocabulary, store, terms
from anagnosis.errors import DamagedError, InputError

CONCEPTS = [
    Concept("C1", "Fever", ("Fever", "pyrexia"), ("Sign",)),
    Concept("C2", "Cold", ("Cold",)),
    Concept("C3", "Lung  disease", ("Lung  disease", "COLD"), ("Disease",), ("C30", "C2")),
    *(Concept(f"X{n}", f"name {n}", (f"name {n}", f"β {n % 50}")) for n in range(500)),
]


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    store(CONCEPTS, tmp_path / "v")
    return tmp_path / "v"


def test_every_concept_and_every_name_is_looked_up(stored: Path):
    with Vocabulary(stored) as vocabulary:
        assert [vocabulary.term(concept.identifier) for concept in CONCEPTS] == CONCEPTS
        assert vocabulary.names("C1") == ("Fever", "pyrexia")
        assert vocabulary.named("cold") == vocabulary.named("Cold") == CONCEPTS[1:3]
        assert vocabulary.named("lung disease") == CONCEPTS[2:3]
        assert [each.identifier for each in vocabulary.named("Β 7")] == [f"X{n}" for n in range(7, 500, 50)]
        assert list(vocabulary.concepts()) == CONCEPTS
        # an identifier of another concept, one of a concept merged into it, and unknown ones
        assert vocabulary.term("C2") == CONCEPTS[1]
        assert vocabulary.names("C30") == ("Lung  disease", "COLD")
        assert (vocabulary.term("C4"), vocabulary.names("")) == (None, ())
        assert vocabulary.named("") == vocabulary.named("fevers") == []


def test_equal_concepts_give_equal_bytes(stored: Path, tmp_path: Path):
    store(CONCEPTS, tmp_path / "again")
    assert stored.read_bytes() == (tmp_path / "again").read_bytes()


def test_a_change_of_any_byte_is_refused_by_name(tmp_path: Path):
    store(CONCEPTS[:3], tmp_path / "v", Origin((("a.tsv", "0" * 64),), ("broad_scope",)))
    data = (tmp_path / "v").read_bytes()
    for place in (*range(100), *range(100, len(data), 97), *range(len(data) - 64, len(data))):
        (tmp_path / "v").write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(InputError, match=r"^v: "):
            Vocabulary(tmp_path / "v")
    (tmp_path / "v").write_bytes(data[:-8])
    with pytest.raises(DamagedError, match="store the vocabulary again"):
        Vocabulary(tmp_path / "v")


def test_another_version_and_another_file_are_named(stored: Path):
    data = bytearray(stored.read_bytes())
    data[63] += 1  # the last byte of the database's user_version
    stored.write_bytes(data)
    with pytest.raises(
        InputError, match="another version of anagnosis stored it; store the vocabulary again"
    ):
        Vocabulary(stored)
    stored.write_text("id\tname\n")
    with pytest.raises(InputError, match="is no stored vocabulary"):
        Vocabulary(stored)


def test_numbers_and_origin_are_stored(tmp_path: Path):
    origin = Origin((("a.tsv", "0" * 64),), ("broad_scope",), {"obsolete_term": 3})
    store(CONCEPTS, tmp_path / "v", origin)
    with Vocabulary(tmp_path / "v") as vocabulary:
        assert vocabulary.origin == origin
        assert (vocabulary.concept_count, vocabulary.name_count) == (503, 4 + 500 + 50)


def test_a_stored_vocabulary_gives_the_concepts_that_it_was_stored_with(stored: Path):
    counts = Counter[str]()
    assert list(concepts(terms([stored], counts), counts)) == CONCEPTS
    assert not counts
