"""The loop: phases, epochs, steps, evaluation, stopping, checkpoints.

A step depends only on the weights, the optimizer's moments and its place (phase, epoch, step): the loop draws the order
of the instances and the random numbers of dropout from the seed and that place. So a training that was killed anywhere
resumes from its last evaluation and ends with the same bytes as one that ran through.

The loop cuts a batch into micro-batches that fit the token budget. It divides every instance's loss by the size of the
batch, so that the gradient is that of the batch computed at once.
"""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn

from anagnosis.array_types import Longs
from anagnosis.progress import Progress, print_note
from anagnosis.readers.learning import Output, Phase, Settings
from anagnosis.training.loop import checkpoint, history
from anagnosis.training.loop.checkpoint import Checkpoint, load_weights, weights_of
from anagnosis.training.loop.dev_measure import DevMeasure
from anagnosis.training.loop.devices import TrialError, draw_anew, within_memory
from anagnosis.training.loop.evaluating import LoadedReader, judge, total
from anagnosis.training.loop.examples import DrawnExamples, Examples
from anagnosis.training.loop.history import Evaluation
from anagnosis.training.loop.steps import Schedule, batches, micro_batches, optimizer

LOOK_EVERY = 16  # steps between two reads of a GPU's losses, each of which waits for the GPU


