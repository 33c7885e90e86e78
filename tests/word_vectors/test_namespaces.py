"""Type spellings to namespaces, keys of candidates, folded and composite identifiers."""

from __future__ import annotations

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
        ("Cell_Line", "cell-line"),
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


@each_row(
    ("entity_type", "identifier", "composite"),
    [
        *(("Disease", f"D1{joint}D2", True) for joint in (";", ",", "|", "+")),
        ("Disease", "MESH:D018943", False),
        ("Gene", "68585(Tax:10090)", False),
        ("Chemical", "", False),
        # Variants are spelled with joints.
        ("ProteinMutation", "p|SUB|V|600|E;Gene:673", False),
        ("SNP", "rs1;rs2", False),
        ("Sequence_Variant", "c|DEL|1,2|G", False),
    ],
)
def test_an_identifier_with_a_joint_is_composite_but_for_variants(
    entity_type: str, identifier: str, composite: bool
) -> None:
    assert is_composite(entity_type, identifier) == composite
