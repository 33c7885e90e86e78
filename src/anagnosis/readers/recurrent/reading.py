"""What the recipes of the recurrent readers say besides the training."""

from __future__ import annotations

from typing import Literal

from anagnosis.readers.learning import ClozeSettings
from anagnosis.readers.recurrent.attention import Aggregation
from anagnosis.readers.recurrent.words import Digits
from anagnosis.recipes.values import Count, Depth, Positive, Share, Width


class Reading(ClozeSettings, frozen=True, kw_only=True):
    """What every recurrent reader's recipe says besides the training.

    embedding: width d of the word embeddings. hidden: width h of a GRU's state, in each direction.
    threshold: words that occur less often in training are unknown. most: so many of the most frequent words, 0
    for all. digits: "D" writes every digit so (BioRead). vectors: a word2vec file for the first embeddings.
    """

    embedding: Width = 30
    hidden: Width = 100
    dropout: Share = 0.2
    threshold: Positive = 1
    most: Count = 0
    digits: Digits = "keep"
    vectors: str = ""


class AttentionReading(Reading, frozen=True, kw_only=True):
    """What AS's and AOA's recipes say besides.

    aggregation: of the attention over a candidate's mentions. variant: the papers' mathematics, or the program's.

    encoder: a name of the Hugging Face hub, or a folder; none: words and embeddings of the reader's own. encoder_as:
    in place of the embeddings, or its vectors are the states, in place of the GRUs too. encoder_reads: the passage
    cut at the encoder's limit, or its sentences (encoder_sentences: the splitter), the question's vectors averaged.
    encoder_trained: nothing of it, its top `encoder_layers`, or all. A frozen one is run again too in every epoch,
    seed and evaluation: its vectors of all tokens are not kept.
    """

    aggregation: Aggregation = "sum"
    variant: Literal["paper", "paper-bioread", "as-published"] = "paper"
    encoder: str = ""
    encoder_as: Literal["embeddings", "states"] = "embeddings"
    encoder_reads: Literal["cut", "sentences"] = "sentences"
    encoder_sentences: str = "nupunkt"
    encoder_trained: Literal["none", "top", "all"] = "none"  # encoders.trained.Trained, without transformers
    encoder_layers: Depth = 1
