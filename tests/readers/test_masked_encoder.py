from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import torch
from tests.encoders.texts import many, marked, named
from tests.encoders.tiny import tiny_encoder
from tests.readers.viewed import batch_of, viewed_split
from tests.rows import each_row

from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.errors import InputError
from anagnosis.readers.masked_encoder import Config, MaskedEncoder, MaskedEncoderLearner, prepare, restore
from anagnosis.readers.mention_scoring import MentionBatch, candidate_scores
from anagnosis.readers.recurrent.attention import FLOOR

INSTANCES = many(100)
# In the program's words; ours stand in mention_scoring.py.
NAMES = {
    "linear.weight": "head.inner.weight",
    "linear.bias": "head.inner.bias",
    "linear2.weight": "head.outer.weight",
    "linear2.bias": "head.outer.bias",
}
MANNERS = ("none", "top", "all")


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("masked") / "tiny")


def learner(tiny: Path, **given: Any) -> MaskedEncoderLearner:
    config = Config(**{"encoder": str(tiny), "precision": "float32", "hidden": 8} | given)
    return prepare(config, viewed_split(*INSTANCES))


def scored(reader: MaskedEncoderLearner, model: Any, instances: Sequence[Viewed]) -> Any:
    with torch.no_grad():
        return model(batch_of(reader, *instances))


# --- held to the published program ---------------------------------------------------------------


class Case:
    """One instance of masked_encoder.npz, or one of that shape."""

    def __init__(self, arrays: dict[str, Any], double: bool) -> None:
        number = torch.float64 if double else torch.float32
        self.hidden = torch.tensor(arrays["hidden"], dtype=number, requires_grad=True)
        sentence, place = arrays["mention_sentence"], arrays["mention_position"]
        length, self.entities = self.hidden.shape[1], arrays["mention_entity"]
        candidates = arrays["candidates"].tolist()
        answer = int(arrays["answer"])
        members = arrays["candidates"][:, None] == self.entities
        self.batch = MentionBatch(
            torch.tensor([candidates.index(answer)]),
            torch.ones(1, len(candidates), dtype=torch.bool),
            torch.tensor(members)[None],
            torch.arange(len(self.entities)),
            torch.tensor(sentence * length + place),
            torch.tensor(sentence * length + arrays["mask_position"][sentence]),
            self.hidden.flatten(0, 1),
        )
        self.found = list(dict.fromkeys(self.entities.tolist()))
        self.among_found = torch.tensor(np.array(self.found)[:, None] == self.entities)[None]


def as_published(aggregation: str, width: int, hidden: int, double: bool) -> MaskedEncoder:
    config = Config(
        encoder="",
        aggregation=aggregation,
        hidden=hidden,
        sigmoid_of_sum=aggregation == "sum",
        unmentioned_answer="first",
    )
    model = MaskedEncoder(config, width, None)
    return model.double() if double else model


def computed(model: MaskedEncoder, case: Case) -> dict[str, Any]:
    """Everything that masked_encoder.npz holds of a case."""
    batch, how = case.batch, model.config.aggregation
    output = model(batch)
    loss = output.losses["answer"].sum()
    loss.backward()
    mention_scores = model.head(batch.vectors, batch.mention, batch.mask)
    scores = candidate_scores(mention_scores[None], batch.members, how)[0]
    mentioned = scores > -torch.inf
    logits = scores[mentioned].sigmoid() if model.config.sigmoid_of_sum else scores[mentioned]
    over_all = candidate_scores(mention_scores[None], case.among_found, how)[0]
    return {
        "mention_scores": mention_scores,
        "kept": mentioned.nonzero()[:, 0],
        "logits": logits,
        "probabilities": logits.softmax(0),
        "loss": loss,
        "prediction_scores": over_all,
        "prediction": case.found[int(over_all.argmax())],
        "log_probabilities": output.log_probabilities[0],
        "grad/hidden": case.hidden.grad,
        **{f"grad/{name}": dict(model.named_parameters())[ours].grad for name, ours in NAMES.items()},
    }


