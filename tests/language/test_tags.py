from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.language import tags

# The Penn Treebank's tags.
PENN = frozenset(
    """
    CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH VB VBD VBG VBN VBP VBZ
    WDT WP WP$ WRB . , : ( ) `` '' " # $
    """.split()  # noqa: SIM905 a list is read as words
)


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in tags.words(text)]


@each_row(
    ("text", "words"),
    [
        ("Aspirin (low dose), again: yes.", "Aspirin ( low dose ) , again : yes ."),
        ("Crohn's disease and Down’s syndrome", "Crohn 's disease and Down ’s syndrome"),
        ("It doesn't fall", "It does n't fall"),
        ("HMG-I(Y) and (E)-2-hexenal", "HMG-I(Y) and (E)-2-hexenal"),
        ("[Mud baths] 'help' 50%", "[ Mud baths ] ' help ' 50 %"),
        ("and/or IL-2/IL-4", "and/or IL-2/IL-4"),
        ("p < 0.05 - ) (", "p < 0.05 - ) ("),
    ],
)
def test_words_are_cut_as_the_treebanks_cut_them(text: str, words: str) -> None:
    assert cut(text) == words.split()


@given(st.text(st.sampled_from("aB1 .,;:()[]'’\"%-/n't s\t"), max_size=30))
def test_words_hold_all_but_white_space_in_order(text: str) -> None:
    assert "".join(cut(text)) == "".join(text.split())


def verbs(text: str) -> list[str]:
    """The words tagged as verbs in the present tense."""
    words = [text[start:end] for start, end in tags.words(text)]
    return [f"{word}/{tag}" for word, tag in zip(words, tags.tag(words)) if tag in ("VBZ", "VBP")]


@each_row(
    ("text", "found"),
    [
        ("Zorapine reduces fever", ["reduces/VBZ"]),
        ("Two short walks reduce fever", ["reduce/VBP"]),
        ("Zorapine is safe", ["is/VBZ"]),
        ("Zorapine reduces fever and improves sleep", ["reduces/VBZ", "improves/VBZ"]),
        ("Zorapine significantly alters sleep", ["alters/VBZ"]),
        ("Ward music worsens sleep", ["worsens/VBZ"]),
        ("Screening results in fewer deaths", ["results/VBZ"]),
        ("Zorapine does not reduce fever", ["does/VBZ"]),
    ],
)
def test_a_statements_verb_is_tagged(text: str, found: list[str]) -> None:
    assert verbs(text) == found


@each_row(
    "text",
    [
        "Trends and correlates of tea drinking",
        "Results of a survey",
        "Primary care in island communities",
        "Use of Zorapine to reduce fever",
        "Zorapine may reduce fever",
        "Zorapine reduced fever",
        "The effects of Zorapine on disease",
        "Decision support systems",
        "",
    ],
)
def test_a_noun_phrase_has_no_verb(text: str) -> None:
    assert verbs(text) == []


@given(st.lists(st.text(max_size=12), max_size=12))
def test_every_word_gets_a_penn_tag(words: list[str]) -> None:
    found = tags.tag(words)
    assert len(found) == len(words)
    assert PENN.issuperset(found)
