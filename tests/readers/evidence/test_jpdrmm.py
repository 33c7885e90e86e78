"""JPDRMM beside the authors' program: features, values, losses, gradients; and beside a forward pass of its own."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch
from tests.readers.viewed import batch_of, retrieved, viewed_split
from tests.rows import each_row

from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.readers.evidence import jpdrmm
from anagnosis.readers.evidence.jpdrmm_examples import (
    Rarity,
    bioclean,
    bm25,
    features,
    overlaps,
    standardised,
)
from anagnosis.readers.evidence.jpdrmm_network import HINGE, JPDRMM, Config, JointBatch
from anagnosis.readers.evidence.sentence_loss import LOSS, rows
from anagnosis.readers.learning import Output

WIDTH = 4


def asked(
    question: str, *sentences: str, held: int | None = 0, title: str = "Tea", id: str = "1"
) -> EvidenceInstance:
    """Sentences of one document. held: which of them, None for none."""
    return EvidenceInstance(
        id,
        question,
        tuple(SourceSentence("d", title, text, place == held) for place, text in enumerate(sentences)),
    )


def finite(output: Output, instance: EvidenceInstance) -> None:
    own = output.log_probabilities[0]
    assert len(own) == len(instance.sentences)
    assert torch.isfinite(own).all()
    assert all(torch.isfinite(loss).all() for loss in output.losses.values())


# What a reader must bear: each gives every sentence a probability.
ODD = {
    "a question without known words": asked("Zyx qwv?", "Cold tea helps sleep.", "Nothing else."),
    "an empty question": asked("", "Cold tea helps sleep.", "Nothing else."),
    "one sentence": asked("Does cold tea help?", "Cold tea helps sleep."),
    "an empty sentence": asked("Does cold tea help?", "Cold tea helps sleep.", "", "   "),
    "a sentence without known words": asked("Does cold tea help?", "Cold tea helps sleep.", "β → γ!"),
    "none held": asked("Does cold tea help?", "Cold tea helps sleep.", "Nothing else.", held=None),
    "no title": asked("Does cold tea help?", "Cold tea helps sleep.", "Nothing else.", title=""),
    "a very long sentence": asked("Does cold tea help?", "cold tea " * 3000, "Nothing else."),
    "a very long question": asked("does cold tea help " * 300, "Cold tea helps sleep.", "Nothing else."),
}


# --- the authors' program -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def vectors(shared: Path) -> Any:
    return np.load(shared / "vectors" / "bioasq" / "jpdrmm.npz")


CASES = ("usual", "one-sentence-each", "short-sentences", "one-token-question", "repeated-token")


def padded(found: Sequence[npt.NDArray[Any]], table: npt.NDArray[Any]) -> tuple[torch.Tensor, torch.Tensor]:
    """Vectors [rows, longest, e] and which are there, of rows of word numbers."""
    words = torch.zeros(len(found), max(map(len, found)), table.shape[1], dtype=torch.float64)
    there = torch.zeros(words.shape[:2], dtype=torch.bool)
    for number, row in enumerate(found):
        words[number, : len(row)] = torch.from_numpy(table[row].astype(np.float64))
        there[number, : len(row)] = True
    return words, there


def published_batch(vectors: Any, case: str) -> JointBatch:
    """A good and a bad document as one instance."""
    given = {key.removeprefix(f"c.{case}."): vectors[key] for key in vectors if key.startswith(f"c.{case}.")}
    sentences: list[npt.NDArray[Any]] = []
    for side in ("good", "bad"):
        sentences += np.split(given[f"{side}_tokens"], np.cumsum(given[f"{side}_lengths"])[:-1])
    good, bad = (len(given[f"{side}_lengths"]) for side in ("good", "bad"))
    question, asked_ = padded([given["question"]], vectors["vocab"])
    words, there = padded(sentences, vectors["vocab"])
    own = rows([(*map(int, given["good_tags"]), *[0] * bad)], [0])
    return JointBatch(
        own.target,
        question,
        asked_,
        torch.from_numpy(given["q_idfs"].reshape(1, -1)),
        words,
        there,
        torch.from_numpy(np.concatenate([given["good_sent_feats"], given["bad_sent_feats"]])),
        torch.from_numpy(np.stack([given["good_doc_feats"], given["bad_doc_feats"]])),
        torch.tensor([0] * good + [1] * bad),
        own,
    )


def published(vectors: Any) -> JPDRMM:
    model = JPDRMM(Config(embedding=30, hinge=1.0))
    model.load_state_dict(
        {key[2:]: torch.from_numpy(vectors[key]) for key in vectors if key.startswith("w.")}
    )
    return model.double()


@each_row("case", CASES)
def test_values_losses_and_gradients_are_those_of_the_authors_program(vectors: Any, case: str) -> None:
    def given(name: str) -> Any:
        return vectors[f"c.{case}.{name}"]

    model, batch = published(vectors), published_batch(vectors, case)
    documents = model.scores(batch)[1].detach().numpy()
    np.testing.assert_allclose(
        documents, np.concatenate([given("good_doc_score"), given("bad_doc_score")]), rtol=1e-5
    )
    output = model(batch)
    np.testing.assert_allclose(output.documents.detach().numpy(), documents, rtol=1e-12)
    probabilities = output.log_probabilities[0].exp().detach().numpy()
    np.testing.assert_allclose(
        probabilities, np.concatenate([given("good_sent_probs"), given("bad_sent_probs")]), rtol=1e-5
    )
    assert output.losses[HINGE].item() == pytest.approx(float(given("doc_hinge")), rel=1e-5, abs=1e-7)
    entropy = output.losses[LOSS]
    assert entropy.item() == pytest.approx(float(given("bce_good") + given("bce_bad")), rel=1e-5)
    cost = (output.losses[HINGE] + entropy).sum()
    assert cost.item() == pytest.approx(float(given("cost")), rel=1e-5)
    cost.backward()
    for name, weights in model.named_parameters():
        assert weights.grad is not None
        if case == "usual":
            own = given(f"grad.{name}")
            np.testing.assert_allclose(
                weights.grad.numpy(), own, rtol=1e-5, atol=1e-5 * max(1e-2, abs(own).max())
            )
        else:
            norm = float(given(f"gradnorm.{name}"))
            assert float(weights.grad.norm()) == pytest.approx(norm, rel=1e-5, abs=1e-7)


def test_tokens_and_features_are_those_of_the_authors_program(shared: Path) -> None:
    path = shared / "vectors" / "bioasq" / "jpdrmm_features.json.gz"
    found = json.loads(gzip.decompress(path.read_bytes()))
    rare = Rarity(found["idf"], found["max_idf"])
    for pair in found["pairs"]:
        question = bioclean(pair["question"])
        assert list(question) == pair["question_tokens"]
        engine = pair["bm25"]
        for sentence in pair["sentences"]:
            tokens = bioclean(sentence["text"])
            assert list(tokens) == sentence["tokens"]
            assert overlaps(question, tokens, rare) == pytest.approx(sentence["overlap"][:3])
            assert bm25(question, tokens, rare) == pytest.approx(sentence["bm25_z"])
            document = features(pair["question"], sentence["text"], rare, engine, 1 / 60)
            assert document[:4] == pytest.approx(sentence["GetScores"])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    words = ["does", "cold", "tea", "help", "helps", "sleep", "nothing", "else", "fish", "and", "salt"]
    random = np.random.default_rng(0)
    numbers = (" ".join(f"{value:.4f}" for value in random.normal(size=WIDTH)) for _ in words)
    lines = [f"{word} {own}" for word, own in zip(words, numbers, strict=True)]
    path = tmp_path / "vectors.txt"
    path.write_text(f"{len(words)} {WIDTH}\n" + "\n".join(lines) + "\n")
    return path


def learner(file: Path, *found: EvidenceInstance, **given: Any) -> jpdrmm.JPDRMMLearner:
    config = jpdrmm.Config(vectors=str(file), embedding=WIDTH, **given)
    return jpdrmm.prepare(config, viewed_split(*found))


TWO = EvidenceInstance(
    "1",
    "Does cold tea help sleep?",
    (
        SourceSentence("a", "Tea", "Cold tea helps sleep, and nothing else helps sleep.", True),
        SourceSentence("a", "Tea", "Fish and salt.", False),
        SourceSentence("b", "Fish", "Nothing helps.", False),
    ),
)


def test_the_hinge_is_between_documents_of_one_instance_with_and_without_a_held_sentence(file: Path) -> None:
    alone = asked("fish?", "Salt and fish.", "Tea.", id="2")
    own = learner(file, TWO, alone, hinge=0.5)
    batch = batch_of(own, TWO, alone)
    model = JPDRMM(Config(embedding=WIDTH, hinge=0.5)).double()
    good, bad, _ = model.scores(batch)[1].tolist()
    assert model(batch).losses[HINGE].tolist() == pytest.approx([0.5 * max(0, 1 - good + bad), 0])


def test_a_document_that_nobody_has_judged_whole_is_in_no_pair(file: Path) -> None:
    open_ = EvidenceInstance(
        "1", TWO.question, (*TWO.sentences[:2], SourceSentence("b", "Fish", "Nothing.", None))
    )
    own = learner(file, open_, hinge=0.5)
    batch = batch_of(own, open_)
    assert own.model()(batch).losses[HINGE].tolist() == [0]


@pytest.mark.parametrize("case", ODD)
def test_every_sentence_of_odd_input_has_a_probability(file: Path, case: str) -> None:
    own = learner(file, TWO, hinge=1.0)
    output = own.model()(batch_of(own, ODD[case]))
    finite(output, ODD[case])
    torch.stack([loss.sum() for loss in output.losses.values()]).sum().backward()


def test_the_search_score_is_standardised_over_the_questions_documents() -> None:
    deviation = float(np.std([3.0, 2.0, 0.5]))
    mean = float(np.mean([3.0, 2.0, 0.5]))
    expected = [(score - mean) / deviation for score in (3.0, 2.0, 0.5)]
    assert standardised([3.0, 2.0, 0.5]) == pytest.approx(expected)
    assert standardised([2.0, 2.0]) == [0.0, 0.0]
    assert standardised([]) == []


@each_row(
    ("switches", "weights"),
    [({}, 5793), ({"document_features": False}, 5793 - 11 * 8), ({"last_layer": False}, 5793 - 3)],
)
def test_it_has_as_many_weights_as_the_authors_program_and_what_is_off_leaves_the_inputs(
    file: Path, switches: dict[str, bool], weights: int
) -> None:
    assert sum(one.numel() for one in JPDRMM(Config(embedding=30, **switches)).parameters()) == weights
    own = learner(file, TWO, **switches)
    finite(own.model()(batch_of(own, TWO)), TWO)


def test_without_the_last_layer_a_sentence_stands_for_itself(file: Path) -> None:
    own = learner(file, TWO, last_layer=False)
    batch = batch_of(own, TWO)
    model = JPDRMM(Config(embedding=WIDTH, last_layer=False)).double()
    probabilities = model(batch).log_probabilities[0].exp().tolist()
    assert probabilities == pytest.approx(model.scores(batch)[0].sigmoid().tolist())


def test_the_losses_of_sentences_add_up_by_their_weight(file: Path) -> None:
    own = learner(file, TWO, sentence_weight=0.5)
    batch = batch_of(own, TWO)
    output = own.model()(batch)
    p = output.log_probabilities[0].exp().tolist()
    expected = -float(np.log(p[0]) + np.log(1 - p[1]) + np.log(1 - p[2])) / 2
    assert output.losses[LOSS].tolist() == pytest.approx([expected], rel=1e-5)


# --- questions with retrieved documents ---------------------------------------------------------------


def tea(*relevant: str) -> EvidenceInstance:
    """Four documents of one or two sentences; the first of a relevant one is gold."""
    texts = (("Cold tea helps.", "Fish and salt."), ("Tea helps sleep.",), ("Fish.",), ("Salt.",))
    return retrieved(*texts, question="Does cold tea help sleep?", relevant=relevant)


def test_a_pair_is_a_document_with_a_gold_sentence_and_an_irrelevant_one_drawn_anew(file: Path) -> None:
    own = learner(file, tea("d0", "d1"), hinge=1.0)
    (example,) = own.encode(viewed_split(tea("d0", "d1")))
    assert own.draws(example) == [(2 + 1) * example.longest, (1 + 1) * example.longest]
    drawn = [own.drawn(example, 0, np.random.default_rng(seed)) for seed in range(20)]
    assert {one.sentences[-1] for one in drawn} == {("fish",), ("salt",)}
    assert all(one.sentences[:2] == example.sentences[:2] and one.documents == (2, 1) for one in drawn)
    assert drawn[0] == own.drawn(example, 0, np.random.default_rng(0))
    second = own.drawn(example, 1, np.random.default_rng(0))
    assert (second.sentences[0], second.gold, second.target) == (example.sentences[2], (1, 0), 0)
    scores = standardised([4.0, 3.0, 2.0, 1.0])
    assert second.of_documents[0][3] == pytest.approx(scores[1])
    assert own.model()(own.collate(drawn[:2])).losses[HINGE].shape == (2,)


def test_an_instance_without_retrieved_documents_is_drawn_whole(file: Path) -> None:
    own = learner(file, TWO)
    (example,) = own.encode(viewed_split(TWO))
    assert own.draws(example) == [example.size]
    assert own.drawn(example, 0, np.random.default_rng(0)) is example


def test_documents_rank_by_their_score_and_sentences_become_snippets(file: Path) -> None:
    own = learner(file, tea("d0"))
    examples = list(own.encode(viewed_split(tea("d0"), TWO)))
    model = own.model()
    output = model(own.collate(examples))
    found, nothing = own.retrieved(output, examples)
    assert nothing is None
    assert found is not None
    scores = dict(zip(("d0", "d1", "d2", "d3"), output.documents.tolist()[:4], strict=True))
    assert list(found.documents) == sorted(scores, key=lambda name: -scores[name])
    assert {one.text for one in found.snippets} == {one.text for one in tea("d0").sentences}
    second = next(one for one in found.snippets if one.text == "Fish and salt.")
    assert (second.document, second.begin_section, second.begin, second.end) == ("d0", "abstract", 100, 114)
