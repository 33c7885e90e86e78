"""Past forms of verbs."""

from __future__ import annotations

import pytest
from tests.rows import each_row

from anagnosis.language import verbs
from anagnosis.language.inflection import is_participle, past


@each_row(
    ("base", "form"),
    [
        ("find", "found"),
        ("become", "became"),
        ("originate", "originated"),
        ("carry", "carried"),
        ("play", "played"),
        ("stop", "stopped"),
        ("occur", "occurred"),
        ("act", "acted"),
        ("treat", "treated"),
        ("show", "showed"),
        ("allow", "allowed"),
        ("prefer", "preferred"),
        ("emit", "emitted"),
        ("withdraw", "withdrew"),
        ("meet", "met"),
        ("enrol", "enrolled"),
        ("reprogram", "reprogrammed"),
    ],
)
def test_a_verb_has_its_past(base: str, form: str) -> None:
    assert past(base) == form


@pytest.mark.parametrize("word", ["bound", "derived", "co-administered", "thought", "withdrawn", "born"])
def test_a_participle_is_seen(word: str) -> None:
    assert is_participle(word)


@each_row("word", ["red", "need", "exceed", "gene", "cost", ""])
def test_another_word_is_none(word: str) -> None:
    assert not is_participle(word)


def test_the_forms_of_our_verbs_are_those_of_lemminflect() -> None:
    lemminflect = pytest.importorskip("lemminflect", reason="the extra dev is not installed")
    forms = {base: lemminflect.getAllInflections(base, upos="VERB") for base in sorted(verbs.KNOWN)}
    known = {base: form for base, form in forms.items() if "VBD" in form}
    assert len(known) > 900
    other = [base for base, form in known.items() if past(base) not in form["VBD"]]
    assert other == ["enrol", "fit", "reprogram"]  # "enroled", "fit", "reprogramed" there
    participles = {base: form.get("VBN", form["VBD"]) for base, form in known.items()}
    unknown = [base for base, form in participles.items() if not any(map(is_participle, form))]
    assert unknown == ["cleave", "cost", "input", "offset"]  # "cleft" and "cloven" alone there; three nouns
