from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.errors import InputError
from anagnosis.language import nupunkt_sentences
from anagnosis.language.sentences import SPLITTERS, STOPS, has_at_least, splitter

WORDS = """
    the The protein cells p53 CD4 IL-2 0.05 5 iv civil A E coli e.g i.e al et Fig U.S.A placebo-controlled (HPRT) (etc
    (n=6) 10% [3] Dr M.I.T x_bar foo's AT&T cancer ... . … ?! ** -- 5) 'quoted' a-b..c ½ ß 中 ²
    """.split()  # noqa: SIM905 a list is read as words
ENDS = (*[". "] * 2, " ", ".) ", '." ', "! ", "? ", "… ", "] ", "", ".", "\n", ".\n\n", ".\xa0", ".  ", "\t")

texts = st.lists(st.tuples(st.sampled_from(WORDS), st.booleans(), st.sampled_from(ENDS)), max_size=20).map(
    lambda pieces: "".join((word.capitalize() if capital else word) + end for word, capital, end in pieces)
)
anything = st.text(st.sampled_from("aAzZ15.?!…)( \t\n\xa0\"'”*[]&%-"), max_size=40)


def counted(text: str, name: str) -> int:
    return len(splitter(name)(text))


@pytest.mark.parametrize("name", SPLITTERS)
@given(text=texts | anything)
def test_spans_follow_each_other_and_hold_all_but_white_space(name: str, text: str) -> None:
    at = 0
    for start, end in splitter(name)(text):
        assert at <= start < end <= len(text)
        assert not text[at:start].strip()
        at = end
    assert not text[at:].strip()


@pytest.mark.parametrize("name", SPLITTERS)
@given(text=texts | anything)
def test_a_text_has_at_most_one_sentence_more_than_it_has_marks(name: str, text: str) -> None:
    assert counted(text, name) <= sum(map(text.count, STOPS)) + 1


@pytest.mark.parametrize("name", SPLITTERS)
@given(text=texts | anything, minimum=st.integers(0, 12))
def test_at_least_is_the_verdict_of_counting(name: str, text: str, minimum: int) -> None:
    assert has_at_least(text, minimum, name) == (counted(text, name) >= minimum)


@pytest.mark.parametrize("name", SPLITTERS)
def test_nothing_has_no_sentence_and_one_word_has_one(name: str) -> None:
    assert splitter(name)("") == []
    assert splitter(name)("Word") == [(0, 4)]


def test_an_ellipsis_is_counted_among_the_marks() -> None:
    text = "It rose… Then it fell… It ended"
    assert has_at_least(text, 3, "nupunkt")


def test_an_unknown_splitter_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(InputError, match="did you mean nupunkt"):
        splitter("nupunk")
    with pytest.raises(InputError, match="did you mean nupunkt"):
        has_at_least("One. Two.", 2, "nupunk")


def test_the_short_cut_for_nupunkt_is_on_for_the_pinned_version() -> None:
    pins = (Path(__file__).parents[2] / "constraints.txt").read_text("utf-8").splitlines()
    assert f"nupunkt=={version('nupunkt')}" in pins
    assert version("nupunkt") in nupunkt_sentences.CHECKED


def test_nupunkts_parameters_are_those_the_short_cut_relies_on() -> None:
    from nupunkt import load

    parameters = load("default").parameters
    assert not parameters.ortho_context
    assert {first for first, _ in parameters.collocations if len(first) > 1} == {"##number##"}


def test_an_unchecked_nupunkt_is_asked_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nupunkt_sentences, "CHECKED", ())
    nupunkt_sentences._abbreviations.cache_clear()  # pyright: ignore[reportPrivateUsage] the cache has no other door
    asked: list[str] = []

    def count_calls(text: str) -> list[tuple[int, int]]:
        asked.append(text)
        return []

    monkeypatch.setattr(nupunkt_sentences, "split", count_calls)
    try:
        assert not nupunkt_sentences.has_at_least("We see it. They see it. All see it.", 2)
    finally:
        nupunkt_sentences._abbreviations.cache_clear()  # pyright: ignore[reportPrivateUsage] as above
    assert asked