@each_row("number", range(4))
@each_row("aggregation", ["max", "sum"])
@each_row("precision", ["f64", "f32"])
def test_everything_is_as_the_published_program_computed_it(
    shared: Path, precision: str, aggregation: str, number: int
) -> None:
    with np.load(shared / "vectors" / "readers" / "masked_encoder.npz") as arrays:
        given = {
            key.removeprefix(f"case{number}/"): arrays[key]
            for key in arrays.files
            if key.startswith(f"case{number}/")
        }
        prefix = f"{precision}/{aggregation}/case{number}/"
        expected = {key.removeprefix(prefix): arrays[key] for key in arrays.files if key.startswith(prefix)}
        weights = {ours: torch.tensor(arrays[f"{precision}/param/{name}"]) for name, ours in NAMES.items()}
    model = as_published(aggregation, 16, 10, precision == "f64")
    model.load_state_dict(weights)
    found = computed(model, Case(given, precision == "f64"))
    found["kept"] = given["candidates"][found["kept"].numpy()]
    assert expected.pop("target_index") == (
        list(expected["kept"]).index(given["answer"]) if given["answer"] in expected["kept"] else 0
    )
    assert Case(given, True).found == expected.pop("prediction_entities").tolist()
    tolerance = 1e-12 if precision == "f64" else 1e-5
    for name, value in expected.items():
        mine = found[name].detach().numpy() if isinstance(found[name], torch.Tensor) else found[name]
        np.testing.assert_allclose(mine, value, rtol=tolerance, atol=tolerance, err_msg=name)


@pytest.mark.parametrize("answer", [4, 9])
@pytest.mark.parametrize("aggregation", ["max", "sum"])
def test_the_forward_is_that_of_the_formulas_written_out(aggregation: str, answer: int) -> None:
    random = np.random.default_rng(5)
    given = {
        "hidden": random.normal(size=(3, 7, 6)),
        "mask_position": np.array([5, 6, 3]),
        "mention_sentence": np.array([0, 0, 1, 2, 2]),
        "mention_position": np.array([1, 3, 2, 0, 1]),
        "mention_entity": np.array([4, 2, 4, 4, 7]),
        # 9 is never mentioned, 7 is no candidate.
        "candidates": np.array([2, 9, 4]),
        "answer": answer,
    }
    torch.manual_seed(3)
    model = as_published(aggregation, 6, 5, True)
    found = computed(model, Case(given, True))

    w = {name: dict(model.named_parameters())[ours].detach().numpy() for name, ours in NAMES.items()}
    scores: dict[int, list[float]] = {}
    for sentence, place, entity in zip(
        given["mention_sentence"], given["mention_position"], given["mention_entity"], strict=True
    ):
        x = np.r_[
            given["hidden"][sentence, place], given["hidden"][sentence, given["mask_position"][sentence]]
        ]
        inner = np.maximum(0, w["linear.weight"] @ x + w["linear.bias"])
        scores.setdefault(int(entity), []).append(float((w["linear2.weight"] @ inner + w["linear2.bias"])[0]))
    pooled = {entity: max(some) if aggregation == "max" else sum(some) for entity, some in scores.items()}
    logits = np.array([pooled[2], pooled[4]])
    if aggregation == "sum":
        logits = 1 / (1 + np.exp(-logits))
    probabilities = np.exp(logits) / np.exp(logits).sum()
    np.testing.assert_allclose(found["logits"].detach().numpy(), logits, rtol=1e-12)
    np.testing.assert_allclose(found["probabilities"].detach().numpy(), probabilities, rtol=1e-12)
    assert found["loss"].item() == pytest.approx(-np.log(probabilities[1 if answer == 4 else 0]), rel=1e-12)
    assert found["prediction"] == max(pooled, key=pooled.__getitem__)
    # Predictions go by the plain scores, 9 has the floor.
    plain = np.exp([pooled[2], pooled[4]]) / np.exp([pooled[2], pooled[4]]).sum()
    expected = [np.log(plain[0]), FLOOR, np.log(plain[1])]
    np.testing.assert_allclose(found["log_probabilities"].detach().numpy(), expected, rtol=1e-12)


