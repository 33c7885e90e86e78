"""The head of decision readers: label, its loss, and the auxiliary loss of the long answer."""

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
    """width: of the vector. auxiliary: the words of long answers to predict too, or None."""

    def __init__(self, width: int, config: LongAnswers, auxiliary: Vocabulary | None) -> None:
        super().__init__()
        self.outer = nn.Linear(width, len(LABELS))
        words = long_answer.size(auxiliary)
        # "told" is the name in the weights of saved runs.
        self.told = long_answer.WordsOfLongAnswer(width, words, config.auxiliary) if words else None

    def forward(self, vectors: Tensor, target: Tensor, answer_words: Tensor) -> Output:
        """vectors: float [n, width]; target: int64 [n]; answer_words: float [n, words of long answers]."""
        output = answered(self.outer(vectors), target)
        if self.told is not None:
            output.losses[long_answer.LOSS] = self.told(vectors, answer_words)
        return output


def answered(scores: Tensor, target: Tensor) -> Output:
    """The output with cross-entropy, 0 without a target. scores: float [n, labels]; target: int64 [n], -1 for none."""
    log_probabilities = scores.float().log_softmax(-1)
    losses = nll_loss(log_probabilities, target.clamp(min=0), reduction="none") * (target >= 0)
    return Output(log_probabilities, {LOSS: losses})
