"""The interface of readers that learn, and the training settings of every recipe.

A reader that learns is one file with

    Config              Settings and the reader's further settings, the content of a recipe
    prepare(config, training) -> Learner       before the first training: count words, load an encoder
    restore(config, folder) -> Learner         the same from a run folder that `Learner.save` wrote into

and a torch module, whose `forward(batch)` gives an Output. The base of Config determines the kind of instances:
ClozeSettings, DecisionSettings, EvidenceSettings (sentences) or AnswerSettings (exact answers). The loop (`training/`)
knows no reader; readers get instances only through views.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, cast

import msgspec

from anagnosis.recipes.load import Count, Positive, Precision, Rate, Seed, Share, Weight

if TYPE_CHECKING:
    import numpy as np
    from torch import Tensor, nn

    from anagnosis.datasets.kinds.question import RelevantItems
    from anagnosis.predictions import Answer

# Values of `stop` that are no measure.
ACCURACY, LOSS, EPOCHS = "accuracy", "loss", "epochs"

TokenView = Literal["global", "local", "marked", "anonymous", "marked-title-last", "anonymous-title-last"]
MentionView = Literal[TokenView, "names"]
ClozeView = Literal[MentionView, "plain"]
DecisionView = Literal["reasoning-required", "reasoning-free", "question-only"]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The training settings of a reader.

    kind: of its instances (datasets/kinds/). view: the part of an instance that it gets.
    seed: of first weights, order and dropout.
    batch: instances a step.
    tokens: most padded tokens in memory at once; a larger batch is split into parts, with the same gradient.
    rate, decay, optimizer: Adam, AdamW or plain gradient descent.
    schedule: the rate stays, falls linearly to 0 at the last step, or is halved after each epoch from the third
        on while Adam's moments start anew (the Gated-Attention reader's). warmup: share of the steps before.
    clip: longest gradient (its norm), 0 for none.
    epochs: at most so many. stop: what is compared on the development part, accuracy, loss or any measure
        (evaluation/measures/); "epochs" trains all of them. patience: evaluations without a better one before
        stopping. evaluate_every: steps, 0 for after each epoch.
    precision: "auto" means bfloat16 if the processor multiplies it faster, else float32.
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
    stop: str = ACCURACY
    patience: Positive = 3
    evaluate_every: Count = 0
    precision: Precision = "float32"


class ClozeSettings(Settings, frozen=True, kw_only=True):
    """Settings of a reader of cloze questions. view: see datasets/kinds/cloze_views.py.

    A reader of mentions takes a MentionView; one whose candidates must be one token each, a TokenView.
    """

    kind: ClassVar[str] = "cloze"

    view: ClozeView = "local"


class DecisionSettings(Settings, frozen=True, kw_only=True):
    """Settings of a reader of decisions. view: see datasets/kinds/decision.py."""

    kind: ClassVar[str] = "decision"

    view: DecisionView = "reasoning-required"


class LongAnswerSettings(DecisionSettings, frozen=True, kw_only=True):
    """Settings of a reader of decisions with long answers as additional supervision.

    auxiliary: weight of the loss for predicting the words of the long answer (PubMedQA, 4.2), used only in the view
    reasoning-required. auxiliary_words: number of these words, the most frequent of the train part.
    """

    auxiliary: Weight = 0.0
    auxiliary_words: Positive = 2000


class EvidenceSettings(Settings, frozen=True, kw_only=True):
    """Settings of a reader that gives sentences the probability of containing the answer."""

    kind: ClassVar[str] = "evidence"

    view: Literal["sentences"] = "sentences"


class AnswerSettings(Settings, frozen=True, kw_only=True):
    """Settings of a reader of exact answers. view: see datasets/kinds/question.py."""

    kind: ClassVar[str] = "question"

    view: Literal["snippets"] = "snippets"
    stop: str = "factoid_mrr"


@dataclass(frozen=True, slots=True)
class ViewedSplit:
    """A split of a dataset through a view, as readers that learn get it.

    digest: hexadecimal, of the data and the view. rows: number of instances. viewed: starts an iteration over the
    instances in order: `Viewed` (cloze), `Posed` (decision), `EvidenceInstance` (sentences), `Typed` (question type) or
    `SnippetQuestion` (exact answers).
    kept: a folder for results that other readers and seeds reuse; None to keep nothing.
    dataset: its folder and the part of it; the same dataset with another digest means that the data changed.
    split: the split of the dataset.
    instances: starts an iteration over the instances without a view, for baselines; readers that learn do not use it.
    None for instances of no dataset.
    """

    name: str
    digest: str
    rows: int
    viewed: Callable[[], Iterator[Any]]
    kept: Path | None = None
    dataset: str = ""
    split: str = ""
    instances: Callable[[], Iterator[Any]] | None = None


class TensorBatch:
    """Base of batches, dataclasses of padded tensors of some examples. target: int64 [batch], -1 for none.

    Moves all tensors and nested batches to a device.
    """

    __slots__ = ()
    if TYPE_CHECKING:
        target: Tensor

    def to(self, device: Any) -> Self:
        batch: Any = self
        moved = {field.name: _moved(getattr(self, field.name), device) for field in dataclasses.fields(batch)}
        return cast(Self, dataclasses.replace(batch, **moved))


def _moved(value: Any, device: Any) -> Any:
    if isinstance(value, tuple):
        return tuple([_moved(item, device) for item in cast("tuple[Any, ...]", value)])
    return value.to(device) if hasattr(value, "to") else value


@dataclass(frozen=True, slots=True)
class Output:
    """The result of `forward`.

    log_probabilities: float [batch, candidates], finite for every candidate of the instance, padding -inf; without a
    column of a reader of exact answers.
    losses: name → float [batch], one value an instance, 0 without a target; the loop adds them up.
    right: bool [batch, candidates], if several candidates may be right; None: the target alone.
    documents: float [m], scores of the documents of all instances, one after the other; None of other readers.
    """

    log_probabilities: Tensor
    losses: dict[str, Tensor]
    right: Tensor | None = None
    documents: Tensor | None = None

    def hits(self, target: Tensor) -> Tensor:
        """Whether the most probable candidate is right: bool [batch], false without candidates.

        target: int64 [batch].
        """
        if not self.log_probabilities.shape[1]:
            return target.new_zeros(target.shape).bool()
        best = self.log_probabilities.argmax(1)
        if self.right is None:
            return best == target
        return self.right.gather(1, best[:, None]).squeeze(1)


def exact_output(losses: dict[str, Tensor]) -> Output:
    """The output of a reader of exact answers, which has no candidates."""
    loss = next(iter(losses.values()))
    return Output(loss.new_zeros(len(loss), 0), losses)


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of the training.

    trained: whether to train a parameter, by its name. rate, patience: None for the values of the settings.
    stop_from: the first epoch in which patience may end the phase.
    A phase continues from the last weights of the previous one, not from its best.
    """

    name: str
    trained: Callable[[str], bool]
    rate: float | None = None
    patience: int | None = None
    stop_from: int = 1


