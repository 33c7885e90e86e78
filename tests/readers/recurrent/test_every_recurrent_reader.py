"""What holds for each recurrent reader."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
import torch
from tests.encoders.texts import many, named
from tests.readers.viewed import batch_of, viewed_split
from tests.rows import each_row

from anagnosis.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

PAPER = [
    ("attention_sum", {}),
    ("attention_over_attention", {}),
    ("attention_over_attention", {"variant": "paper-bioread"}),
    ("stanford_attentive", {}),
    ("gated_attention", {}),
    ("gated_attention", {"question_feature": True}),
    ("gated_attention", {"hops": 1}),
]
AS_PUBLISHED = [
    ("attention_sum", {"variant": "as-published"}),
    ("attention_over_attention", {"variant": "as-published"}),
]
TRAINING = many(100)
NAMES = named(
    "Breast cancer responds to aspirin but cancer of the breast",
    "XXXX of the patients .",
    ["Breast cancer", "aspirin"],
    further={"cancer of the breast": 0},
)


def module(name: str) -> Any:
    return importlib.import_module(f"anagnosis.readers.{name}")


def learner(module: Any, instances: list[Any], **config: Any) -> Any:
    """A small reader, made ready for these instances."""
    sizes = {"embedding": 8, "hidden": 6, "dropout": 0.0}
    return module.prepare(module.Config(**{**sizes, **config}), viewed_split(*instances))


def each_case(cases: list[tuple[str, dict[str, Any]]]) -> Any:
    return pytest.mark.parametrize(
        ("name", "config"),
        cases,
        ids=["-".join([name, *map(str, config.values())]) for name, config in cases],
    )


def read(ready: Any, model: Any, instances: list[Any]) -> Any:
    examples = list(ready.encode(viewed_split(*instances)))
    assert all(isinstance(example, ready.example) for example in examples)
    return model(ready.collate(examples))


def made(name: str, config: dict[str, Any], training: list[Any] = TRAINING) -> tuple[Any, Any]:
    torch.manual_seed(0)
    ready = learner(module(name), training, **config)
    return ready, ready.model().eval()


@each_case(PAPER + AS_PUBLISHED)
def test_one_candidate_no_answer_and_a_candidate_that_is_never_mentioned(
    name: str, config: dict[str, Any]
) -> None:
    ready, model = made(name, config)
    alone = named("The cells of @entity1 .", "XXXX in cells", ["@entity1"])
    unanswered, absent = (
        named("@entity1 cells", "XXXX", ["@entity1", "@entity2"], answer) for answer in (None, 1)
    )
    output = read(ready, model, [alone, unanswered, absent])
    assert output.log_probabilities[0].argmax() == 0
    (losses,) = output.losses.values()
    assert losses[1] == 0
    assert losses.isfinite().all()
    assert (output.log_probabilities[1:, :2]).isfinite().all()
    if config.get("variant") != "as-published":
        assert output.log_probabilities[2].argmax() == 0
        assert output.log_probabilities[2, 1].item() == pytest.approx(-69.08, abs=0.01)


@each_case(PAPER + AS_PUBLISHED)
def test_nothing_to_read_gives_every_candidate_the_same(name: str, config: dict[str, Any]) -> None:
    ready, model = made(name, config)
    output = read(ready, model, [named("", "XXXX", ["@entity1", "@entity2"])])
    scores = output.log_probabilities[0].tolist()
    assert scores[0] == scores[1]
    (losses,) = output.losses.values()
    losses.sum().backward()
    assert all(weights.grad.isfinite().all() for weights in model.parameters() if weights.grad is not None)


@each_case([case for case in PAPER if case[0] != "stanford_attentive"])
def test_names_of_several_words(name: str, config: dict[str, Any]) -> None:
    ready, model = made(name, {**config, "view": "names"}, [NAMES])
    output = read(ready, model, [NAMES])
    assert output.log_probabilities.isfinite().all()
    batch = batch_of(ready, NAMES)
    assert batch.members[0].int().tolist() == [[1, 1, 0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 0, 0, 0, 0, 0]]


def test_a_token_of_the_plain_view_belongs_to_every_candidate_of_which_it_is_a_word() -> None:
    plain = msgspec.structs.replace(NAMES, plain=True)
    ready = learner(module("gated_attention"), [plain], view="plain")
    batch = batch_of(ready, plain)
    assert batch.members[0].int().tolist() == [[1, 1, 0, 0, 0, 0, 1, 0, 0, 1], [0, 0, 0, 0, 1, 0, 0, 0, 0, 0]]
    assert ready.vocabulary.ids(["breast", "cancer"]) == [batch.passage[0, 0], batch.passage[0, 1]]


@each_row(
    ("reader", "views"),
    [
        ("stanford_attentive", ["names", "plain"]),
        ("attention_sum", ["plain"]),
        ("attention_over_attention", ["plain"]),
        ("masked_encoder", ["plain"]),
    ],
)
def test_a_reader_refuses_views_that_lack_what_it_needs(reader: str, views: list[str]) -> None:
    for view in views:
        with pytest.raises(msgspec.ValidationError, match=view):
            msgspec.convert({"view": view, "encoder": "any"}, module(reader).Config)


def test_word_vectors_are_the_first_embeddings_of_the_words_that_the_file_has(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("2 2\ncells 0.5 -1\nunseen 7 8\n")
    ready = learner(module("attention_sum"), TRAINING, embedding=2, vectors=str(path))
    table = ready.model().word_embeddings.weight
    (place,) = ready.vocabulary.ids(["cells"])
    assert table[place].tolist() == [0.5, -1.0]
    assert not (table == torch.tensor([7.0, 8.0])).all(1).any()
    path.write_text("1 2\nelsewhere 3 4\n")
    with pytest.raises(InputError, match=r"vectors.txt: no word of the data is in it"):
        learner(module("attention_sum"), TRAINING, embedding=2, vectors=str(path))
