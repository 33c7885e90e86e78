"""What a reader that learns promises, and what every recipe says of its training.

A reader that learns is one file with

    Config              Settings and the reader's own values, what a recipe holds
    prepare(config, training) -> Learner       before the first training: count words, load an encoder
    restore(config, folder) -> Learner         the same from a run folder that `Learner.save` wrote into

and a torch module, whose `forward(batch)` gives an Output. A Config of ClozeSettings reads cloze questions, one of
DecisionSettings decisions, one of EvidenceSettings sentences, one of QuestionSettings tells the type of a question. The
loop (`training/`) knows no reader; readers see instances only as views show them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self, cast

import msgspec

from anagnosis.recipes.values import Count, Positive, Rate, Seed, Share, Weight

if TYPE_CHECKING:
    from torch import Tensor, nn

ClozeView = Literal["global", "local", "names"]
DecisionView = Literal["reasoning-required", "reasoning-free", "question-only"]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How a reader is trained.

    kind: of the instances that it reads (datasets/kinds/). view: what it sees of one.
    seed: of first weights, order and dropout.
    batch: instances a step.
    tokens: most padded tokens in memory at once; a batch that has more is taken in pieces, to the same gradient.
    rate, decay, optimizer: Adam, AdamW or plain gradient descent.
    schedule: the rate stays, falls linearly to 0 at the last step, or is halved after each epoch from the third
        on while Adam's moments start anew (the Gated-Attention reader's). warmup: share of the steps before.
    clip: longest gradient (its norm), 0 for none.
    epochs: at most so many. stop: by accuracy or loss on the development part, or after all epochs. patience:
        evaluations without a better one before stopping. evaluate_every: steps, 0 for after each epoch.
    precision: "auto" takes bfloat16 where the processor multiplies it faster, float32 elsewhere.
    """

    kind: ClassVar[str]

    view: str
    seed: Seed = 0
    batch: Positive = 32
    tokens: Positive = 16_384
    optimizer: Literal["adam", "adamw", "sgd"] = "adam"
    rate: Rate = 0.001
    decay: Weight = 0.0
    schedule: Literal["constant", "linear", "halving"] = "constant"
    warmup: Share = 0.0
    clip: Weight = 10.0
    epochs: Positive = 40
    stop: Literal["accuracy", "loss", "epochs"] = "accuracy"
    patience: Positive = 3
    evaluate_every: Count = 0
    precision: Literal["auto", "float32", "bfloat16"] = "float32"


class ClozeSettings(Settings, frozen=True, kw_only=True):
    """Of a reader of cloze questions. view: see datasets/kinds/cloze_views.py."""

    kind: ClassVar[str] = "cloze"

    view: ClozeView = "local"


class DecisionSettings(Settings, frozen=True, kw_only=True):
    """Of a reader of decisions. view: see datasets/kinds/decision.py."""

    kind: ClassVar[str] = "decision"

    view: DecisionView = "reasoning-required"


class LongAnswerSettings(DecisionSettings, frozen=True, kw_only=True):
    """Of one that long answers can teach beside the labels.

    auxiliary: the weight of the loss that has the reader tell which words the long answer holds (PubMedQA, 4.2); it
    counts in the view reasoning-required alone. auxiliary_words: how many of the train part's most frequent ones are
    told.
    """

    auxiliary: Weight = 0.0
    auxiliary_words: Positive = 2000


class EvidenceSettings(Settings, frozen=True, kw_only=True):
    """Of a reader of sentences: each gets a probability of holding the answer. view: see datasets/kinds/evidence.py."""

    kind: ClassVar[str] = "evidence"

    view: Literal["sentences"] = "sentences"


class QuestionSettings(Settings, frozen=True, kw_only=True):
    """Of a reader that tells the type of a question. view: see datasets/kinds/question.py."""

    kind: ClassVar[str] = "question"

    view: Literal["question-type"] = "question-type"