# --- the reader as it is trained ------------------------------------------------------------------


def test_frozen_features_and_an_encoder_that_runs_each_time_give_the_same_scores(tiny: Path) -> None:
    frozen, free = learner(tiny), learner(tiny, trained="all")
    light, heavy = frozen.model(), free.model()
    heavy.head.load_state_dict(light.head.state_dict())
    first = scored(frozen, light.eval(), INSTANCES[:20])
    second = scored(free, heavy.eval(), INSTANCES[:20])
    # Vectors are kept in half precision.
    torch.testing.assert_close(first.log_probabilities, second.log_probabilities, rtol=0, atol=5e-3)
    torch.testing.assert_close(first.losses["answer"], second.losses["answer"], rtol=0, atol=5e-3)


def test_encoder_vectors_reach_the_loss_where_it_is_trained(tiny: Path) -> None:
    reader = learner(tiny, trained="all")
    model = reader.model()
    model(batch_of(reader, *INSTANCES[:4])).losses["answer"].sum().backward()
    without = [name for name, weight in model.named_parameters() if weight.grad is None]
    assert without == []


@pytest.mark.parametrize("trained", MANNERS)
def test_awkward_instances_are_read(tiny: Path, trained: str) -> None:
    long = " ".join("cells" if number % 50 else f"@entity{number // 50 % 3}" for number in range(20_000))
    awkward = [
        marked("The @entity0 .", "XXXX"),  # one candidate
        marked("Nothing is here .", "XXXX", 1),  # never mentioned
        marked(long, "XXXX-induced (XXXX)", 2),
        named("The protein cells in patients.", "(XXXX)", ["protein cells", "in"], None),  # no answer
        marked("The @entity0 " + "in cells " * 100 + "@entity1 .", "XXXX", 1),  # beyond the limit
    ]
    reader = learner(tiny, trained=trained)
    output = scored(reader, reader.model().eval(), awkward)
    assert output.log_probabilities[0, 0] == 0
    assert output.log_probabilities[1, :2].tolist() == pytest.approx([FLOOR] * 2)
    assert output.losses["answer"][[0, 1, 3]].tolist() == [0, 0, 0]
    assert (output.losses["answer"][[2, 4]] > 0).all()
    for row, instance in zip(output.log_probabilities, awkward, strict=True):
        assert row[: len(instance.candidates)].isfinite().all()
    single = scored(reader, reader.model().eval(), [marked("Nothing .", "XXXX")])
    assert single.log_probabilities.tolist() == [[pytest.approx(FLOOR)]]


def test_the_attention_mask_can_be_left_out_as_the_program_does(tiny: Path) -> None:
    """A sentence's vectors then depend on the longest sentence beside it, but on no other instance."""
    reader = learner(tiny, attention_mask=False)
    model = reader.model().eval()
    short = marked("The @entity0 was . With @entity1 in cells .", "XXXX")
    longer = marked("The @entity0 was . With @entity1 in cells . It was " + "in patients " * 9 + ".", "XXXX")
    masked = learner(tiny)
    kept_apart = scored(masked, model, [short, longer]).log_probabilities
    torch.testing.assert_close(kept_apart[0], kept_apart[1], rtol=0, atol=2e-3)
    padded = scored(reader, model, [short, longer]).log_probabilities
    assert (padded[0] - padded[1]).abs().max() > 1e-2
    torch.testing.assert_close(
        scored(reader, model, [short]).log_probabilities[0], padded[0], atol=1e-3, rtol=0
    )


