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
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from anagnosis.progress import Progress
from anagnosis.readers.learning import Learner, Output, Phase, Settings
from anagnosis.training.loop import history, order
from anagnosis.training.loop.checkpoint import (
    Checkpoint,
    Position,
    load_weights,
    weights_of,
    write_checkpoint,
)
from anagnosis.training.loop.dev_measure import DevMeasure
from anagnosis.training.loop.devices import Hardware, draw_anew
from anagnosis.training.loop.endings import TrialError, at_once
from anagnosis.training.loop.evaluating import judge, total
from anagnosis.training.loop.examples import DrawnExamples, Examples
from anagnosis.training.loop.history import Evaluation
from anagnosis.training.loop.learning_rate import Schedule, optimizer, schedule

LOOK_EVERY = 16  # steps between two reads of a GPU's losses, each of which waits for the GPU


class TrainingLoop:
    """One training, from the beginning or from a checkpoint. `run` trains; `position` and `best` hold the results.

    folder: of its checkpoints. begins: the checkpoint to continue from.
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
        *,
        begins: Checkpoint | None = None,
        steps: int | None = None,
        report: Callable[[Sequence[Evaluation]], None] | None = None,
        measure: DevMeasure | None = None,
    ) -> None:
        self.config, self.learner, self.model = config, learner, model
        self.train, self.dev, self.hardware = train, dev, hardware
        self._trained_on = DrawnExamples(train, learner) if learner.drawing else train
        self.folder, self.most_steps, self.report = folder, steps, report
        self.measure = measure
        self.position = begins.position if begins else Position()
        self.best = begins.best if begins else None
        self._moments = begins.moments if begins else None
        if begins is not None:
            load_weights(model, begins.weights, folder)
        self.phases: Sequence[Phase] = learner.phases()
        self._chosen = self._trained_on.answered
        self.per_epoch = math.ceil(len(self._chosen) / config.batch)
        self._optimizer: Optimizer | None = None
        self._schedule: Schedule | None = None
        self._trained: list[nn.Parameter] = []
        self._pending: list[Tensor] = []
        self._loss = math.nan

    def run(self) -> None:
        """Train to the end."""
        while self.position.phase < len(self.phases) and not self._spent():
            self._phase(self.phases[self.position.phase])

    def _phase(self, phase: Phase) -> None:
        here, config, epochs = self.position, self.config, self.config.epochs
        for name, weights in self.model.named_parameters():
            weights.requires_grad_(phase.trained(name))
        self._trained = [weights for weights in self.model.parameters() if weights.requires_grad]
        self._schedule = schedule(config, phase.rate or config.rate, self.per_epoch, epochs)
        self._optimizer = optimizer(config, self._trained)
        if self._moments is not None:
            groups = self._optimizer.state_dict()["param_groups"]
            self._optimizer.load_state_dict({"state": self._moments, "param_groups": groups})
            self._moments = None
        while here.epoch < epochs and not self._over(phase) and not self._spent():
            if here.step == 0 and self._schedule.starts_anew(here.epoch):
                self._optimizer.state.clear()
            self._epoch(phase, epochs)
        here.phase, here.epoch, here.step = here.phase + 1, 0, 0

    def _epoch(self, phase: Phase, epochs: int) -> None:
        here = self.position
        numbers = (self.config.seed, here.phase, here.epoch)
        if isinstance(self._trained_on, DrawnExamples):
            self._trained_on.begin(*numbers)
        batches = order.batches(self._chosen, self._trained_on.sizes, self.config.batch, *numbers)
        phase_name = f"{phase.name}, " if len(self.phases) > 1 else ""
        label = f"{phase_name}epoch {here.epoch + 1} of at most {epochs}"
        with Progress(label, sum(map(len, batches[here.step :])), "instances") as bar:
            while True:
                if not here.judged and self._due(epochs):
                    self._judge(phase)
                    self._save()
                    if self._over(phase):
                        return
                if here.step == len(batches) or self._spent():
                    break
                batch = batches[here.step]
                self._step(batch)
                bar.advance(len(batch), note=self._note())
        if not self._spent():
            here.epoch, here.step = here.epoch + 1, 0

    def _step(self, batch: order.Indices) -> None:
        """One step on the instances of `batch`."""
        here, config, hardware = self.position, self.config, self.hardware
        assert self._optimizer is not None
        assert self._schedule is not None
        began = time.monotonic()
        # The 0 changes nothing but the draws, which are those of the runs on docs/results*.md.
        draw_anew(config.seed, here.phase, here.epoch, here.step, 0)
        self.model.train()
        self._optimizer.zero_grad(set_to_none=True)
        for group in self._optimizer.param_groups:
            group["lr"] = self._schedule.at(here.epoch * self.per_epoch + here.step)
        loss = right = torch.zeros((), device=hardware.device)
        sizes = self._trained_on.sizes
        for micro_batch in order.micro_batches(order.by_length(batch, sizes), sizes, config.tokens):
            with at_once("training", sizes[micro_batch].tolist(), config.tokens):
                share, hits = self._micro_batch(micro_batch, len(batch))
                loss, right = loss + share, right + hits
        sums = torch.stack([loss * len(batch), right.to(loss.dtype)])
        if config.clip:
            nn.utils.clip_grad_norm_(self._trained, config.clip)
        self._optimizer.step()
        self._pending.append(sums)
        here.seen += len(batch)
        here.step += 1
        here.total += 1
        here.judged = False
        if hardware.device.type == "cpu" or here.total % LOOK_EVERY == 0:
            self._look()
        here.seconds += time.monotonic() - began

    def _micro_batch(self, instances: order.Indices, batch_size: int) -> tuple[Tensor, Tensor]:
        """Add the gradient of some instances of a batch. Returns their share of the loss and the number of hits."""
        batch = self.learner.collate(self._trained_on.take(instances)).to(self.hardware.device)
        with self.hardware.autocast():
            output = cast(Output, self.model(batch))
        loss = total(output.losses).sum() / batch_size
        loss.backward()
        hits = output.hits(batch.target).sum()
        return loss.detach(), hits

    def _look(self) -> None:
        """Add the losses of the last steps to the position. TrialError: a loss is infinite or not a number."""
        here = self.position
        if not self._pending:
            return
        steps = torch.stack(self._pending).tolist()
        self._pending.clear()
        for step, (loss, right) in enumerate(steps, here.total - len(steps) + 1):
            if not math.isfinite(loss):
                raise self._diverged(f"the loss of step {step} is {loss}")
            here.loss += loss
            here.right += int(right)
        self._loss = here.loss / here.seen

    def _diverged(self, what: str) -> TrialError:
        rate = self.config.rate / 10
        remedy = f"train anew, --replace, with a lower rate, --set rate={rate:g}, or a shorter gradient, --set clip=1"
        return TrialError(what, f"epoch {self.position.epoch + 1}", remedy)

    def _judge(self, phase: Phase) -> None:
        here, config = self.position, self.config
        assert self._schedule is not None
        self._look()
        judged = None
        if self.dev is not None:
            judged = judge(self.model, self.learner, self.dev, self.hardware, config.tokens, self.measure)
            if not math.isfinite(judged.loss):
                raise self._diverged(f"the loss on the dev part is {judged.loss} after step {here.total}")
        at = here.epoch * self.per_epoch + here.step - 1
        evaluation = Evaluation(
            phase=phase.name,
            epoch=here.epoch + 1,
            step=here.total,
            loss=here.loss / max(1, here.seen),
            accuracy=here.right / max(1, here.seen),
            dev_loss=judged.loss if judged else None,
            dev_accuracy=judged.accuracy if judged else None,
            rate=self._schedule.at(at),
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
        if self.report is not None:
            self.report(here.evaluations)

    def _due(self, epochs: int) -> bool:
        """Whether an evaluation is due after the last step."""
        here, every = self.position, self.config.evaluate_every
        done = here.epoch * self.per_epoch + here.step
        if self._spent() or done == epochs * self.per_epoch:
            return True
        return done % every == 0 if every else here.step == self.per_epoch

    def _over(self, phase: Phase) -> bool:
        here, config = self.position, self.config
        mine = [evaluation for evaluation in here.evaluations if evaluation.phase == phase.name]
        if not here.judged or not mine or mine[-1].epoch < phase.stop_from:
            return False
        return history.run_out(config.stop, phase.patience or config.patience, mine)

    def _spent(self) -> bool:
        return self.most_steps is not None and self.position.total >= self.most_steps

    def _save(self) -> None:
        assert self._optimizer is not None
        moments = self._optimizer.state_dict()["state"]
        checkpoint = Checkpoint(self.position, weights_of(self.model), moments, self.best)
        write_checkpoint(self.folder, checkpoint)

    def _note(self) -> str:
        assert self._optimizer is not None
        return f"loss {self._loss:.3f}, rate {self._optimizer.param_groups[0]['lr']:.2g}"
