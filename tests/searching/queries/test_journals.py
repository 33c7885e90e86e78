"""Journals by the names that users type."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.searching.queries.journals import MOST, beginnings, journals_meant

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


@each_row(
    ("typed", "name"),
    [
        ("lancet", NAMES[0]),
        ("The Lancet", NAMES[0]),
        ("Lancet Oncol", NAMES[1]),
        ("N Engl J Med", NAMES[2]),
        ("New England Journal of Medicine", NAMES[2]),
        ("N. Engl. J. Med.", NAMES[2]),
        ("BMJ", NAMES[3]),
        ("BMJ Open", NAMES[4]),
        ("jama", NAMES[5]),
        ("Ann Intern Med", NAMES[7]),
        ("Ann Med", NAMES[8]),
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