class Learner:
    """A reader prepared for training data or restored from a run folder: the base of all learners.

    example: the type of its encoded instances, plain values with `id`, `size` (tokens) and `target` (index of the right
    candidate, -1 for none). exact: it gives exact answers, texts, in place of scores of candidates. drawing: it trains
    on parts of an instance, some of which each epoch draws anew, and evaluates whole ones. device: where the loop
    computes; the loop sets it before it encodes.
    """

    example: type[msgspec.Struct]
    exact: ClassVar[bool] = False
    drawing: ClassVar[bool] = False
    device: Any = None

    def encode(self, split: ViewedSplit) -> Iterator[Any]:
        """An example for every instance, in order; of an exact reader with all that `answers` needs, texts included."""
        raise NotImplementedError

    def collate(self, examples: Sequence[Any]) -> TensorBatch:
        raise NotImplementedError

    def model(self) -> nn.Module:
        """New weights, drawn from torch's generator. An exact reader's `forward` is used for the loss alone."""
        raise NotImplementedError

    def phases(self) -> Sequence[Phase]:
        """The phases of the training; by default one that trains everything."""
        return ALL_AT_ONCE

    def save(self, folder: Path) -> None:
        """Write what `restore` needs besides weights and recipe, under the names in the module's SAVES."""

    def answers(self, model: nn.Module, examples: Sequence[Any]) -> list[list[Answer]]:
        """Of an exact reader: the answers to the question of each example, best first; [] for none.

        Called without gradients, with the model in evaluation mode on `device` and in the precision of the run.
        examples: of similar size, together at most `tokens` padded tokens, or one longer example.
        """
        raise NotImplementedError

    def draws(self, example: Any) -> list[int]:
        """Of a drawing reader: the sizes, at most, of what an epoch draws from an example; not empty."""
        raise NotImplementedError

    def drawn(self, example: Any, number: int, random: np.random.Generator) -> Any:
        """The draw of that number, an example too; the same for the same random numbers."""
        raise NotImplementedError

    def retrieved(self, output: Output, examples: Sequence[Any]) -> list[RelevantItems | None]:
        """Documents and snippets of each example, best first; None where nothing was retrieved for it.

        output: of these examples as one batch.
        """
        return [None] * len(examples)


ALL_AT_ONCE = (Phase("all", lambda name: True),)


def over_encoder(trained: tuple[str, ...]) -> tuple[Phase, ...]:
    """One phase that trains everything, but of `encoder.` only names that begin with one of `trained`."""
    return (Phase("all", lambda name: not name.startswith("encoder.") or name.startswith(trained)),)
