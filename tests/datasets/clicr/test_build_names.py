"""Names of a concept as answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from anagnosis.datasets.build.synonyms import Synonyms
from anagnosis.datasets.clicr.build import names_of
from anagnosis.entities.concepts import Concept
from anagnosis.entities.vocabulary import store


@pytest.fixture
def synonyms(tmp_path: Path) -> Synonyms:
    concepts = [
        Concept("C0010346", "Crohn's disease", ("Crohn's disease", "Crohn 's disease", "CD")),
        Concept("D1", "Salt", ("Salt",), alternatives=("D2",)),
        Concept("MESH:D3", "Sugar", ("Sugar",)),
    ]
    store(concepts, tmp_path / "mesh.terms")
    return Synonyms(str(tmp_path / "mesh.terms"), "mesh")


def test_names_are_tokenised_as_the_reports_are_and_come_once_sorted(synonyms: Synonyms) -> None:
    expected = [("CD", "UMLS"), ("Crohn 's disease", "UMLS")]
    assert list(names_of(synonyms, "words")("C0010346")) == expected
    blank = [each[0] for each in names_of(synonyms, "blanks")("C0010346")]
    assert blank == ["CD", "Crohn 's disease", "Crohn's disease"]


def test_only_cuis_are_of_umls_and_others_of_their_vocabulary(synonyms: Synonyms) -> None:
    names = names_of(synonyms, "words")
    assert names("D1") == names("D2") == (("Salt", "mesh"),)


def test_a_prefix_is_left_away_where_the_vocabulary_lacks_it(synonyms: Synonyms) -> None:
    names = names_of(synonyms, "words")
    assert names("UMLS:C0010346") == names("C0010346")
    assert names("MESH:D3") == (("Sugar", "mesh"),)
    assert names("MESH:D1") == names("D1")
    assert names("D9") == ()


def test_without_a_vocabulary_there_are_no_names() -> None:
    assert names_of(None, "words")("C0010346") == ()
