"""A report as the published program builds it, and the reports at which it stops."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.datasets.clicr import as_published
from anagnosis.datasets.clicr.as_published import Entity, Query, Report, StopsError, build
from anagnosis.datasets.clicr.marks import is_consistent

LINES = ("Rash after zinc", "He had non-toxic rash .", "Learning Points :", "Zinc can cause rash .", "")
TEXT = "\n".join(LINES)


def entity(
    name: str, *, occurrence: int = 0, text: str = TEXT, type: str = "problem", cui: str = ""
) -> Entity:
    """An entity by its words. occurrence: which of them, from 0."""
    start = -1
    for _ in range(occurrence + 1):
        start = text.index(name, start + 1)
    return Entity(start, start + len(name), type, cui)


ENTITIES = (
    entity("Rash"),
    entity("toxic rash"),
    entity("Zinc", type="treatment", cui="C1"),
    entity("rash", occurrence=1, cui="C2"),
)


def test_a_report_becomes_title_context_and_numbered_queries() -> None:
    assert build(TEXT, ENTITIES) == Report(
        "BEG__Rash__END after zinc",
        "He had non- BEG__toxic rash__END .",
        (
            Query(1, "Zinc", "treatment", "C1", "@placeholder can cause BEG__rash__END ."),
            Query(2, "rash", "problem", "C2", "BEG__Zinc__END can cause @placeholder ."),
        ),
    )


def test_numbers_of_references_and_outer_white_space_leave_title_and_context() -> None:
    text = "Rash .4 \n\nHe had .5 , 6 Zinc .\nLearning points\n"
    assert build(text, []) == Report("Rash .", "He had .\nZinc .", ())
    assert as_published.title_and_context(" Rash \n\n He \n") == ("Rash", "He")


def test_the_later_of_two_entities_with_one_start_counts() -> None:
    made = build(TEXT, [*ENTITIES, entity("Zinc can", type="test")])
    assert made is not None
    assert [each.answer for each in made.queries] == ["Zinc can", "rash"]


def test_the_headings_first_letter_gives_no_query_and_the_rest_of_the_heading_does() -> None:
    made = build(TEXT, [entity("Points")])
    assert made is not None
    assert made.queries == (Query(1, "Points", "problem", "", "Learning @placeholder :"),)
    assert as_published.build(TEXT, [entity("Learning")]) == Report(LINES[0], LINES[1], ())


def test_without_learning_points_the_last_character_is_lost_and_only_an_unfinished_line_gives_queries() -> (
    None
):
    text = "Rash\nZinc came back"
    listed = [entity("Rash", text=text), entity("Zinc", text=text), entity("came", text=text)]
    made = build(text, listed)
    assert made is not None
    assert made.context == "BEG__Zinc__END BEG__came__END bac"
    assert [each.text for each in made.queries] == ["@placeholder BEG__came__END bac", "@placeholder bac"]
    assert build(f"{text}\n", listed) == Report("BEG__Rash__END", "BEG__Zinc__END BEG__came__END back", ())


def test_a_passage_with_inconsistent_marks_is_left_out_and_such_a_query_dropped_with_its_number() -> None:
    blank = Entity(entity("had").start - 1, entity("had").end, "problem", "")
    assert build(TEXT, [blank]) is None
    text = TEXT + "A rash, then zinc came .\n"
    made = build(text, [entity("A rash", text=text), entity("zinc c", text=text), entity("Zinc", text=text)])
    assert made is not None
    assert (len(made.inconsistent), [each.number for each in made.queries]) == (1, [1, 3])


@pytest.mark.parametrize(
    ("text", "entities", "reason"),
    [
        (TEXT, [entity("toxic rash"), entity("rash")], "two entities end at the same letter"),
        (TEXT, [entity("Zinc can cause"), entity("can")], "an entity ends that never began"),
        (TEXT, [entity("Zi"), entity("nc c")], "a mark is left in an answer"),
        ("Rash\nLearning points\nZinc .\n", [], "no context: its passage has one line"),
    ],
)
def test_the_program_stops(text: str, entities: list[Entity], reason: str) -> None:
    with pytest.raises(StopsError, match=reason):
        build(text, entities)


def test_queries_that_the_context_repeats_go_and_an_empty_answer_stops_the_program() -> None:
    text = TEXT.replace("He had", "Zinc can cause")
    listed = [entity("Zinc", text=text), entity("Zinc", occurrence=1, text=text)]
    kept = build(text, [*listed, entity("rash", occurrence=1, text=text)])
    assert kept is not None
    assert [each.number for each in as_published.without_exact_repeats(kept)] == [1]
    parenthesis = build(TEXT + "It ( CT ) .\n", [entity("( CT )", text=TEXT + "It ( CT ) .\n")])
    assert parenthesis is not None
    with pytest.raises(StopsError, match="an answer is empty"):
        as_published.without_exact_repeats(parenthesis)


@given(
    st.lists(
        st.sampled_from(("rash", "the", "zinc", "(", ")", ".", ".5", "a_b", "\n", "\nLearning points\n", "İ"))
    ),
    st.dictionaries(st.integers(0, 60), st.integers(0, 70), max_size=5),
)
def test_any_report_is_built_left_out_or_refused(words: list[str], spans: dict[int, int]) -> None:
    text = " ".join(words)
    try:
        made = build(text, [Entity(start, end, "problem", "") for start, end in spans.items()])
    except StopsError:
        return
    if made is None:
        return
    assert all(is_consistent(each.text) and "@placeholder" in each.text for each in made.queries)
    assert is_consistent(made.title + "\n" + made.context)
    assert len(made.queries) + len(made.inconsistent) <= len(spans)
