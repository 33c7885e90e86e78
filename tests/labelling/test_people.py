"""The people of a study: names, groups, and names of files that are apart on every system."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.errors import InputError
from anagnosis.labelling.people import MOST_PEOPLE, Person, check_people, people_of
from tests.rows import each_row


def test_people_are_named_alone_or_in_groups() -> None:
    assert people_of(["ann, bea", "experts= Cleo  C. ,dan"]) == (
        Person("ann", "people"),
        Person("bea", "people"),
        Person("Cleo C.", "experts"),
        Person("dan", "experts"),
    )
    assert people_of([]) == ()


def test_files_are_named_after_the_person_without_what_a_path_obeys() -> None:
    person = Person("../Ann Ö./b")
    assert person.page == "-Ann-Ö-b.html"
    assert person.saved("answers") == "answers--Ann-Ö-b.jsonl"
    assert Person("CON").page == "-CON.html"
    assert Person("\u0939\u093f\u0928\u094d\u0926\u0940").page == "\u0939\u093f\u0928\u094d\u0926\u0940.html"


@each_row(
    ("given", "what"),
    [
        (["ann,"], "--people: an empty name; write NAME,NAME or GROUP=NAME,NAME"),
        (["=ann"], "--people: an empty group"),
        (["experts="], "--people: an empty name"),
        (["a" * 61], "--people: a name of 61 characters; give 60 at most"),
        (["ann\x1b[31m"], "holds signs that cannot be printed"),
        (["ann\u202e"], "holds signs that cannot be printed"),
        (["..."], "has neither letter nor digit"),
        (["ann,ann"], "--people: 'ann' stands twice; name each person once"),
        (["ann", "experts=ann"], "--people: 'ann' stands twice; name each person once"),
        (["Ann,ann"], "--people: the files of 'Ann' and 'ann' would have one name"),
        (["a.b,a b"], "--people: the files of 'a.b' and 'a b' would have one name"),
        (["\u00d6,O\u0308"], "stands twice"),
        (["experts=ann,novices=bea"], "the name 'novices=bea' holds =; repeat --people for another group"),
        (["x", "con,CON"], "would have one name"),
    ],
)
def test_names_that_cannot_be_are_refused(given: list[str], what: str) -> None:
    with pytest.raises(InputError) as refused:
        people_of(given)
    assert what in str(refused.value)


def test_a_study_has_a_thousand_people_at_most() -> None:
    check_people([Person(f"p{n}") for n in range(MOST_PEOPLE)])
    with pytest.raises(InputError, match="more than 1,000 people"):
        check_people([Person(f"p{n}") for n in range(MOST_PEOPLE + 1)])


@given(st.lists(st.text(max_size=70), max_size=4))
def test_any_text_is_people_or_one_line(names: list[str]) -> None:
    refusal, people = "", ()
    try:
        people = people_of([",".join(names)])
    except InputError as fault:
        refusal = str(fault)
    assert bool(refusal) != bool(people)
    assert "\n" not in refusal
    files = {person.page.casefold() for person in people}
    assert len(files) == len(people)
    assert not any(set('/\\:*?"<>|\0 .') & set(person.file_name) for person in people)
