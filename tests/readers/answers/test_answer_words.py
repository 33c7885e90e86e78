"""Which words of a snippet belong to an exact answer: targets, loss and answers by hand on a tiny encoder."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.encoders.tiny import tiny_encoder
from tests.readers.tiny_readers import dataset
from tests.readers.viewed import snippet_question as asked
from tests.readers.viewed import viewed_split

from anagnosis.datasets.kinds.question import SnippetQuestion
from anagnosis.errors import InputError
from anagnosis.predictions import Answer
from anagnosis.readers.answers import answer_words
from anagnosis.readers.answers.answer_words import AnswerWords, WordExample
from anagnosis.training.runs.run import Run
from anagnosis.training.train import train

LIMIT = 32


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    words = ["which", "?", "tea", "salt", "blocks", "cells", "xxxx"]
    return tiny_encoder(tmp_path_factory.mktemp("words") / "tiny", words=words, limit=LIMIT)


def learner(tiny: Path, **settings: Any) -> answer_words.AnswerWordsLearner:
    config = answer_words.Config(
        encoder=str(tiny), precision="float32", dropout=0.0, **{"hidden": 8, **settings}
    )
    return answer_words.prepare(config, viewed_split())


def encoded(reader: answer_words.AnswerWordsLearner, *questions: SnippetQuestion) -> list[WordExample]:
    return list(reader.encode(viewed_split(*questions)))


def right_words(example: WordExample) -> list[list[str]]:
    right = iter(example.right)
    return [[each.text[w.begin : w.end] for w in each.words if next(right)] for each in example.snippets]


def test_a_word_of_an_occurrence_is_a_target(tiny: Path) -> None:
    entries = (("Tea", "salt tea"), ("cells",))
    (example,) = encoded(
        learner(tiny), asked("Salt  TEA, tea and teas", "no (cells)", answers=entries, type="list")
    )
    assert right_words(example) == [["Salt", "TEA", "tea"], ["cells"]]
    assert example.target == 0
    assert [[w.content for w in each.words] for each in example.snippets][1] == [False, False, True, False]


def test_each_sentence_is_read_before_the_question_with_its_gap(tiny: Path) -> None:
    reader = learner(tiny)
    (example,) = encoded(reader, asked("salt tea . Cells and salt .", "tea"))
    pieces = [reader.encoder.pieces.tokenizer.convert_ids_to_tokens(each.pieces) for each in example.pairs]
    question = ["[SEP]", "which", "cells", "?", "[MASK]", "[SEP]"]
    assert pieces == [
        ["[CLS]", "salt", "tea", ".", *question],
        ["[CLS]", "cells", "and", "salt", ".", *question],
        ["[CLS]", "tea", *question],
    ]
    assert [each[pair.mask] for each, pair in zip(pieces, example.pairs, strict=True)] == ["[MASK]"] * 3
    assert [owner for pair in example.pairs for owner in pair.owners] == [0, 1, 2, 3, 4, 5, 6, 7]
    start = encoded(learner(tiny, gap="start"), asked("tea"))[0]
    assert reader.encoder.pieces.tokenizer.convert_ids_to_tokens(start.pairs[0].pieces)[2:5] == [
        "[SEP]",
        "[MASK]",
        "which",
    ]


@pytest.mark.parametrize(
    "question", [asked("tea", type="yesno"), asked("tea", answers=None), asked(" "), asked("teas")]
)
def test_a_question_without_a_target_is_not_trained_on(tiny: Path, question: SnippetQuestion) -> None:
    (example,) = encoded(learner(tiny), question)
    assert example.target == -1


def test_the_loss_is_the_mean_cross_entropy_over_the_words_of_a_question(tiny: Path) -> None:
    reader = learner(tiny)
    examples = encoded(reader, asked("salt tea . Cells", "tea"), asked("tea"))
    torch.manual_seed(0)
    model = reader.model().eval()
    assert isinstance(model, AnswerWords)
    with torch.no_grad():
        output = model(reader.collate(examples))
        expected: list[float] = []
        for example in examples:
            scores = by_hand(reader, model, example)
            terms = [
                -math.log(1 / (1 + math.exp(-s if right else s)))
                for s, right in zip(scores, example.right, strict=True)
            ]
            expected.append(sum(terms) / len(terms))
    assert output.losses["words"].tolist() == pytest.approx(expected, abs=1e-5)
    assert not output.hits(torch.zeros(2)).any()


def by_hand(reader: answer_words.AnswerWordsLearner, model: AnswerWords, example: WordExample) -> list[float]:
    """The scores of a question's words, from one sentence after the other."""
    scores: list[float] = []
    for pair in example.pairs:
        ids = torch.tensor([pair.pieces])
        top = model.encoder(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state[0]
        mask = torch.tensor([pair.mask])
        scores += [float(model.head(top, torch.tensor([place]), mask)) for place in pair.places]
    return scores


def test_answers_come_from_the_scores_as_in_zero_shot_cloze(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = learner(tiny, group=False)
    examples = encoded(reader, asked("salt blocks tea", "Cells", type="list"), asked("tea", type="summary"))
    # Of 3, 1 and 2: 1, 0 and 1/2; the bigrams have 1 and 1/2. The second snippet's only word has 0.
    scores = torch.tensor([[3.0, 1.0, 2.0, 9.0], [0.0] * 4])
    monkeypatch.setattr(AnswerWords, "scores", lambda model, batch: scores)
    given = reader.answers(reader.model(), examples)
    assert given == [[Answer("salt", 1.0, 0, 0, 4), Answer("Cells", 0.0, 1, 0, 5)], []]


def test_questions_without_words_have_no_answers(tiny: Path) -> None:
    reader = learner(tiny)
    examples = encoded(reader, asked("tea", type="yesno"), asked(" ", type="list"))
    with torch.no_grad():
        assert reader.answers(reader.model(), examples) == [[], []]


@pytest.fixture(scope="module")
def cloze(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of masked-encoder over the tiny encoder."""
    folder = tmp_path_factory.mktemp("cloze")
    recipe = {
        "reader": "masked-encoder",
        "encoder": str(tiny),
        "hidden": 8,
        "epochs": 1,
        "precision": "float32",
    }
    return train(
        recipe, dataset(folder / "cues", signal=True, train=40, dev=10), folder / "run", device="cpu"
    )


def test_it_begins_with_the_weights_of_a_cloze_run(tiny: Path, cloze: Run) -> None:
    from anagnosis.training.loop.checkpoint import read_tensors

    begun = learner(tiny, cloze=str(cloze.folder)).model().state_dict()
    for name, weight in read_tensors(cloze.weights).items():
        assert torch.equal(begun[name], weight)
    torch.manual_seed(0)
    assert not torch.equal(
        learner(tiny).model().state_dict()["head.inner.weight"], begun["head.inner.weight"]
    )


def test_a_run_that_does_not_fit_is_refused(
    tiny: Path, cloze: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(
        InputError, match=r"its weights head\.inner\.\w+ do not fit this reader; name a run of"
    ):
        learner(tiny, cloze=str(cloze.folder), hidden=4).model()
    other = tiny_encoder(tmp_path / "other", limit=LIMIT, seed=1)
    with pytest.raises(
        InputError, match=r"was trained over another encoder, which was frozen; give --set encoder"
    ):
        learner(other, cloze=str(cloze.folder))
    with pytest.raises(InputError, match="no such run folder"):
        learner(tiny, cloze=str(tmp_path / "none"))
    words = {"reader": "attention-sum", "embedding": 4, "hidden": 4, "epochs": 1}
    made = train(
        words, dataset(tmp_path / "cues", signal=True, train=20, dev=10), tmp_path / "words", device="cpu"
    )
    with pytest.raises(InputError, match="is a run of attention-sum; name a run of masked-encoder"):
        learner(tiny, cloze=str(made.folder))