def test_phases_train_the_head_alone_the_top_layers_or_all(tiny: Path) -> None:
    head, top = "head.", "encoder.encoder.layer.1."
    for options, expected in (
        ({}, [(head,)]),
        ({"trained": "top"}, [(head, top)]),
        ({"trained": "top", "layers": 2}, [(head, "encoder.encoder.layer.")]),
        ({"trained": "all"}, [("",)]),
        ({"unfreeze_top_after": 5}, [(head,), (head, top)]),
    ):
        reader = learner(tiny, **options)
        names = [name for name, _ in reader.model().named_parameters()]
        trained = [[name for name in names if phase.trained(name)] for phase in reader.phases()]
        assert trained == [[name for name in names if name.startswith(each)] for each in expected]
        assert all(any(name.startswith(prefix) for name in names) for each in expected for prefix in each)
    # The program lets the top layer go after flat epochs, at a rate of its own.
    assert [(phase.rate, phase.patience) for phase in reader.phases()] == [(None, 5), (0.0001, 5)]


def test_a_frozen_reader_has_the_papers_154k_parameters(tmp_path: Path) -> None:
    wide = tiny_encoder(tmp_path / "wide", width=768, layers=1)
    reader = prepare(Config(encoder=str(wide)), viewed_split(*INSTANCES))
    assert sum(weight.numel() for weight in reader.model().parameters()) == 153_801


def test_the_head_rounds_nothing_away_where_the_encoder_runs_in_bfloat16(tiny: Path) -> None:
    reader = learner(tiny)
    model = reader.model().eval()
    expected = scored(reader, model, INSTANCES[:5]).log_probabilities
    with torch.autocast("cpu", torch.bfloat16):
        assert torch.equal(scored(reader, model, INSTANCES[:5]).log_probabilities, expected)


# --- run folders ----------------------------------------------------------------------------------


def test_a_frozen_encoder_that_changed_or_is_gone_is_refused_and_may_lie_elsewhere(tmp_path: Path) -> None:
    folder = tiny_encoder(tmp_path / "mine", seed=1)
    reader = learner(folder)
    (tmp_path / "run").mkdir()
    reader.save(tmp_path / "run")
    moved = msgspec.structs.replace(reader.config, encoder=str(shutil.copytree(folder, tmp_path / "moved")))
    tiny_encoder(folder, seed=2)
    with pytest.raises(InputError, match=r"mine is another one than at the training; put the old one back"):
        restore(reader.config, tmp_path / "run")
    shutil.rmtree(folder)
    with pytest.raises(InputError, match="no encoder of that name"):
        restore(reader.config, tmp_path / "run")
    assert restore(moved, tmp_path / "run").encoder.digest == reader.encoder.digest


# --- what a user may get wrong, and what is kept --------------------------------------------------


@each_row(
    ("options", "match"),
    [
        ({"unfreeze_top_after": 5, "trained": "all"}, "unfreeze_top_after is for an encoder that is frozen"),
        ({"sigmoid_of_sum": True}, "sigmoid_of_sum is for sums"),
        ({"trained": "top", "layers": 9}, "has 2 layers, fewer than 9"),
    ],
)
def test_options_that_do_not_go_together_are_refused_before_any_work(
    tiny: Path, options: dict[str, Any], match: str
) -> None:
    with pytest.raises(InputError, match=match):
        learner(tiny, **options)


@pytest.mark.parametrize("trained", MANNERS)
def test_what_was_read_in_windows_or_cut_is_counted_and_told(
    tiny: Path, trained: str, capsys: pytest.CaptureFixture[str]
) -> None:
    long = marked("The @entity0 " + "in cells " * 100 + "@entity1 .", "XXXX" + " cells" * 90)
    list(learner(tiny, trained=trained).encode(viewed_split(long)))
    said = capsys.readouterr().err
    assert "train: 1 sentences over the encoder's limit were read in windows around their mentions" in said
    assert "1 questions over the encoder's limit were cut around [MASK]" in said
