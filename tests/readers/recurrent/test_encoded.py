"""AS and AOA over an encoder's vectors: their scores by hand, and what must not change them."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.rows import each_row

pytest.importorskip("torch", reason="the extra train is not installed")
pytest.importorskip("transformers", reason="the extra train is not installed")

import torch
from tests.encoders.texts import many, marked, named
from tests.encoders.tiny import tiny_encoder
from tests.readers.recurrent import by_hand
from tests.readers.recurrent.clozes import viewed_split

from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.encoders.words import word_pieces
from anagnosis.errors import InputError
from anagnosis.readers.learning import Embeddings
from anagnosis.readers.recurrent.attention import FLOOR
from anagnosis.readers.recurrent.encoded import Encoded, EncodedLearner

READERS = ("attention_sum", "attention_over_attention")
BESIDES = [
    marked("", "XXXX in cells", 1),
    marked("cells " * 150 + "@entity0 . In @entity1", "of XXXX", 1),
    marked("The @entity0 of @entity1 .", "cells " * 90 + "XXXX" + " in" * 90),
]
INSTANCES = [*many(97), *BESIDES]
every = pytest.mark.parametrize(
    ("name", "given"),
    [
        (name, {"encoder_as": role, "encoder_reads": reads, "encoder_trained": trained})
        for name in READERS
        for role, trained in (("embeddings", "none"), ("states", "all"))
        for reads in ("cut", "sentences")
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(value.values()),
)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("encoded") / "tiny")


def module(name: str) -> Any:
    return importlib.import_module(f"anagnosis.readers.{name}")


def learner(name: str, tiny: Path, **given: Any) -> EncodedLearner:
    config = module(name).Config(**{"encoder": str(tiny), "hidden": 6, "dropout": 0.0, **given})
    return module(name).prepare(config, viewed_split(INSTANCES))


def made(name: str, tiny: Path, **given: Any) -> tuple[EncodedLearner, Encoded]:
    """The reader, and its model with those weights trained that the loop would train."""
    reader = learner(name, tiny, **given)
    torch.manual_seed(0)
    model = reader.model().eval()
    for weights, tensor in model.named_parameters():
        tensor.requires_grad_(reader.phases()[0].trained(weights))
    return reader, model


def read(reader: EncodedLearner, model: Any, instances: Sequence[Viewed]) -> Any:
    return model(reader.collate(list(reader.encode(viewed_split(instances)))))


@every
def test_a_batch_of_one_equals_a_batch_of_a_hundred(name: str, given: dict[str, Any], tiny: Path) -> None:
    reader, model = made(name, tiny, **given)
    with torch.no_grad():
        together = read(reader, model, INSTANCES)
        for row, instance in list(enumerate(INSTANCES))[::-8]:
            alone = read(reader, model, [instance])
            count = len(instance.candidates)
            torch.testing.assert_close(
                together.log_probabilities[row, :count], alone.log_probabilities[0], atol=1e-5, rtol=1e-5
            )
            assert (together.log_probabilities[row, count:] == -torch.inf).all()
            torch.testing.assert_close(
                together.losses["answer"][row], alone.losses["answer"][0], atol=1e-5, rtol=1e-5
            )


def vectors(reader: EncodedLearner, instance: Viewed) -> tuple[np.ndarray, np.ndarray]:
    """Of the passage's and the question's tokens, sequence after sequence."""
    found = word_pieces(instance, reader.encoder.pieces, reading=reader.config.encoder_reads)
    with torch.no_grad():
        tops = [
            reader.encoder.model.double()(torch.tensor([sequence])).last_hidden_state[0].numpy()
            for sequence in found.sequences
        ]
    passage = np.stack([tops[sequence][place] for sequence, place in found.passage if place >= 0])
    asked = [
        [top[second + place] for place in found.question]
        for top, second in zip(tops, found.second, strict=True)
    ]
    return passage, np.mean(asked, 0)


@every
def test_the_paper_s_formulas_over_the_encoder_s_vectors(
    name: str, given: dict[str, Any], tiny: Path
) -> None:
    reader, model = made(name, tiny, **given)
    weights = {key: value.double().numpy() for key, value in model.state_dict().items()}
    for instance in INSTANCES[:10]:
        context, question = vectors(reader, instance)
        if given["encoder_as"] == "embeddings":
            context, question = (
                by_hand.torch_bigru(
                    states, weights[f"reader.{of}_h"], by_hand.of(weights, f"reader.{of}_bigru.")
                )
                for states, of in ((context, "context"), (question, "question"))
            )
        pairs = context @ question.T
        if name == "attention_over_attention":
            to_question = np.array([by_hand.softmax(row) for row in pairs]).mean(0)
            attention = np.array([by_hand.softmax(column) for column in pairs.T]).T @ to_question
        elif given["encoder_as"] == "states":
            attention = by_hand.softmax(pairs[:, instance.question.split().index("XXXX")])
        else:
            attention = by_hand.softmax(context @ by_hand.last_and_first(question))
        expected = [
            sum(share for word, share in zip(instance.passage.split(), attention) if word == candidate)
            for candidate in instance.candidates
        ]
        with torch.no_grad():
            actual = read(reader, model, [instance]).log_probabilities[0].exp()
        np.testing.assert_allclose(actual, expected, atol=1e-4)


@every
def test_a_passage_of_20000_tokens(
    name: str, given: dict[str, Any], tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [f"@entity{n // 9 % 3}" if n % 9 == 4 else "cells" for n in range(19_999)]
    instance = marked(" ".join([*words, "@entity3"]), "the XXXX of", 2)
    reader, model = made(name, tiny, **given)
    with torch.no_grad():
        output = read(reader, model, [instance])
    (scores,) = output.log_probabilities
    assert (scores[:3] > FLOOR).all()
    cut = given["encoder_reads"] == "cut"
    assert (scores[3].item() == pytest.approx(FLOOR, abs=1e-3)) == cut
    told = "train: 1 of 1 passages were cut at the encoder's limit\n"
    assert capsys.readouterr().err == (told if cut else "")


@every
def test_names_of_several_words(name: str, given: dict[str, Any], tiny: Path) -> None:
    instance = named("The (protein cells) in patients.", "XXXX of", ["protein cells", "patients"])
    reader, model = made(name, tiny, view="names", **given)
    batch = reader.collate(list(reader.encode(viewed_split([instance]))))
    assert batch.members[0].int().tolist() == [[0, 1, 1, 0, 0], [0, 0, 0, 0, 1]]
    assert read(reader, model, [instance]).log_probabilities.exp().sum() < 1


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("role", ["embeddings", "states"])
def test_what_of_the_encoder_is_trained(name: str, role: str, tiny: Path) -> None:
    counts = {}
    for trained in ("none", "top", "all") if role == "embeddings" else ("top", "all"):
        reader, model = made(name, tiny, encoder_as=role, encoder_trained=trained)
        read(reader, model, INSTANCES[:8]).losses["answer"].mean().backward()
        moved = {key for key, weights in model.named_parameters() if weights.grad is not None}
        counts[trained] = len({key for key in moved if key.startswith("vectors.")})
        assert any(key.startswith("reader.") for key in moved) == (role == "embeddings")
        assert all(key.startswith(("reader.", "vectors.encoder.")) for key in moved)
        table = reader.encoder.model.get_input_embeddings().weight.numel()
        assert reader.embeddings() == Embeddings(table if trained == "all" else 0, 0)
    everything = len(list(model.vectors.parameters()))
    assert {"none": 0, "top": 16, "all": everything} == {"none": 0, **counts}


@pytest.mark.parametrize("name", READERS)
def test_a_frozen_encoder_drops_nothing_out_in_training(name: str, tiny: Path) -> None:
    losses = {}
    for trained in ("none", "all"):
        reader, model = made(name, tiny, encoder_trained=trained)
        model.train()
        twice = [read(reader, model, INSTANCES[:8]).losses["answer"] for _ in range(2)]
        losses[trained] = torch.equal(*twice)
        assert model.reader.training
    assert losses == {"none": True, "all": False}


@every
def test_half_precision_ends_with_the_encoder(name: str, given: dict[str, Any], tiny: Path) -> None:
    """The same vectors give the same scores, to the last bit."""
    reader, model = made(name, tiny, **given)
    batch = reader.collate(list(reader.encode(viewed_split(INSTANCES[:8]))))
    found = model.vectors(batch.words)

    class Found(torch.nn.Module):
        def forward(self, pieces: Any) -> Any:
            return found

    model.vectors = Found()
    expected = model(batch).log_probabilities
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(model(batch).log_probabilities, expected)


@each_row("name", READERS)
@each_row(
    ("given", "told"),
    [
        ({"variant": "as-published"}, "as-published has no encoder"),
        ({"encoder_as": "states"}, "leaves nothing to train"),
        ({"vectors": "words.txt"}, "vectors is for words"),
        ({"digits": "D"}, "digits is for words"),
        ({"encoder": "", "encoder_reads": "cut"}, "encoder_reads is for an encoder, and none is named"),
        ({"encoder": "", "encoder_trained": "all"}, "encoder_trained is for an encoder, and none is named"),
        ({"encoder_trained": "top", "encoder_layers": 3}, "the encoder has 2 layers, fewer than 3"),
        ({"encoder_sentences": "nltk"}, "nltk"),
        ({"encoder": "./nowhere"}, "no folder"),
    ],
)
def test_what_does_not_go_together_is_one_line(
    name: str, given: dict[str, Any], told: str, tiny: Path
) -> None:
    with pytest.raises(InputError, match=told) as raised:
        list(learner(name, tiny, **given).encode(viewed_split(INSTANCES[:1])))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", READERS)
def test_without_an_encoder_none_is_loaded(name: str) -> None:
    program = (
        "import sys\n"
        "from tests.readers.recurrent.clozes import learner, random_cloze\n"
        f"from anagnosis.readers import {name} as reader\n"
        "learner(reader, [random_cloze(1)]).model()\n"
        "print({'transformers', 'tokenizers', 'anagnosis.encoders.load'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
