"""The loop: phases, epochs, steps, evaluation, stopping, checkpoints.

A step depends only on the weights, the optimizer's moments and its position (phase, epoch, step): the loop draws the
order of the instances and the random numbers of dropout from the seed and that position. So a training that was
killed anywhere resumes from its last evaluation and ends with the same bytes as one that ran through.

The loop cuts a batch into micro-batches that fit the token budget. It divides every instance's loss by the size of the
batch, so that the gradient is that of the batch computed at once.
"""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import cast

import torch
from torch import Tensor, nn

from anagnosis.array_types import Longs
from anagnosis.progress import Progress, print_note
from anagnosis.readers.learning import Learner, Output, Phase, Settings
from anagnosis.training.loop import history
from anagnosis.training.loop.checkpoint import (
    Checkpoint,
    Position,
    load_weights,
    read_checkpoint,
    weights_of,
    write_checkpoint,
)
from anagnosis.training.loop.dev_measure import DevMeasure
from anagnosis.training.loop.devices import Hardware, TrialError, draw_anew, within_memory
from anagnosis.training.loop.evaluating import judge, total
from anagnosis.training.loop.examples import DrawnExamples, Examples
from anagnosis.training.loop.history import Evaluation
from anagnosis.training.loop.steps import Schedule, batches, micro_batches, optimizer

LOOK_EVERY = 16  # steps between two reads of a GPU's losses, each of which waits for the GPU