class TrainingLoop:
    """One training, from its beginning or its checkpoint. `run` trains; `evaluations` and `best` hold the results.

    folder: of the checkpoints, in that of the run. steps, seconds: of all phases.
    """

    def __init__(
        self,
        config: Settings,
        reader: LoadedReader,
        train: Examples,
        dev: Examples | None,
        folder: Path,
        measure: DevMeasure | None = None,
    ) -> None:
        self.config, self.train, self.dev, self.folder, self.measure = config, train, dev, folder, measure
        self.reader, self.learner, self.model = reader, reader.learner, reader.model
        self.phases = self.learner.phases()
        self.evaluations: list[Evaluation] = []
        self.best: dict[str, Tensor] | None = None
        self.steps, self.seconds = 0, 0.0
        self._moments: dict[int, Any] | None = None
        if (there := checkpoint.read(folder)) is not None:
            self.evaluations, weights, self._moments, self.best = there
            load_weights(self.model, weights, folder)
            self.steps, self.seconds = self.evaluations[-1].step, self.evaluations[-1].seconds
        self._train = DrawnExamples(train, self.learner) if self.learner.drawing else train
        self._chosen = self._train.answered
        self.per_epoch = math.ceil(len(self._chosen) / config.batch)
        self._pending: list[Tensor] = []
        self._loss, self._right, self._seen = 0.0, 0, 0  # sums since the last evaluation
        self._mean = math.nan

    def run(self) -> None:
        """Train to the end."""
        last = self.evaluations[-1].phase if self.evaluations else None
        for number, phase in enumerate(self.phases):
            if last in (None, phase.name):
                self._phase(number, phase)
                last = None

    def _phase(self, number: int, phase: Phase) -> None:
        for name, weights in self.model.named_parameters():
            weights.requires_grad_(phase.trained(name))
        self._trained = [weights for weights in self.model.parameters() if weights.requires_grad]
        self._optimizer = optimizer(self.config, self._trained)
        if self._moments is not None:
            groups = self._optimizer.state_dict()["param_groups"]
            self._optimizer.load_state_dict({"state": self._moments, "param_groups": groups})
            self._moments = None
        schedule = Schedule(self.config, phase.rate or self.config.rate, self.per_epoch)
        before = max((one.step for one in self.evaluations if one.phase != phase.name), default=0)
        while not self._over(phase):
            epoch, step = divmod(self.steps - before, self.per_epoch)
            if epoch == self.config.epochs:
                return
            if step == 0 and schedule.starts_anew(epoch):
                self._optimizer.state.clear()
            self._epoch(number, phase, schedule, epoch, step)

    def _epoch(self, number: int, phase: Phase, schedule: Schedule, epoch: int, step: int) -> None:
        """Train from that step of the epoch to its end, or to that of the phase."""
        config, numbers = self.config, (self.config.seed, number, epoch)
        if isinstance(self._train, DrawnExamples):
            self._train.begin(*numbers)
        drawn = batches(self._chosen, self._train.sizes, config.batch, *numbers)
        phase_name = f"{phase.name}, " if len(self.phases) > 1 else ""
        label = f"{phase_name}epoch {epoch + 1} of at most {config.epochs}"
        with Progress(label, sum(map(len, drawn[step:])), "instances") as bar:
            for place in range(step, len(drawn)):
                rate = schedule.at(epoch * self.per_epoch + place)
                # The 0 changes nothing but the draws, which are those of the runs on docs/results*.md.
                draw_anew(*numbers, place, 0)
                self._step(drawn[place], rate)
                bar.advance(len(drawn[place]), note=f"loss {self._mean:.3f}")
                if schedule.evaluates_after(epoch * self.per_epoch + place):
                    self._evaluate(phase, epoch, rate)
                    if self._over(phase):
                        return

    def _step(self, batch: Longs, rate: float) -> None:
        """One step on the instances of `batch`."""
        config, device, sizes = self.config, self.reader.hardware.device, self._train.sizes
        began = time.monotonic()
        self.model.train()
        self._optimizer.zero_grad(set_to_none=True)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        loss = right = torch.zeros((), device=device)
        for micro_batch in micro_batches(batch, sizes, config.tokens):
            with within_memory(sizes[micro_batch].tolist(), config.tokens):
                share, hits = self._micro_batch(micro_batch, len(batch))
                loss, right = loss + share, right + hits
        if config.clip:
            nn.utils.clip_grad_norm_(self._trained, config.clip)
        self._optimizer.step()
        self._pending.append(torch.stack([loss * len(batch), right.to(loss.dtype)]))
        self._seen += len(batch)
        self.steps += 1
        if device.type == "cpu" or self.steps % LOOK_EVERY == 0:
            self._look()
        self.seconds += time.monotonic() - began

    def _micro_batch(self, instances: Longs, batch_size: int) -> tuple[Tensor, Tensor]:
        """Add the gradient of some instances of a batch. Returns their share of the loss and the number of hits."""
        batch = self.learner.collate(self._train.take(instances)).to(self.reader.hardware.device)
        with self.reader.hardware.autocast():
            output = cast(Output, self.model(batch))
        loss = total(output.losses).sum() / batch_size
        loss.backward()
        return loss.detach(), output.hits(batch.target).sum()

    def _look(self) -> None:
        """Add up the losses of the last steps. TrialError: a loss is infinite or not a number."""
        for loss, right in torch.stack(self._pending).tolist() if self._pending else ():
            if not math.isfinite(loss):
                raise self._diverged(f"the loss is {loss}")
            self._loss += loss
            self._right += int(right)
        self._pending.clear()
        self._mean = self._loss / self._seen

    def _diverged(self, what: str) -> TrialError:
        rate = self.config.rate / 10
        remedy = f"train anew, --replace, with --set rate={rate:g}, or a shorter gradient, --set clip=1"
        return TrialError(f"{what} after step {self.steps}", str(self.folder.parent), remedy)

    def _evaluate(self, phase: Phase, epoch: int, rate: float) -> None:
        """Judge the reader on the development part, and keep the state of the training."""
        self._look()
        if not all(weights.isfinite().all() for weights in self._trained):
            raise self._diverged("weights are infinite or no numbers")
        began, loss, accuracy, value = time.monotonic(), None, None, None
        if self.dev is not None:
            loss, accuracy, value = judge(self.reader, self.dev, self.measure)
            if loss is not None and not math.isfinite(loss):
                raise self._diverged(f"the loss on the dev part is {loss}")
        evaluation = Evaluation(
            phase=phase.name,
            epoch=epoch + 1,
            step=self.steps,
            loss=self._loss / self._seen,
            accuracy=None if self.learner.exact else self._right / self._seen,
            dev_loss=loss,
            dev_accuracy=accuracy,
            rate=rate,
            seconds=self.seconds,
            dev_seconds=time.monotonic() - began if self.dev is not None else 0.0,
            measure=self.measure.measure.name if self.measure else None,
            dev_value=value,
        )
        self.evaluations.append(evaluation)
        self._loss, self._right, self._seen = 0.0, 0, 0
        weights = weights_of(self.model)
        if history.best(self.config.stop, self.evaluations) == len(self.evaluations) - 1:
            self.best = {
                name: own.detach().to("cpu", copy=True).contiguous() for name, own in weights.items()
            }
        history.write(self.folder.parent, self.evaluations)
        print_note(_line(evaluation))
        moments = self._optimizer.state_dict()["state"]
        checkpoint.write(self.folder, Checkpoint(self.evaluations, weights, moments, self.best))

    def _over(self, phase: Phase) -> bool:
        own = [evaluation for evaluation in self.evaluations if evaluation.phase == phase.name]
        if not own or own[-1].epoch < phase.stop_from:
            return False
        return history.run_out(self.config.stop, phase.patience or self.config.patience, own)


def _line(last: Evaluation) -> str:
    """The line that tells an evaluation."""
    values = {
        "loss": last.loss,
        "accuracy": last.accuracy,
        "on dev loss": last.dev_loss,
        "on dev accuracy": last.dev_accuracy,
        f"on dev {last.measure}": last.dev_value,
    }
    said = ", ".join(f"{name} {value:.4f}" for name, value in values.items() if value is not None)
    return f"{last.phase}, epoch {last.epoch}: {said} ({last.seconds:,.0f} s)"
