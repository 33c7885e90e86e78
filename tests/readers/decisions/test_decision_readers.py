"""Readers of decisions: what they read of an instance, their losses by hand, and cross validation as one system."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
import torch
from tests.decisions import rows, written
from tests.encoders.tiny import tiny_encoder
from tests.readers.viewed import viewed_split

from anagnosis import api
from anagnosis.datasets.kinds.decision import LABELS, ContextSection, DecisionInstance, Posed, posed
from anagnosis.errors import InputError
from anagnosis.readers.decisions import encoder_classifier, long_answer, shallow
from anagnosis.readers.decisions.long_answer import answered, count, tf_idf
from anagnosis.readers.heuristics import priors
from anagnosis.readers.learning import ViewedSplit

if TYPE_CHECKING:
    from pathlib import Path

    from anagnosis.datasets.folder import store

INSTANCE = DecisionInstance(
    id="1",
    question="Does cold tea help?",
    context=(
        ContextSection("METHODS", "Cold tea was drunk."),
        ContextSection("RESULTS", "It did not help at all."),
    ),
    long_answer="Cold tea seems useless.",
    label="no",
)


def several(view: str = "reasoning-required") -> ViewedSplit:
    """Four instances, with different words and labels."""
    texts = ["warm milk helped", "cold tea did nothing", "rest was unclear", "cold milk helped many"]
    made = [
        DecisionInstance(
            str(n), f"Does {text.split()[0]} help?", (ContextSection("", text),), f"So {text}.", LABELS[n % 3]
        )
        for n, text in enumerate(texts)
    ]
    return viewed_split(*(posed(instance, view) for instance in made))


def test_majority_gives_the_shares_of_the_train_part() -> None:
    made = [
        INSTANCE,
        INSTANCE,
        DecisionInstance("2", "?", (), None, "yes"),
        DecisionInstance("3", "?", (), None, None),
    ]
    assert priors.majority(made)(INSTANCE) == [1 / 3, 2 / 3, 0]


def test_tf_idf_by_hand() -> None:
    vocabulary = count(["a b", "a c", "a"], 2)
    assert vocabulary.words == ["a", "b"]
    idf = [math.log(4 / 4) + 1, math.log(4 / 2) + 1]
    assert vocabulary.idf == pytest.approx(idf)
    found = dict(tf_idf(["a", "a", "b", "z"], {"a": 0, "b": 1}, vocabulary.idf))
    norm = math.hypot(2 * idf[0], idf[1])
    assert found == pytest.approx({0: 2 * idf[0] / norm, 1: idf[1] / norm})


def test_the_overlap_leaves_function_words_out() -> None:
    found = posed(INSTANCE, "reasoning-required")
    learner = shallow.prepare(shallow.Config(), viewed_split(found))
    (example,) = learner.encode(viewed_split(found))
    # "does", "did" and "not" are no matter; "cold", "tea" and "help" are in both, each in both of two texts.
    assert example.overlap == pytest.approx(3 * (math.log(3 / 3) + 1) * shallow.OVERLAP_SCALE)


def test_the_loss_of_the_long_answer_by_hand() -> None:
    head = long_answer.WordsOfLongAnswer(1, 2, weight=0.5)
    torch.nn.init.zeros_(head.told.weight)
    head.told.bias.data = torch.tensor([0.0, 2.0])
    held = torch.tensor([[1.0, 0.0], [0.0, 0.0]])
    first = 0.5 * (-math.log(0.5) - math.log(1 - 1 / (1 + math.exp(-2)))) / 2
    assert head(torch.ones(2, 1), held).tolist() == pytest.approx([first, 0.0])


@pytest.mark.parametrize("view", ["reasoning-free", "question-only"])
def test_a_reader_that_reads_the_long_answer_gets_no_supervision_by_it(view: str) -> None:
    learner = shallow.prepare(shallow.Config(view=view, auxiliary=1.0), several(view))
    model = learner.model().eval()
    output = model(learner.collate(list(learner.encode(several(view)))))
    assert not output.losses.get(long_answer.LOSS, torch.zeros(1)).any()


def test_the_loss_of_a_label_is_its_cross_entropy_and_none_where_there_is_none() -> None:
    output = answered(torch.tensor([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]), torch.tensor([2, -1]))
    expected = -math.log(math.exp(3) / (math.e + math.exp(2) + math.exp(3)))
    assert output.losses["label"].tolist() == pytest.approx([expected, 0.0])


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(
        tmp_path_factory.mktemp("classifier") / "tiny", words=["cold", "tea", "help"], limit=32
    )


def classifier(tiny: Path, found: ViewedSplit, **given: Any) -> encoder_classifier.EncoderClassifierLearner:
    config = encoder_classifier.Config(encoder=str(tiny), precision="float32", **given)
    return encoder_classifier.prepare(config, found)


def test_question_and_context_are_one_sequence_with_two_segments(tiny: Path) -> None:
    found = viewed_split(Posed("1", "cold tea", (ContextSection("", "help"),), 0))
    learner = classifier(tiny, found)
    batch = learner.collate(list(learner.encode(found)))
    tokens = learner.encoder.pieces.tokenizer.convert_ids_to_tokens(batch.pieces[0].tolist())
    assert tokens == ["[CLS]", "cold", "tea", "[SEP]", "help", "[SEP]"]
    assert batch.segments.tolist() == [[0, 0, 0, 0, 1, 1]]


def test_a_long_context_is_read_whole_in_several_sequences(
    tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = viewed_split(Posed("1", "cold tea", (ContextSection("", "help " * 70),), 0))
    learner = classifier(tiny, found)
    (example,) = learner.encode(found)
    own = learner.encoder.pieces.tokenizer.convert_tokens_to_ids("help")
    assert sum(row.count(own) for row in example.pieces) == 70
    assert max(map(len, example.pieces)) == 32
    assert "1 contexts over the encoder's limit were read in several sequences" in capsys.readouterr().err
    output = learner.model().eval()(learner.collate([example]))
    assert output.log_probabilities.exp().sum().item() == pytest.approx(1)


def test_a_question_that_does_not_fit_is_cut_and_told(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = viewed_split(Posed("1", "tea " * 50, (ContextSection("", "help " * 3),), 0))
    learner = classifier(tiny, found)
    (example,) = learner.encode(found)
    own = learner.encoder.pieces.tokenizer.convert_tokens_to_ids(["tea", "help"])
    assert [[row.count(piece) for piece in own] for row in example.pieces] == [[21, 3]]
    assert "1 questions over three fourths of the encoder's limit were cut there" in capsys.readouterr().err


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> store.Dataset:
    folder = tmp_path_factory.mktemp("labelled")
    return api.import_dataset(
        written(folder / "l.json", rows(110, 60, 30)), folder / "built", layout="pubmedqa"
    )


def test_folds_of_a_dataset_without_labels_are_refused_before_anything_is_begun(tmp_path: Path) -> None:
    unlabelled = rows(30, 0, 0)
    for row in unlabelled.values():
        del row["final_decision"], row["reasoning_required_pred"], row["reasoning_free_pred"]
    dataset = api.import_dataset(
        written(tmp_path / "u.json", unlabelled), tmp_path / "built", layout="pubmedqa"
    )
    with pytest.raises(InputError, match="label"):
        api.train("shallow-features", dataset, tmp_path / "r", folds=2)
    assert not (tmp_path / "r").exists()


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "seeds beside folds": ({"folds": 2, "seeds": 2}, "folds have parts of their own"),
    "a view of cloze questions": ({"settings": {"view": "local"}}, "view"),
    "a cloze reader": ({"recipe": "attention-sum"}, "and cloze questions are needed here"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_go_together_is_one_line(labelled: store.Dataset, tmp_path: Path, case: str) -> None:
    given, what = REFUSED[case]
    recipe = given.get("recipe", "shallow-features")
    options = {key: value for key, value in given.items() if key != "recipe"}
    with pytest.raises(InputError) as fault:
        api.train(recipe, labelled, tmp_path / "r", **options)
    assert what in str(fault.value)
