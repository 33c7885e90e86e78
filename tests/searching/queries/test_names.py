"""Names fold alike in the index and in queries, so that what a user types begins what the index stores."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.searching.queries.names import (
    MOST,
    author_keys,
    author_parts,
    beginnings,
    folded,
    journals_meant,
    language_key,
)
from anagnosis.searching.queries.tree import Prefix, Word

KEYS = (
    (
        "García-López, José A.",
        ("garcia lopez, jose a", "garcia lopez, ja"),
    ),
    ("Smith, J.A.", ("smith, j a", "smith, ja")),
    ("van der Berg, J", ("van der berg, j",)),
    ("Wu, AB-C", ("wu, ab c", "wu, abc")),
    ("Øster, JA", ("oster, ja",)),
    ("RECOVERY Collaborative Group", ("recovery collaborative group",)),
    ("Smith,", ("smith,",)),
    ("Salt,\u00a0Sea;\u00a0and Soup Group", ("salt sea and soup group",)),
    ("", ()),
)
NAMES = (
    "Lancet (London, England)",
    "The Lancet. Oncology",
    "The New England journal of medicine",
    "BMJ (Clinical research ed.)",
    "BMJ open",
    "JAMA",
    "JAMA oncology",
    "Annals of internal medicine",
    "Annals of Medicine",
    "Proceedings of the National Academy of Sciences of the United States of America",
)


def fits(typed: str, name: str) -> bool:
    keys = author_keys(name)
    return any(
        part.text in keys if isinstance(part, Word) else any(key.startswith(part.letters) for key in keys)
        for part in author_parts(typed)
    )


@each_row(("name", "keys"), KEYS)
def test_an_author_is_stored_with_given_names_and_with_initials(name: str, keys: tuple[str, ...]) -> None:
    assert author_keys(name) == keys


@each_row(
    "typed",
    [
        "Smith",
        "smith j",
        "SMITH J A",
        "Smith, John",
        "John Smith",
    ],
)
def test_an_author_is_known_by_what_users_type(typed: str) -> None:
    assert fits(typed, "Smith, John Albert")


@each_row("typed", ["Smithson", "Smi", "Smith K", "Smith JB", "Albert", "", "."])
def test_another_author_is_not(typed: str) -> None:
    assert not fits(typed, "Smith, John Albert")


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("van der Berg J", "van der Berg, Jan"),
        ("Garcia Lopez J", "García-López, José A."),
        ("O\u2019Brien P", "O'Brien, Pat"),
        ("recovery collaborative group", "RECOVERY Collaborative Group"),
        *((typed, "O'Brien, Pat") for typed in ("OBrien P", "o\u2019brien")),
        ("Al Rashid", "al-Rashid, A"),
        ("Salt, Sea; and Soup Group", "Salt,\u00a0Sea;\u00a0and Soup Group"),
        ("Smith A B III", "Smith, Alan B III"),
        ("de Almadro, WF, Jr.", "de Almadro, Walter F Jr"),
        ("de Almadro Walter F Jr", "de Almadro, Walter F Jr"),
    ],
)
def test_families_have_several_words_and_accents(typed: str, name: str) -> None:
    assert fits(typed, name)


def test_a_family_alone_is_a_whole_family() -> None:
    assert author_parts("Smith") == (Word("smith"), Prefix("smith,"))


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_name_folds_and_folding_twice_changes_nothing(family: str, given_name: str) -> None:
    once = folded(family)
    assert folded(once) == once
    author_parts(family)
    author_keys(f"{family}, {given_name}")


@given(st.text("abc xyz", min_size=1, max_size=400))
def test_a_long_name_has_few_readings(typed: str) -> None:
    assert len(author_parts(typed)) <= 13


@each_row(
    ("name", "code"),
    [("eng", "eng"), ("English", "eng"), ("en-US", "eng"), ("zh_Hans", "chi"), ("fran\u00e7ais", "fre"),
     ("Scottish Gaelic", "gla"), ("deu", "ger"), ("Klingon", "klingon")],
)  # fmt: skip
def test_a_language_has_one_code(name: str, code: str) -> None:
    assert language_key(name) == code


@each_row(
    ("typed", "name"),
    [
        ("lancet", NAMES[0]),
        ("The Lancet", NAMES[0]),
        ("Lancet Oncol", NAMES[1]),
        ("N Engl J Med", NAMES[2]),
        ("N. Engl. J. Med.", NAMES[2]),
        ("BMJ Open", NAMES[4]),
        ("Ann Intern Med", NAMES[7]),
        ("Proc Natl Acad Sci U S A", NAMES[9]),
    ],
)
def test_a_journal_is_known_by_what_users_type(typed: str, name: str) -> None:
    assert journals_meant(typed, NAMES) == [name]
    assert any(name.casefold().startswith(begin) for begin in beginnings(typed))


@each_row("typed", ["", "()", "Lancet Neurol", "Med", "Journal", "N Engl J", "E N J Med"])
def test_other_names_are_none(typed: str) -> None:
    assert journals_meant(typed, NAMES) == []


def test_a_name_that_means_too_many_means_none() -> None:
    assert journals_meant("J", [f"J{n}" for n in range(MOST)]) == [f"J{n}" for n in range(MOST)]
    assert journals_meant("J", [f"J{n}" for n in range(MOST + 1)]) == []


@given(st.text(max_size=30), st.lists(st.text(max_size=30), max_size=4))
def test_any_names_are_compared(typed: str, names: list[str]) -> None:
    assert set(journals_meant(typed, names)) <= set(names)
    beginnings(typed)
