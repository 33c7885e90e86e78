"""Singulars, by examples and beside simplemma on the plural nouns of abstracts."""

from __future__ import annotations

import gzip
import io
import json
import re
import tarfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis import corpus
from anagnosis.language import tags
from anagnosis.language.inflection import singular

# Plurals of which simplemma gives a wrong singular ("leave", "lense", "masse"), and those of which ours is wrong.
WRONG_THERE = """
    anastomoses diagnoses faeces halves hydrolyses leaves lenses lives maladies masses measles midwives mitoses mixes
    testes vas wives
"""
WRONG_HERE = "abs ags"
APART = {*WRONG_THERE.split(), *WRONG_HERE.split()}
SINGULARS = """
    species series diabetes virus disease pancreas bias kinetics genetics arthritis mass its gas specimen regimen
"""


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        ("tumours", "tumour"),
        ("deficiencies", "deficiency"),
        ("viruses", "virus"),
        ("causes", "cause"),
        ("abuses", "abuse"),
        ("complexes", "complex"),
        ("sizes", "size"),
        ("metastases", "metastasis"),
        ("kinases", "kinase"),
        ("analyses", "analysis"),
        ("neuroses", "neurosis"),
        ("acidoses", "acidosis"),
        ("doses", "dose"),
        ("purposes", "purpose"),
        ("approaches", "approach"),
        ("headaches", "headache"),
        ("processes", "process"),
        ("echoes", "echo"),
        ("matrices", "matrix"),
        ("devices", "device"),
        ("mycobacteria", "mycobacterium"),
        ("nuclei", "nucleus"),
        ("children", "child"),
        ("arthritides", "arthritis"),
        ("sarcomata", "sarcoma"),
        ("testes", "testis"),
        ("epithelia", "epithelium"),
        ("does", "doe"),
        ("ties", "tie"),
    ],
)
def test_a_plural_has_its_singular(plural: str, one: str) -> None:
    assert singular(plural) == one
    assert singular(one) == one


@pytest.mark.parametrize("word", SINGULARS.split())
def test_a_singular_stays(word: str) -> None:
    assert singular(word) == word


@given(st.text(st.sampled_from("aeiosuxz"), max_size=8))
def test_any_word_keeps_its_beginning(word: str) -> None:
    assert singular(word)[: len(word) - 4] == word[: len(word) - 4]


def plural_nouns(texts: Iterable[str]) -> set[str]:
    """The words with -s that are tagged as plural nouns, in lower case; no short forms such as "ADs"."""
    found = set[str]()
    for text in texts:
        words = [text[start:end] for start, end in tags.words(text)]
        found.update(word for word, tag in zip(words, tags.tag(words)) if tag == "NNS")
    return {word.lower() for word in found if re.fullmatch("[A-Za-z][a-z]+s", word)}


def other_singulars(words: set[str]) -> tuple[int, set[str]]:
    """How many words simplemma knows as plurals of common nouns, and those of which it gives another singular."""
    simplemma = pytest.importorskip("simplemma", reason="the extra dev is not installed")
    known = {word: simplemma.lemmatize(word, lang="en") for word in sorted(words)}
    known = {word: lemma for word, lemma in known.items() if lemma != word and lemma.islower()}
    return len(known), {word for word, lemma in known.items() if singular(word) != lemma}


def test_the_bundled_corpus_has_the_singulars_of_simplemma() -> None:
    known, other = other_singulars(plural_nouns([corpus.carried().read_text("utf-8")]))
    assert known > 100
    assert other <= APART


@pytest.mark.shared
def test_at_most_two_in_1892_plurals_of_abstracts_have_a_wrong_singular(shared: Path) -> None:
    with gzip.open(shared / "data/pubmedqa/ori_pqal.json.gz", "rt", encoding="utf-8") as stream:
        questions = json.load(stream).values()
    words = plural_nouns(text for each in questions for text in (*each["CONTEXTS"], each["LONG_ANSWER"]))
    with tarfile.open(shared / "data/pos/genia_pos.tar.gz") as archive:
        for part in ("train", "test"):
            stream = archive.extractfile(f"genia/GENIA{part}.pos")
            assert stream
            found = re.findall(r"(?<!\S)([A-Za-z][a-z]+s)/NNS(?!\S)", io.TextIOWrapper(stream).read())
            words.update(word.lower() for word in found)
    known, other = other_singulars(words)
    assert known >= 1892
    assert other <= APART
    assert len(other - {*WRONG_THERE.split()}) / known <= 2 / 1892
