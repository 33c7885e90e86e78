"""People from one string of names: ours unchanged, PubTator's with initials, and names as printed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.documents.listed_people import listed_people

LISTS = [
    ("Elia, Gabriella; Martella, Vito", ["Elia, Gabriella", "Martella, Vito"]),
    ("Liu WH; Guo SN", ["Liu, WH", "Guo, SN"]),
    ("Liu WH, Guo SN, ", ["Liu, WH", "Guo, SN"]),
    (
        "Keith G Heinzerling, Levon Demirdjian, Yingnian Wu",
        ["Keith G Heinzerling", "Levon Demirdjian", "Yingnian Wu"],
    ),
    ("van den Berg, Jan Peter", ["van den Berg, Jan Peter"]),
    ("van den Berg, Jan P", ["van den Berg, Jan P"]),
    ("Hellinger, Frank R, Jr", ["Hellinger, Frank R, Jr"]),
    ("van de Ven, Steffi EM; Pavlov, Kirill V.", ["van de Ven, Steffi EM", "Pavlov, Kirill V."]),
    ("Salt Study Group", ["Salt Study Group"]),
    ("O&apos;Neill, Ann; Bo, B", ["O'Neill, Ann", "Bo, B"]),
    (" ; ;", []),
    ("", []),
    (",", []),
]


@each_row(("names", "people"), LISTS)
def test_names_are_divided_where_people_end(names: str, people: list[str]) -> None:
    assert listed_people(names) == people


@given(st.text("ABab ,;-", max_size=60))
def test_any_text_gives_names_without_semicolons_and_blanks_around(names: str) -> None:
    people = listed_people(names)
    assert all(name and ";" not in name and name == " ".join(name.split()) for name in people)
    kept = [letter for letter in names if letter in "ABab-"]
    assert [letter for name in people for letter in name if letter in "ABab-"] == kept


@given(st.lists(st.from_regex(r"[A-Z][a-z]{1,5}, [A-Z][a-z]{1,5}( [A-Z])?", fullmatch=True), max_size=4))
def test_people_spelled_as_the_fact_stay(people: list[str]) -> None:
    assert listed_people("; ".join(people)) == people


def test_a_megabyte_of_commas_is_many_people() -> None:
    assert listed_people("Bo B, " * 200_000) == ["Bo, B"] * 200_000
