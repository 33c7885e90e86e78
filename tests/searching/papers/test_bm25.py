"""Scores of passages, against those that a reader of the formula calculates by hand."""

from __future__ import annotations

from math import isclose, log

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.searching.papers.bm25 import CONTENT, TITLE, Rarity, Scorer, countable, words_in
from anagnosis.searching.queries.tree import Phrase, Query, Ranked, Synonyms, Word
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.words import words_of

# 100 papers of one passage with 50 letters: tea is in 10 texts and 4 titles, milk in 20 and 5.
COUNTS = {(CONTENT, "tea"): 10, (TITLE, "tea"): 4, (CONTENT, "milk"): 20, (TITLE, "milk"): 5}
RARITY = Rarity(100, 100, 5000, COUNTS)
TEA, MILK = log(1 + 90.5 / 10.5), log(1 + 80.5 / 20.5)
TEA_IN_TITLE = log(1 + 96.5 / 4.5)


def passage(text: str, title: str = "", section: str = "abstract", heading: str = "") -> Passage:
    return Passage("1", 0, section, heading, title, text)


def score(text: str, *parts: Ranked, title: str = "", rarity: Rarity = RARITY) -> float:
    (found,) = Scorer(Query(parts), rarity).scores([passage(text.ljust(50 - len(title)), title)])
    return found


def of_count(count: int) -> float:
    """The factor of a word that stands so often in a passage of mean length."""
    return count * 2.2 / (count + 1.2)


@each_row(
    "text, parts, expected",
    [
        ("Tea.", [Word("tea")], TEA),
        ("Tea and teas.", [Word("tea")], TEA * of_count(2)),
        ("Tea with milk", [Word("tea"), Word("milk")], TEA + MILK),
        ("Tea milk", [Phrase(("tea", "milk"))], TEA + MILK),
        ("Milk tea", [Phrase(("tea", "milk"))], 0.0),
        ("Tea with milk", [Synonyms((Word("tea"), Word("milk")))], TEA),
        ("Tea, milk", [Synonyms((Word("coffe"),), (Word("tea"), Word("milk")))], 0.8 * (TEA + MILK)),
        ("Coffee", [Word("tea")], 0.0),
        ("tea\u2013milk", [Word("tea"), Word("milk")], TEA + MILK),
    ],
)
def test_scores_of_a_text(text: str, parts: list[Ranked], expected: float) -> None:
    assert isclose(score(text, *parts), expected, abs_tol=1e-12)


def test_a_title_counts_in_the_text_and_once_more_by_its_weight() -> None:
    assert isclose(score("Sleep.", Word("tea"), title="Tea"), TEA + 0.2 * TEA_IN_TITLE * of_count(1))


def test_no_phrase_reaches_from_the_title_into_the_text() -> None:
    assert score("milk", Phrase(("tea", "milk")), title="Tea") == 0.0


def test_a_longer_passage_has_less() -> None:
    (found,) = Scorer(Query((Word("tea"),)), RARITY).scores([passage("Tea".ljust(100))])
    assert isclose(found, TEA * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2)))


def test_a_title_alone_counts_once() -> None:
    (found,) = Scorer(Query((Word("tea"),)), RARITY).scores([passage("Tea", "Tea", "title")])
    length = 1.2 * (0.25 + 0.75 * 6 / 50)
    assert isclose(found, TEA * 2.2 / (1 + length) + 0.2 * TEA_IN_TITLE)


def test_the_rarity_among_passages_is_that_of_words_strewn_over_them() -> None:
    """Ten passages a paper; half of the papers have the word somewhere."""
    rarity = Rarity(1000, 10_000, 1, {(CONTENT, "tea"): 500})
    assert isclose(rarity.passages_with(CONTENT, "tea"), 10_000 * (1 - 0.5**0.1))
    assert rarity.passages_with(CONTENT, "coffee") == 0
    titled = Rarity(1000, 10_000, 1, {(CONTENT, "tea"): 600, (TITLE, "tea"): 100})
    assert isclose(titled.passages_with(CONTENT, "tea"), 1_000 + 10_000 * (1 - 0.5**0.1))
    assert isclose(titled.passages_with(TITLE, "tea"), 1_000)
    everywhere = Rarity(1000, 10_000, 1, {(CONTENT, "tea"): 1000})
    assert 4_000 < everywhere.passages_with(CONTENT, "tea") < 10_000


def test_deleted_papers_that_are_counted_make_no_word_rarer_than_all() -> None:
    counts = {(CONTENT, "tea"): 184, (TITLE, "tea"): 184}
    assert score("Tea", Word("tea"), title="Tea", rarity=Rarity(100, 200, 5000, counts)) > 0
    assert Rarity(100, 200, 5000, counts).papers_with("tea") == 100


def test_an_empty_collection_divides_by_nothing() -> None:
    assert score("Tea", Word("tea"), rarity=Rarity(0, 0, 0, {})) > 0


def test_words_beyond_the_last_that_a_byte_counts_add_nothing() -> None:
    many = tuple(Word(f"w{number}") for number in range(300))
    assert score("w299", *many) == 0.0 < score("w1", *many)
    query = countable(Query(many))
    assert (len(query.ranked), countable(query)) == (254, query)
    one = Query((Synonyms(many),))
    assert countable(one) == one
    repeated = tuple(Synonyms((Phrase(("a", "b", f"w{number}")),)) for number in range(200))
    assert len(countable(Query(repeated)).ranked) == 150
    assert words_in(Query((Synonyms((Phrase(("a", "b")),), (Word("c"),)), Word("a")))) == ["a", "b", "c"]


WORDS = st.lists(
    st.sampled_from(["tea", "teas", "milk", "Milk,", "al", "x-ray", "β-cell", "a–b", "."]), max_size=20
)


@given(WORDS, WORDS)
def test_words_are_counted_as_an_engine_has_them(text: list[str], asked: list[str]) -> None:
    for word in {*words_of(" ".join(asked))}:
        counts = {(CONTENT, word): 10}
        stands = words_of(" ".join(text)).count(word)
        found = score(" ".join(text).ljust(200), Word(word), rarity=Rarity(100, 100, 20_000, counts))
        assert isclose(found, TEA * of_count(stands) if stands else 0.0)
