"""The base of AS and AOA: one bidirectional GRU for the passage and one for the question.

Shapes: B instances, T tokens of a passage, Q of a question, h the width of a state.
"""

from __future__ import annotations

from torch import Tensor, nn

from anagnosis.readers.recurrent.gru import BiGRU, start_states
from anagnosis.readers.recurrent.inputs import ClozeBatch
from anagnosis.readers.recurrent.reading import AttentionSettings


class TwoGRUs(nn.Module):
    """Embeddings and GRUs; the V·d + 12hd + 12h² + 28h parameters have the program's names and order."""

    def __init__(self, words: int, config: AttentionSettings) -> None:
        super().__init__()
        self.context_h = start_states(config.hidden)
        self.question_h = start_states(config.hidden)
        self.word_embeddings = nn.Embedding(words, config.embedding)
        self.context_bigru = BiGRU(config.embedding, config.hidden)
        self.question_bigru = BiGRU(config.embedding, config.hidden)
        self.dropout = nn.Dropout(config.dropout)

    def states(self, batch: ClozeBatch, lengths: Tensor, question_lengths: Tensor) -> tuple[Tensor, Tensor]:
        """States [B, T, 2h] of the passage and [B, Q, 2h] of the question, read up to these lengths."""
        passage = self.dropout(self.word_embeddings(batch.passage))
        question = self.dropout(self.word_embeddings(batch.question))
        return (
            self.context_bigru(passage, lengths, self.context_h),
            self.question_bigru(question, question_lengths, self.question_h),
        )
