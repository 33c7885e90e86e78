"""Semantic types as problem, treatment and test."""

from __future__ import annotations

import pytest

from anagnosis.datasets.clicr.semantic_types import UMLS_TYPES, concepts


@pytest.mark.parametrize(
    ("semantic_type", "concept"),
    [
        ("problem", "problem"),
        ("Sign_symptom", "problem"),
        ("Disease_disorder", "problem"),
        ("Medication", "treatment"),
        ("Therapeutic_procedure", "treatment"),
        ("Diagnostic_procedure", "test"),
        ("org.apache.ctakes.typesystem.type.textsem.SignSymptomMention", "problem"),
        ("MedicationMention", "treatment"),
        ("Lab", "test"),
        ("CLINENTITY", "problem"),
        ("Disease", "problem"),
        ("Chemical", "treatment"),
        ("Disease or Syndrome", "problem"),
        ("T061", "treatment"),
        ("diap", "test"),
        ("Age", None),
        ("Anatomy", None),
        ("", None),
    ],
)
def test_types_are_known_in_any_spelling(semantic_type: str, concept: str | None) -> None:
    assert concepts({})(semantic_type) == concept


def test_the_umls_types_are_those_of_the_i2b2_guidelines() -> None:
    counts = [list(UMLS_TYPES.values()).count(kind) for kind in ("problem", "treatment", "test")]
    assert counts == [12, 8, 2]
