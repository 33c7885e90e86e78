from __future__ import annotations

from pathlib import Path

import pytest
from tests.readers.marked_instances import marked_instance

from anagnosis import predictions
from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance, entity_token, sentences
from anagnosis.errors import InputError
from anagnosis.language.kneser_ney import BEGIN, train
from anagnosis.readers.heuristics import lang_model
from anagnosis.readers.predict import predict

TRAIN = [
    marked_instance(
        "Cases of BEG__fever__END\nThe patient had BEG__dry cough__END .\nThe patient had BEG__rash__END .",
        "the child had @placeholder .",
        "Dry Cough",
        id="report-1.1",
    ),
    marked_instance(
        "More of BEG__fever__END\nHe was given BEG__aspirin__END against BEG__fever__END .",
        "they were given @placeholder",
        "BEG__aspirin__END".removeprefix("BEG__").removesuffix("__END"),
        id="report-2.1",
    ),
]
TEST = marked_instance(
    "T\nBEG__Rash__END , BEG__itch__END", "here the patient had @placeholder and x", "rash"
)


def answer(reader: lang_model.LikeliestEntity, instance: ClozeInstance) -> object:
    (line,) = reader.predict([instance])
    return line.answer


def test_it_answers_with_the_likeliest_entity_of_train_in_the_passage_or_not() -> None:
    reader = lang_model.fit(TRAIN)
    assert answer(reader, TEST) == "dry cough"
    assert answer(reader, marked_instance("T", "he was given @placeholder")) == "aspirin"
    # Without any words before, the entity that begins the most kinds of contexts.
    assert answer(reader, marked_instance("T", "@placeholder of the end")) in {
        "fever",
        "dry cough",
        "aspirin",
    }


def test_the_words_after_the_placeholder_and_the_passage_change_nothing() -> None:
    reader = lang_model.fit(TRAIN)
    for passage in ("T\nBEG__itch__END", "T"):
        assert answer(reader, marked_instance(passage, "the patient had @placeholder given")) == "dry cough"


def test_a_placeholder_at_the_beginning_follows_the_sentence_s_beginning() -> None:
    first = marked_instance(
        "BEG__fever__END rose\nthe BEG__rash__END and the BEG__rash__END", "x @placeholder", "rash"
    )
    reader = lang_model.fit([first])
    assert answer(reader, marked_instance("T", "@placeholder")) == "fever"
    assert answer(reader, marked_instance("T", "the @placeholder")) == "rash"


def test_its_order_and_discounts_are_options() -> None:
    context = [BEGIN, "here", "the", "patient", "had"]
    found: list[float] = []
    for order in (2, 4):
        expected = train(sentences(TRAIN), order=order, discounts="plain").distribution(context)
        model = lang_model.fit(TRAIN, order=order, discounts="plain").model
        assert model.distribution(context).tolist() == expected.tolist()
        found.append(float(expected[model.numbers[entity_token("rash")]]))
    assert found[0] != found[1]


def test_a_train_part_without_entities_is_refused() -> None:
    with pytest.raises(InputError, match="has nothing to answer with: train has no entity"):
        lang_model.fit([marked_instance("nothing", "@placeholder")])
    with pytest.raises(InputError, match="is undefined where entities have other numbers"):
        lang_model.fit(TRAIN, view="local")


def test_a_mention_that_only_a_second_copy_of_a_passage_has_is_no_answer() -> None:
    """Corpora share articles, and each has its own mentions of them."""
    copy = marked_instance(
        "Cases of fever\nThe patient had a dry BEG__cough__END .\nThe patient had BEG__rash__END .",
        "the child had @placeholder .",
        "rash",
        id="copy-1.1",
    )
    first = marked_instance(
        "Cases of BEG__fever__END\nThe patient had a dry cough .\nThe patient had BEG__rash__END .",
        "the child had @placeholder .",
        "rash",
        id="report-1.1",
    )
    assert first.passage == copy.passage
    assert answer(lang_model.fit([first, copy]), TEST) == "rash"


def test_its_answers_are_texts_in_a_file_of_predictions(tmp_path: Path) -> None:
    recipe = {"dataset": "biomrc", "text_form": "original", "numbering": "global"}
    dataset = writing.write(tmp_path / "built", {"train": TRAIN, "test": [TEST]}, recipe)
    lines = list(predict(dataset, "clicr:lang-model", split="test", seed=0))
    assert [(line.id, line.answer, line.scores) for line in lines] == [(TEST.id, "dry cough", None)]
    predictions.write(tmp_path / "answers.jsonl", lines)
    assert list(predictions.read(tmp_path / "answers.jsonl")) == lines
