"""The whole-passage reader: its sequences, its scores by hand, and what must not change them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra train is not installed")
pytest.importorskip("transformers", reason="the extra train is not installed")

import torch
from tests.encoders.texts import many, marked, named
from tests.encoders.tiny import tiny_encoder

from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.encoders.load import Pieces, load
from anagnosis.progress import TextCounts
from anagnosis.readers.learning import ViewedSplit
from anagnosis.readers.marked_sequences import MARKERS, encode
from anagnosis.readers.recurrent.attention import FLOOR
from anagnosis.readers.whole_passage import Config, WholePassageLearner, prepare

INSTANCES = many(100)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("whole") / "tiny", limit=128)


@pytest.fixture(scope="session")
def pieces(tiny: Path) -> Pieces:
    return load(str(tiny)).pieces


def viewed_split(instances: Sequence[Viewed]) -> ViewedSplit:
    return ViewedSplit("train", "d0", len(instances), lambda: iter(instances))


def learner(tiny: Path, **given: Any) -> WholePassageLearner:
    return prepare(Config(**{"encoder": str(tiny), "precision": "float32", **given}), viewed_split(INSTANCES))


def stirred(reader: WholePassageLearner) -> Any:
    """The model with an MLP that says something, as after some training."""
    torch.manual_seed(1)
    model = reader.model().eval()
    torch.nn.init.normal_(model.outer.weight)
    return model


def scored(reader: WholePassageLearner, model: Any, instances: Sequence[Viewed]) -> Any:
    with torch.no_grad():
        return model(reader.collate(list(reader.encode(viewed_split(instances)))))


def test_the_question_comes_first_and_every_entity_is_one_marker(pieces: Pieces) -> None:
    one = encode(
        marked("the @entity0 of @entity1 . @entity0", "was XXXX in", 1), pieces, TextCounts(), named=False
    )
    tokens = pieces.tokenizer.convert_ids_to_tokens(one.pieces[0])
    expected = "[CLS] was [MASK] in [SEP] the [MASK] of [MASK] . [MASK] [SEP]"
    assert (tokens, len(one.pieces), one.target) == (expected.split(), 1, 1)
    assert one.marks == (((2, -1), (6, 0), (8, 1), (10, 0)),)
    assert one.places == ((0, 6, 0), (0, 8, 1), (0, 10, 0))


def test_in_the_names_view_the_words_follow_the_marker(pieces: Pieces) -> None:
    viewed = named("the protein was in patients", "XXXX is increased", ["protein", "patients"])
    (sequence,) = encode(viewed, pieces, TextCounts(), named=True).pieces
    tokens = pieces.tokenizer.convert_ids_to_tokens(sequence)
    expected = "[CLS] [MASK] is increased [SEP] the [MASK] protein was in [MASK] patients [SEP]"
    assert tokens == expected.split()


@pytest.mark.parametrize("glued", ["XXXX-increased", "(XXXX)", "XXXXs"])
def test_a_glued_placeholder_is_found(pieces: Pieces, glued: str) -> None:
    one = encode(marked("the @entity0 of @entity1", f"in {glued}"), pieces, TextCounts(), named=False)
    ((place, owner), *_) = one.marks[0]
    assert owner == -1
    assert one.pieces[0][place] == pieces.mask


def test_a_passage_over_the_limit_is_read_in_windows_that_hold_each_mention_once(pieces: Pieces) -> None:
    words = [f"@entity{n % 3}" if n % 7 == 0 else "cells" for n in range(20_000)]
    one = encode(marked(" ".join(words), "the XXXX of", 2), pieces, TextCounts(), named=False)
    assert len(one.pieces) > 100
    assert max(map(len, one.pieces)) <= pieces.limit
    wanted = [n % 3 for n in range(0, 20_000, 7)]
    assert [owner for _, _, owner in one.places] == wanted
    assert all(one.pieces[row][place] == pieces.mask for row, place, _ in one.places)


def test_a_question_over_the_limit_is_cut_around_the_placeholder(pieces: Pieces) -> None:
    question = " ".join([*["the"] * 300, "XXXX", *["of"] * 300])
    one = encode(marked("the @entity0 of @entity1", question), pieces, TextCounts(), named=False)
    tokens = pieces.tokenizer.convert_ids_to_tokens(one.pieces[0])
    place = one.marks[0][0][0]
    assert tokens[place - 1 : place + 2] == ["the", "[MASK]", "of"]
    assert len(tokens) <= pieces.limit


def test_scores_are_those_of_the_formula(tiny: Path) -> None:
    reader = learner(tiny)
    model = stirred(reader)
    viewed = marked("the @entity0 of @entity1 . @entity0 in @entity2", "was XXXX in", 1)
    batch = reader.collate(list(reader.encode(viewed_split([viewed]))))
    with torch.no_grad():
        found = model(batch)
        top = model.read(batch)[0].double().numpy()
    weights = {name: value.double().numpy() for name, value in model.state_dict().items()}
    (example,) = reader.encode(viewed_split([viewed]))
    h = np.stack([top[place] for _, place, _ in example.places])
    owner = [candidate for _, _, candidate in example.places]
    q = top[example.marks[0][0][0]]

    def unit(vector: Any) -> Any:
        return vector / np.linalg.norm(vector)

    middle = h.mean(0)
    scores = []
    for vector, own in zip(h, owner, strict=True):
        c = np.mean([h[n] for n in range(len(h)) if owner[n] == own], 0)
        alike = unit(weights["said.weight"] @ (vector - middle)) @ unit(
            weights["asked.weight"] @ (q - middle)
        )
        x = weights["inner.weight"] @ np.concatenate([vector, q, vector * q, c]) + weights["inner.bias"]
        gelu = np.array([0.5 * value * (1 + math.erf(value / math.sqrt(2))) for value in x])
        seen = weights["outer.weight"][0] @ gelu + weights["outer.bias"][0]
        scores.append(alike * math.exp(weights["sharpness"]) + seen)
    shares = np.exp(scores) / np.exp(scores).sum()
    expected = [sum(s for s, own in zip(shares, owner, strict=True) if own == k) for k in range(3)]
    np.testing.assert_allclose(found.log_probabilities[0].exp().numpy(), expected, rtol=1e-4)
    np.testing.assert_allclose(found.losses["answer"].item(), -math.log(expected[1]), rtol=1e-4)


def test_half_precision_ends_with_the_encoder(tiny: Path) -> None:
    reader = learner(tiny)
    model = stirred(reader)
    batch = reader.collate(list(reader.encode(viewed_split(INSTANCES[:9]))))
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        top = model.read(batch).float()
        half = model(batch)
    assert half.log_probabilities.dtype == half.losses["answer"].dtype == torch.float32
    with torch.no_grad():
        assert torch.equal(model.scores(batch), model.scored(model.read(batch), batch))
        expected = model.scored(top, batch)
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        assert torch.equal(model.scores(batch), expected)
    mentioned = half.log_probabilities > FLOOR + 1
    sums = half.log_probabilities.exp().where(mentioned, torch.zeros(())).sum(1)
    np.testing.assert_allclose(sums.numpy(), 1, atol=1e-5)


def test_what_does_not_fit_is_counted_and_told(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    long = " ".join(["the"] * 300)
    some = [
        marked(f"@entity0 {long} @entity1", "XXXX"),
        marked("@entity0 of @entity1", f"{long} XXXX"),
        marked("@entity0", "XXXX"),
    ]
    list(learner(tiny).encode(viewed_split(some)))
    told = capsys.readouterr().err
    assert told == (
        "train: 1 passages over the encoder's limit were read in windows\n"
        "train: 1 questions over the encoder's limit were cut around XXXX\n"
    )
    list(learner(tiny).encode(viewed_split(some[2:])))
    assert capsys.readouterr().err == ""


def test_numbers_are_drawn_anew_in_training_alone(tiny: Path) -> None:
    reader = learner(tiny, dropout=0.0)
    model = reader.model()
    batch = reader.collate(list(reader.encode(viewed_split(INSTANCES[:4]))))

    def read() -> Any:
        with torch.no_grad():
            return model.read(batch)

    model.eval()
    assert torch.equal(read(), read())
    model.train()
    assert not torch.equal(read(), read())
    model.config = learner(tiny, renumbered=False).config
    assert torch.equal(read(), read())


def test_a_candidate_without_a_mention_has_the_floor_and_an_answer_without_one_no_loss(tiny: Path) -> None:
    reader = learner(tiny)
    viewed = marked("the @entity0 of @entity1", "XXXX", 2)
    found = scored(reader, stirred(reader), [viewed])
    assert found.log_probabilities[0, 2].item() == pytest.approx(FLOOR)
    assert found.losses["answer"].item() == 0
    none = marked("no entity at all", "XXXX", 0)
    assert np.isfinite(scored(reader, stirred(reader), [none]).log_probabilities.numpy()).all()


def test_one_candidate_is_certain(tiny: Path) -> None:
    reader = learner(tiny)
    found = scored(reader, stirred(reader), [marked("the @entity0 of", "XXXX in", 0)])
    assert found.log_probabilities[0].tolist() == pytest.approx([0.0], abs=1e-6)


def test_more_candidates_than_markers_are_read(tiny: Path) -> None:
    reader = learner(tiny)
    passage = " ".join(f"@entity{n}" for n in range(MARKERS + 5))
    model = reader.model().train()
    with torch.no_grad():
        found = model(reader.collate(list(reader.encode(viewed_split([marked(passage, "XXXX")])))))
    assert found.log_probabilities.shape == (1, MARKERS + 5)


@pytest.mark.parametrize(
    ("given", "trained"), [({}, True), ({"trained": "top", "layers": 1}, None), ({"trained": "none"}, False)]
)
def test_what_of_the_encoder_is_trained(tiny: Path, given: dict[str, Any], trained: bool | None) -> None:
    reader = learner(tiny, **given)
    (phase,) = reader.phases()
    names = [name for name, _ in reader.model().named_parameters()]
    own = {name for name in names if name.startswith("encoder.") and phase.trained(name)}
    assert all(phase.trained(name) for name in names if not name.startswith("encoder."))
    if trained is None:
        assert own == {name for name in names if name.startswith("encoder.encoder.layer.1.")}
    else:
        assert bool(own) == trained
    assert reader.embeddings().entities == (MARKERS + 1) * 16
    assert reader.model().train().encoder.training == (given.get("trained") != "none")
