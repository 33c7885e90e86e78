"""From one vector of an instance to its label, to the loss of that, and to what the long answer teaches beside."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn.functional import nll_loss

from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.readers.decisions import long_answer
from anagnosis.readers.decisions.long_answer import LongAnswers
from anagnosis.readers.decisions.vocabulary import Vocabulary
from anagnosis.readers.learning import Output

LOSS = "label"


class LabelHead(nn.Module):
    """width: of the vector. told: the words of long answers that it is to tell too, None for none."""

    def __init__(self, width: int, config: LongAnswers, told: Vocabulary | None) -> None:
        super().__init__()
        self.outer = nn.Linear(width, len(LABELS))
        words = long_answer.size(told)
        self.told = long_answer.WordsOfLongAnswer(width, words, config.auxiliary) if words else None

    def forward(self, vectors: Tensor, target: Tensor, held: Tensor) -> Output:
        """vectors: float [n, width]; target: int64 [n]; held: float [n, words of long answers]."""
        output = answered(self.outer(vectors), target)
        if self.told is not None:
            output.losses[long_answer.LOSS] = self.told(vectors, held)
        return output


def answered(scores: Tensor, target: Tensor) -> Output:
    """scores: float [n, labels]; target: int64 [n], -1 where there is none. Cross-entropy, 0 without a target."""
    found = scores.float().log_softmax(-1)
    losses = nll_loss(found, target.clamp(min=0), reduction="none") * (target >= 0)
    return Output(found, {LOSS: losses})
