"""BASE4 of BioRead on instances worked by hand, and against its plain formula."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.readers.heuristics.baselines import ngram_occurrences

PASSAGE = "@entity1 lowers pain and @entity2 lowers pain ; drug @entity2 lowers"


def test_two_extracted_ngrams_that_become_equal_count_twice(replaced: Callable[..., ClozeInstance]) -> None:
    assert ngram_occurrences(replaced("@entity1 @entity1 .", "@entity1 XXXX @entity1")) == [2]


def plain_formula(passage: list[str], question: list[str], entity: str, n: int) -> int:
    """Section 3 to the letter, on strings."""

    def grams(text: list[str]) -> list[list[str]]:
        return [text[i : i + n] for i in range(len(text) - n + 1)]

    asked = [
        [entity if token == "XXXX" else token for token in gram] for gram in grams(question) if "XXXX" in gram
    ]
    return sum(grams(passage).count(gram) for gram in asked)


WORDS = st.sampled_from(["a", "b", "@entity0", "@entity1"])


@given(
    passage=st.lists(WORDS, max_size=14),
    left=st.lists(WORDS, max_size=3),
    right=st.lists(WORDS, max_size=3),
    n=st.integers(2, 6),
)
def test_ngram_occurrences_is_the_papers_formula(
    replaced: Callable[..., ClozeInstance], passage: list[str], left: list[str], right: list[str], n: int
) -> None:
    keys = ["@entity0", "@entity1"]
    question = [*left, "XXXX", *right]
    instance = replaced(" ".join(passage), " ".join(question), None, keys)
    assert ngram_occurrences(instance, n=n) == [plain_formula(passage, question, key, n) for key in keys]