class TrainingLoop:
    """One training, from its beginning or its checkpoint. `run` trains; `position` and `best` hold the results.

    folder: of the checkpoints, in that of the run.
    """

    def __init__(
        self,
        config: Settings,
        learner: Learner,
        model: nn.Module,
        train: Examples,
        dev: Examples | None,
        hardware: Hardware,
        folder: Path,
        measure: DevMeasure | None = None,
    ) -> None:
        self.config, self.learner, self.model = config, learner, model
        self.train, self.dev, self.hardware, self.measure = train, dev, hardware, measure
        self.folder, self.phases = folder, learner.phases()
        self.position, self.best, self._moments = Position(), None, None
        if (checkpoint := read_checkpoint(folder)) is not None:
            self.position, self.best = checkpoint.position, checkpoint.best
            self._moments = checkpoint.moments
            load_weights(model, checkpoint.weights, folder)
        self._train = DrawnExamples(train, learner) if learner.drawing else train
        self._chosen = self._train.answered
        self.per_epoch = math.ceil(len(self._chosen) / config.batch)
        self._pending: list[Tensor] = []
        self._loss = math.nan

    def run(self) -> None:
        """Train to the end."""
        while self.position.phase < len(self.phases):
            self._phase(self.phases[self.position.phase])

    def _phase(self, phase: Phase) -> None:
        here, config, epochs = self.position, self.config, self.config.epochs
        for name, weights in self.model.named_parameters():
            weights.requires_grad_(phase.trained(name))
        self._trained = [weights for weights in self.model.parameters() if weights.requires_grad]
        self._schedule = Schedule(config, phase.rate or config.rate, self.per_epoch, epochs)
        self._optimizer = optimizer(config, self._trained)
        if self._moments is not None:
            groups = self._optimizer.state_dict()["param_groups"]
            self._optimizer.load_state_dict({"state": self._moments, "param_groups": groups})
            self._moments = None
        while here.epoch < epochs and not self._over(phase):
            if here.step == 0 and self._schedule.starts_anew(here.epoch):
                self._optimizer.state.clear()
            self._epoch(phase, epochs)
        here.phase, here.epoch, here.step = here.phase + 1, 0, 0

    def _epoch(self, phase: Phase, epochs: int) -> None:
        here = self.position
        numbers = (self.config.seed, here.phase, here.epoch)
        if isinstance(self._train, DrawnExamples):
            self._train.begin(*numbers)
        drawn = batches(self._chosen, self._train.sizes, self.config.batch, *numbers)
        phase_name = f"{phase.name}, " if len(self.phases) > 1 else ""
        label = f"{phase_name}epoch {here.epoch + 1} of at most {epochs}"
        with Progress(label, sum(map(len, drawn[here.step :])), "instances") as bar:
            while True:
                if not here.judged and self._due(epochs):
                    self._judge(phase)
                    moments = self._optimizer.state_dict()["state"]
                    write_checkpoint(
                        self.folder, Checkpoint(here, weights_of(self.model), moments, self.best)
                    )
                    if self._over(phase):
                        return
                if here.step == len(drawn):
                    break
                batch = drawn[here.step]
                self._step(batch)
                bar.advance(len(batch), note=f"loss {self._loss:.3f}")
        here.epoch, here.step = here.epoch + 1, 0

    def _step(self, batch: Longs) -> None:
        """One step on the instances of `batch`."""
        here, config, hardware = self.position, self.config, self.hardware
        began = time.monotonic()
        # The 0 changes nothing but the draws, which are those of the runs on docs/results*.md.
        draw_anew(config.seed, here.phase, here.epoch, here.step, 0)
        self.model.train()
        self._optimizer.zero_grad(set_to_none=True)
        for group in self._optimizer.param_groups:
            group["lr"] = self._schedule.at(here.epoch * self.per_epoch + here.step)
        loss = right = torch.zeros((), device=hardware.device)
        sizes = self._train.sizes
        for micro_batch in micro_batches(batch, sizes, config.tokens):
            with within_memory("training", sizes[micro_batch].tolist(), config.tokens):
                share, hits = self._micro_batch(micro_batch, len(batch))
                loss, right = loss + share, right + hits
        if config.clip:
            nn.utils.clip_grad_norm_(self._trained, config.clip)
        self._optimizer.step()
        self._pending.append(torch.stack([loss * len(batch), right.to(loss.dtype)]))
        here.seen += len(batch)
        here.step += 1
        here.total += 1
        here.judged = False
        if hardware.device.type == "cpu" or here.total % LOOK_EVERY == 0:
            self._look()
        here.seconds += time.monotonic() - began

    def _micro_batch(self, instances: Longs, batch_size: int) -> tuple[Tensor, Tensor]:
        """Add the gradient of some instances of a batch. Returns their share of the loss and the number of hits."""
        batch = self.learner.collate(self._train.take(instances)).to(self.hardware.device)
        with self.hardware.autocast():
            output = cast(Output, self.model(batch))
        loss = total(output.losses).sum() / batch_size
        loss.backward()
        return loss.detach(), output.hits(batch.target).sum()

    def _look(self) -> None:
        """Add the losses of the last steps to the position. TrialError: a loss is infinite or not a number."""
        here = self.position
        for loss, right in torch.stack(self._pending).tolist() if self._pending else ():
            self._refuse_infinite(loss)
            here.loss += loss
            here.right += int(right)
        self._pending.clear()
        self._loss = here.loss / max(1, here.seen)

    def _refuse_infinite(self, loss: float, part: str = "") -> None:
        if not math.isfinite(loss):
            raise self._diverged(f"the loss{part} is {loss}")

    def _diverged(self, what: str) -> TrialError:
        rate = self.config.rate / 10
        remedy = f"train anew, --replace, with --set rate={rate:g}, or a shorter gradient, --set clip=1"
        return TrialError(f"{what} after step {self.position.total}", f"epoch {self.position.epoch + 1}", remedy)

    def _judge(self, phase: Phase) -> None:
        here, config = self.position, self.config
        self._look()
        if not all(weights.isfinite().all() for weights in self._trained):
            raise self._diverged("weights are infinite or no numbers")
        judged = None
        if self.dev is not None:
            judged = judge(self.model, self.learner, self.dev, self.hardware, config.tokens, self.measure)
            if judged.loss is not None:
                self._refuse_infinite(judged.loss, " on the dev part")
        evaluation = Evaluation(
            phase=phase.name,
            epoch=here.epoch + 1,
            step=here.total,
            loss=here.loss / max(1, here.seen),
            accuracy=here.right / max(1, here.seen),
            dev_loss=judged.loss if judged else None,
            dev_accuracy=judged.accuracy if judged else None,
            rate=self._schedule.at(here.epoch * self.per_epoch + here.step - 1),
            seconds=here.seconds,
            dev_seconds=judged.seconds if judged else 0.0,
            measure=self.measure.measure.name if self.measure else None,
            dev_value=judged.value if judged else None,
        )
        here.evaluations.append(evaluation)
        here.loss, here.right, here.seen, here.judged = 0.0, 0, 0, True
        if history.best(config.stop, here.evaluations) == len(here.evaluations) - 1:
            self.best = {
                name: tensor.detach().to("cpu", copy=True).contiguous()
                for name, tensor in weights_of(self.model).items()
            }
        history.write(self.folder.parent, here.evaluations)
        print_note(_line(evaluation, exact=self.learner.exact))

    def _due(self, epochs: int) -> bool:
        """Whether an evaluation is due after the last step."""
        here, every = self.position, self.config.evaluate_every
        done = here.epoch * self.per_epoch + here.step
        return done == epochs * self.per_epoch or done % (every or self.per_epoch) == 0

    def _over(self, phase: Phase) -> bool:
        here, config = self.position, self.config
        own = [evaluation for evaluation in here.evaluations if evaluation.phase == phase.name]
        if not here.judged or not own or own[-1].epoch < phase.stop_from:
            return False
        return history.run_out(config.stop, phase.patience or config.patience, own)


def _line(last: Evaluation, *, exact: bool) -> str:
    """What is said of an evaluation. exact: of exact answers, which have no accuracy."""
    line = f"{last.phase}, epoch {last.epoch}: loss {last.loss:.4f}"
    line += "" if exact else f", accuracy {last.accuracy:.4f}"
    if last.dev_loss is not None:
        line += f", on dev loss {last.dev_loss:.4f}"
        line += "" if exact else f", accuracy {last.dev_accuracy:.4f}"
    if last.measure is not None:
        line += f", on dev {last.measure} {'–' if last.dev_value is None else f'{last.dev_value:.4f}'}"
    return f"{line} ({last.seconds:,.0f} s)"
