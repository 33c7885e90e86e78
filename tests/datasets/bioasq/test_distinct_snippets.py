from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from anagnosis.datasets.bioasq.distinct_snippets import distinct


def test_of_snippets_with_the_same_words_the_first_is_read_and_empty_ones_never() -> None:
    assert distinct(["", "in tea", " \n", "In tea", "in  tea\n", "salt", "in tea"]) == [
        (1, "in tea"),
        (3, "In tea"),
        (5, "salt"),
    ]
    assert distinct([]) == []


@given(st.lists(st.text(st.sampled_from("ab \n"), max_size=3), max_size=8))
def test_every_text_is_read_once_as_it_is_and_in_order(texts: list[str]) -> None:
    read = distinct(texts)
    assert [number for number, _ in read] == sorted(number for number, _ in read)
    assert all(texts[number] == text for number, text in read)
    words = [text.split() for _, text in read]
    assert all(text.split() in [[], *words] for text in texts)
    assert all(each and words.count(each) == 1 for each in words)
