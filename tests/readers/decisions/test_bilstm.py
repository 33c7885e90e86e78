"""BiLSTM: what it reads, its vector by hand, and word vectors from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from tests.readers.viewed import posed, viewed_split

from anagnosis.errors import InputError
from anagnosis.readers.decisions import bilstm
from anagnosis.readers.decisions.bilstm import PADDING, UNKNOWN, Config
from anagnosis.readers.learning import ViewedSplit


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """Words as PubMed has them: some in capitals."""
    path = tmp_path / "vectors.txt"
    path.write_text("4 2\ndoes 1 0\ntea 0 1\nDNA 2 2\nelsewhere 9 9\n")
    return path


def fixed(path: Path, found: ViewedSplit, **given: Any) -> bilstm.BiLSTMLearner:
    return bilstm.prepare(Config(vectors=str(path), embedding=2, segment=3, hidden=4, **given), found)


def test_question_and_context_stand_in_one_row_with_two_segments(vectors: Path) -> None:
    found = viewed_split(posed("Does tea?", "Tea,", "more tea."), posed("DNA"))
    learner = fixed(vectors, found)
    batch = learner.collate(list(learner.encode(found)))
    assert batch.lengths.tolist() == [5, 1]
    assert batch.segments.tolist() == [[0, 0, 1, 1, 1], [0, 0, 0, 0, 0]]
    assert batch.vectors[0].tolist() == [[1, 0], [0, 1], [0, 1], [0, 0], [0, 1]]
    assert batch.words[0].tolist() == [PADDING, PADDING, PADDING, UNKNOWN, PADDING]


def test_a_word_is_looked_for_as_it_is_written_then_in_lower_case(vectors: Path) -> None:
    found = viewed_split(posed("DNA dna TEA Elsewhere ELSEWHERES"))
    learner = fixed(vectors, found)
    batch = learner.collate(list(learner.encode(found)))
    assert batch.vectors[0].tolist() == [[2, 2], [0, 0], [0, 1], [9, 9], [0, 0]]


def test_words_without_a_vector_are_counted(vectors: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = viewed_split(posed("Does milk help", "milk tea"))
    list(fixed(vectors, found).encode(found))
    assert "train: 3 of 5 words have no vector" in capsys.readouterr().err


def test_the_vectors_of_a_file_are_not_trained(vectors: Path) -> None:
    found = viewed_split(posed("Does tea help"))
    learner = fixed(vectors, found, dropout=0.0)
    model = learner.model()
    names = {name: parameter.shape for name, parameter in model.named_parameters()}
    assert names["words.weight"] == (2, 2)  # padding and the unknown word
    batch = learner.collate(list(learner.encode(found)))
    sum(loss.sum() for loss in model(batch).losses.values()).backward()
    assert model.words.weight.grad[UNKNOWN].any()
    assert not model.words.weight.grad[PADDING].any()


def test_the_words_of_the_long_answer_are_told_from_the_same_vector(vectors: Path) -> None:
    found = viewed_split(posed("tea"))
    learner = fixed(vectors, found, auxiliary=0.5)
    model = learner.model()
    output = model(learner.collate(list(learner.encode(found))))
    assert set(output.losses) == {"label", "long answer"}
    assert model.head.told.told.in_features == model.head.outer.in_features == 8


def test_a_run_reads_its_file_which_must_be_as_it_was(vectors: Path, tmp_path: Path) -> None:
    found = viewed_split(posed("Does tea help"))
    learner = fixed(vectors, found)
    learner.save(tmp_path)
    again = bilstm.restore(learner.config, tmp_path)
    batches = [each.collate(list(each.encode(found))) for each in (learner, again)]
    assert torch.equal(batches[0].vectors, batches[1].vectors)
    vectors.write_text("1 2\ntea 5 5\n")
    with pytest.raises(InputError, match="these vectors are others than at the training"):
        bilstm.restore(learner.config, tmp_path)
    vectors.unlink()
    with pytest.raises(InputError, match="no such file"):
        bilstm.restore(learner.config, tmp_path)
    (tmp_path / "vectors.json").write_text("{}")
    with pytest.raises(InputError, match=r"vectors\.json: cannot be read \(.* required field `path`\)"):
        bilstm.restore(learner.config, tmp_path)


REFUSED = {
    "no file": ({"vectors": ""}, "no word vectors are named; give --set vectors=FILE"),
    "a file that is not there": ({"vectors": "none.bin"}, "no such file"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_file_that_does_not_fit_is_one_line(case: str, vectors: Path) -> None:
    given, said = REFUSED[case]
    found = viewed_split(posed())
    with pytest.raises(InputError, match=said):
        bilstm.prepare(Config(**{"vectors": str(vectors), "embedding": 2, **given}), found).encode(found)


def test_a_file_without_any_word_is_refused_before_the_first_example(vectors: Path) -> None:
    found = viewed_split(posed("nothing known"))
    learner = fixed(vectors, found)
    with pytest.raises(InputError, match="no word of the data is in it"):
        learner.encode(found)
