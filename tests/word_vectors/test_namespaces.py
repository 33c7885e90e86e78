"""Type spellings to namespaces, keys of candidates, folded and composite identifiers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.word_vectors.namespaces import (
    NAMESPACES,
    folded,
    is_composite,
    namespace,
)


@each_row(
    ("spelling", "expected"),
    [
        ("Disease", "disease"),
        ("DiseaseOrPhenotypicFeature", "disease"),
        ("SpecificDisease", "disease"),
        ("GeneOrGeneProduct", "gene"),
        ("ChemicalEntity", "chemical"),
        ("ChemMet", "chemical"),
        ("OrganismTaxon", "species"),
        ("CellLine", "cell-line"),
        ("Cell_Line", "cell-line"),
        ("cell line", "cell-line"),
        ("DNAMutation", "variant"),
        ("SNP", "variant"),
        ("FamilyName", "gene-family"),
        ("Anatomy", "anatomy"),
        ("", "unknown"),
        (" ", "unknown"),
    ],
)
def test_a_type_in_any_spelling_has_one_namespace(spelling: str, expected: str) -> None:
    assert namespace(spelling) == expected


@given(st.sampled_from(sorted(NAMESPACES)), st.sampled_from(["_", "-", " ", ""]), st.randoms())
def test_case_and_separators_of_a_type_do_not_matter(word: str, separator: str, random: object) -> None:
    half = len(word) // 2
    assert namespace(f"{word[:half].upper()}{separator}{word[half:]}") == NAMESPACES[word]


@each_row(
    ("entity_type", "identifier", "expected"),
    [
        ("Disease", "MESH:D018943", "D018943"),
        ("Disease", "D018943", "D018943"),
        ("Chemical", "mesh: D018943", "D018943"),
        ("Gene", "68585(Tax:10090)", "68585"),
        ("Gene", "NCBI Gene:68585", "68585"),
        ("Species", "taxid:9606", "9606"),
        ("Species", "68585(Tax:10090)", "68585(Tax:10090)"),
        ("Chemical", "CHEBI:16240", "CHEBI:16240"),
        ("Disease", "OMIM:600", "OMIM:600"),
        ("Variant", "rs123", "rs123"),
    ],
)
def test_the_strict_recipe_folds_spellings_of_one_identifier(
    entity_type: str, identifier: str, expected: str
) -> None:
    assert folded(entity_type, identifier) == expected
    assert folded(entity_type, expected) == expected


@pytest.mark.parametrize("joint", [";", ",", "|", "+"])
def test_an_identifier_with_a_joint_is_composite(joint: str) -> None:
    assert is_composite("Disease", f"D1{joint}D2")


@each_row(
    ("entity_type", "identifier"),
    [
        ("Disease", "MESH:D018943"),
        ("Gene", "68585(Tax:10090)"),
        ("Chemical", ""),
        ("ProteinMutation", "p|SUB|V|600|E;Gene:673"),
        ("SNP", "rs1;rs2"),
        ("Sequence_Variant", "c|DEL|1,2|G"),
    ],
)
def test_one_identifier_and_any_variant_are_not(entity_type: str, identifier: str) -> None:
    assert not is_composite(entity_type, identifier)
