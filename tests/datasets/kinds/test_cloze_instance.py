"""Entities as tokens, and the sentences of cloze instances."""

from __future__ import annotations

import msgspec
import pytest
from tests.readers.marked_instances import marked_instance

from anagnosis.datasets.kinds.cloze_instance import (
    ClozeInstance,
    PassageMention,
    entity_surfaces,
    entity_token,
    sentences,
    words_before,
    written,
)
from anagnosis.errors import InputError

ONE = ClozeInstance("1:0", "1", "", "", "XXXX", (), (), (), None, ())


def test_a_token_has_a_blank_on_both_sides_where_that_is_asked() -> None:
    mentions, tokens = (PassageMention(((1, 3),), 0), PassageMention(((3, 5),), 1)), ["@entity7", "@entity8"]
    assert written(ONE, "(abcd)", mentions, tokens, blanks=True) == (
        "( @entity7 @entity8 )",
        ((2, 10, 0), (11, 19, 1)),
    )
    assert written(ONE, "(abcd)", mentions, ["x", "y"], blanks=False) == ("(xy)", ((1, 2, 0), (2, 3, 1)))


def test_mentions_that_overlap_are_refused() -> None:
    mentions = (PassageMention(((0, 3),), 0), PassageMention(((2, 5),), 0))
    with pytest.raises(InputError, match="1:0: two mentions overlap at character 2 of 'cd'"):
        written(ONE, "abcd", mentions, ["@entity7"], blanks=True)


PASSAGE = "BEG__Low  grade fever__END\nHe had a (BEG__dry cough__END).\n\nNothing else"
QUESTION = "First line\nBEG__Fever__END with (@placeholder ) is BEG__rash__END"


def test_an_entity_is_one_token_and_a_line_is_a_sentence() -> None:
    assert list(sentences([marked_instance(PASSAGE, QUESTION, "Dry Cough")])) == [
        ["@entitylow_grade_fever"],
        ["he", "had", "a", "(", "@entitydry_cough", ")."],
        ["nothing", "else"],
        ["first", "line"],
        ["@entityfever", "with", "(", "@entitydry_cough", ")", "is", "@entityrash"],
    ]


def test_a_passage_of_several_questions_is_one_text() -> None:
    asked = [marked_instance(PASSAGE, f"{n} @placeholder", "dry cough", id=f"r.{n}") for n in range(3)]
    read = list(sentences(asked))
    assert read[3:] == [["0", "@entitydry_cough"], ["1", "@entitydry_cough"], ["2", "@entitydry_cough"]]
    other = marked_instance("T\nanother report", "@placeholder", "dry cough")
    assert ["another", "report"] in list(sentences([*asked, other]))


def test_a_question_without_an_answer_gives_no_sentence() -> None:
    assert len(list(sentences([marked_instance(PASSAGE, QUESTION)]))) == 3
    several = marked_instance(PASSAGE, "@placeholder", "Dry Cough")
    several = msgspec.structs.replace(several, answers=("Dry Cough", "coughing"))
    assert list(sentences([several]))[-1] == ["@entitydry_cough"]
    # Imported datasets may have the index of the answer only.
    instance = marked_instance(PASSAGE, "@placeholder", "dry cough")
    assert list(sentences([msgspec.structs.replace(instance, answers=())]))[-1] == ["@entitydry_cough"]
    named = msgspec.structs.replace(instance.candidates[1], names=())
    bare = msgspec.structs.replace(instance, answers=(), candidates=(instance.candidates[0], named))
    assert list(sentences([bare]))[-1] == [entity_token(named.key)]


def test_the_words_before_the_placeholder_are_those_of_its_line() -> None:
    assert words_before(marked_instance(PASSAGE, QUESTION)) == ["@entityfever", "with", "("]
    assert words_before(marked_instance(PASSAGE, "line\n@placeholder BEG__rash__END")) == []


def test_every_token_of_an_entity_has_its_words() -> None:
    instance = marked_instance(PASSAGE, QUESTION, "Dry Cough")
    surfaces = list(entity_surfaces(instance))
    assert surfaces == ["low grade fever", "dry cough", "fever", "rash", "dry cough"]
    tokens = {word for words in sentences([instance]) for word in words if word.startswith("@entity")}
    assert {entity_token(surface) for surface in surfaces} == tokens
