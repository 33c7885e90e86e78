"""Concepts from terms: parts joined, names left out by rules, references followed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from anagnosis.entities.concepts import Concept, Synonym, Term, concepts
from anagnosis.errors import InputError


def made(*terms: Term, without: Sequence[str] = ()) -> tuple[list[Concept], Counter[str]]:
    counts = Counter[str]()
    return list(concepts(terms, counts, without)), counts


def test_parts_of_one_term_are_joined():
    parts = (
        Term("C1", types=("Sign",), alternatives=("C8", "C1")),
        Term("C1", "", (Synonym("pyrexia"),), alternatives=("C9", "C8")),
        Term("C1", "Fever"),
    )
    assert made(*parts)[0] == [Concept("C1", "Fever", ("Fever", "pyrexia"), ("Sign",), ("C8", "C9"))]


def test_the_first_rule_that_applies_leaves_out_a_name_and_counts_it():
    term = Term(
        "C1", "Fever", (Synonym("x", ("other_language", "suppressed_name")), Synonym("y", ("broad_scope",)))
    )
    (one,), counts = made(term)
    assert (one.names, counts) == (("Fever",), {"other_language": 1, "broad_scope": 1})
    (one,), counts = made(term, without=("broad_scope", "other_language"))
    assert (one.names, counts) == (("Fever", "y"), {"suppressed_name": 1})


def test_a_count_of_none_is_no_count():
    assert "without_name" not in made(Term("C1", "Fever"), Term("C2", "Pain", obsolete=True))[1]


def test_obsolete_terms_and_those_without_a_name_are_left_out_and_counted():
    with pytest.raises(InputError, match=r"no term with a name \(obsolete_term: 1, without_name: 1\)"):
        made(Term("C1", "Fever", obsolete=True), Term("C2", types=("Sign",)))


def test_types_come_from_the_headings_that_a_term_is_mapped_to():
    ache = Term("C1", "", (Synonym("Ache"), Synonym("Aching")), mapped_to=("D1", "D2"))
    made_of, _ = made(Term("D1", "Pain", types=("Disease",)), ache)
    assert made_of[1] == Concept(
        "C1", "Ache", ("Ache", "Aching"), ("Disease",)
    )  # the first synonym is the name


def test_a_term_that_refers_to_one_earlier_term_adds_its_names_there():
    made_of, counts = made(
        Term("D1", "Neoplasms", types=("Disease",)),
        Term("D2", "Pain"),
        Term("DOID:162", "cancer", types=("doid",), references=("MESH:D1", "NCI:C1")),
        Term("X", "both", references=("MESH:D1", "MESH:D2")),
    )
    names = [(concept.identifier, concept.names) for concept in made_of]
    assert names == [("D1", ("Neoplasms", "cancer")), ("D2", ("Pain",)), ("X", ("both",))]
    assert counts["joined_by_reference"] == 1
