"""Function words and parentheses at the borders of entities."""

import pytest

from anagnosis.datasets.clicr import boundaries

WORDS = "a an the her his their this that these those its our any every some".split()  # noqa: SIM905 a list is read as words


@pytest.mark.parametrize("word", WORDS)
def test_each_of_15_function_words_moves_out(word: str) -> None:
    assert boundaries.begins_with_function_word((word.upper(), "rash"))
    assert not boundaries.begins_with_function_word((word,))
    assert len(boundaries.FUNCTION_WORDS) == 15


@pytest.mark.parametrize("word", ["my", "no", "your", "both", "rash"])
def test_other_words_stay(word: str) -> None:
    assert not boundaries.begins_with_function_word((word, "rash"))


@pytest.mark.parametrize(
    ("entity", "before"),
    [
        ("head CT ( HCT )", 2),
        ("zinc ( low dose", 1),
        ("zinc ( low ) cream", 5),
        ("zinc ( low ) ( new )", 7),
        ("zinc ( low ) )", 5),
        ("zinc low )", 3),
        ("( HCT )", 0),
        ("head CT (HCT)", 3),
        ("zinc ) or (", 4),
    ],
)
def test_a_parenthesis_at_the_end_moves_out(entity: str, before: int) -> None:
    assert boundaries.parenthesis_at_end(entity.split()) == before


@pytest.mark.parametrize(
    ("entity", "outside"),
    [
        ("BEG__His  rash__END", "His BEG__rash__END"),
        ("BEG__the the rash__END", "the BEG__the rash__END"),
        ("BEG__x_any rash__END", "any BEG__rash__END"),
        ("BEG__some__END", "BEG__some__END"),
        ("BEG__skin  rash__END", "BEG__skin  rash__END"),
        ("his rash", "his rash"),
    ],
)
def test_a_function_word_stands_before_its_entity(entity: str, outside: str) -> None:
    assert boundaries.without_function_word(entity) == outside


@pytest.mark.parametrize(
    ("entity", "outside"),
    [
        ("BEG__head CT ( HCT )__END", "BEG__head CT__END ( HCT )"),
        ("BEG__zinc ( low dose__END", "BEG__zinc__END ( low dose"),
        ("BEG__( HCT )__END", "BEG____END ( HCT )"),
        ("BEG__zinc ( low )  cream__END", "BEG__zinc ( low ) cream__END"),
        ("BEG__zinc )  cream__END", "BEG__zinc )  cream__END"),
        ("zinc ( low )", "zinc ( low )"),
    ],
)
def test_a_parenthesis_stands_behind_its_entity(entity: str, outside: str) -> None:
    assert boundaries.without_parenthesis(entity) == outside