@dataclass(frozen=True, slots=True)
class Material:
    """One split as a reader may see it.

    digest: hexadecimal, of the data and the view; it changes when they do. rows: instances.
    viewed: they, in order, from the beginning each time it is called: a `Viewed` of a cloze question each, a `Posed`
    of a decision, an `EvidenceInstance` of sentences, a `Typed` of a question's type.
    kept: a folder for what is computed once and used by other readers and seeds too; None where nothing is kept.
    dataset: its folder, and how much is taken of it: with the same and another digest, the data have changed.
    split: of the dataset, where it is taken from.
    instances: they before any view, from the beginning each time it is called. For what is reached without learning;
    no reader that learns reads them. None where they stand in no dataset.
    """

    name: str
    digest: str
    rows: int
    viewed: Callable[[], Iterator[Any]]
    kept: Path | None = None
    dataset: str = ""
    split: str = ""
    instances: Callable[[], Iterator[Any]] | None = None


class Example(Protocol):
    """An encoded instance: a msgspec.Struct of plain values, so that it can lie on disk until its turn.

    size: tokens that it costs. target: index of the right candidate, -1 where there is none.
    """

    @property
    def id(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def target(self) -> int: ...


class Batch(Protocol):
    """Tensors of some examples, padded. target: int64 [batch], -1 where there is none."""

    @property
    def target(self) -> Tensor: ...
    def to(self, device: Any) -> Batch: ...


class TensorBatch:
    """A base of batches that are dataclasses: their tensors and batches, in tuples too, go to a device together."""

    __slots__ = ()

    def to(self, device: Any) -> Self:
        own: Any = self
        found = {field.name: _moved(getattr(self, field.name), device) for field in dataclasses.fields(own)}
        return cast(Self, dataclasses.replace(own, **found))


def _moved(value: Any, device: Any) -> Any:
    if isinstance(value, tuple):
        return tuple([_moved(one, device) for one in cast("tuple[Any, ...]", value)])
    return value.to(device) if hasattr(value, "to") else value


@dataclass(frozen=True, slots=True)
class Output:
    """What `forward` gives.

    log_probabilities: float [batch, candidates], finite for every candidate of the instance, padding -inf.
    losses: name → float [batch], one value an instance, 0 where it has no target; the loop adds them up.
    right: bool [batch, candidates], where several candidates may be right; None: the target alone.
    """

    log_probabilities: Tensor
    losses: dict[str, Tensor]
    right: Tensor | None = None

    def hits(self, target: Tensor) -> Tensor:
        """Whether the most probable candidate is right: bool [batch]. target: int64 [batch]."""
        best = self.log_probabilities.argmax(1)
        if self.right is None:
            return best == target
        return self.right.gather(1, best[:, None]).squeeze(1)


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of the training, with what it trains.

    trained: tells from a parameter's name whether it is trained. rate, epochs, patience: None for the settings' own.
    A phase goes on from the last weights of the one before, not from its best.
    """

    name: str
    trained: Callable[[str], bool]
    rate: float | None = None
    epochs: int | None = None
    patience: int | None = None


@dataclass(frozen=True, slots=True)
class Embeddings:
    """How many of a model's parameters are word embeddings, and how many of those are of entities (Table 3)."""

    words: int
    entities: int


class Learner(Protocol):
    """A reader made ready for some training data, or restored from a run folder.

    device: where the loop computes; it says so before anything is encoded.
    """

    device: Any

    @property
    def example(self) -> type[msgspec.Struct]:
        """The type of its examples."""
        ...

    def encode(self, material: Material) -> Iterator[Any]:
        """An Example for every instance, in order.

        Called too when a training goes on whose examples are stored: what these need beside is there when it returns.
        """
        ...

    def collate(self, examples: Sequence[Any]) -> Batch: ...

    def model(self) -> nn.Module:
        """New weights, drawn from torch's generator."""
        ...

    def phases(self) -> Sequence[Phase]: ...

    def embeddings(self) -> Embeddings: ...

    def save(self, folder: Path) -> None:
        """Write what `restore` needs besides the weights and the recipe, under names that the module has as SAVES."""
        ...


ALL_AT_ONCE = (Phase("all", lambda name: True),)


def over_encoder(trained: tuple[str, ...]) -> tuple[Phase, ...]:
    """Everything at once, of `encoder.` only what begins with one of `trained`."""
    return (Phase("all", lambda name: not name.startswith("encoder.") or name.startswith(trained)),)
