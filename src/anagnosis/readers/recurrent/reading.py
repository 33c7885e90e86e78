"""Settings of the recurrent readers besides those of training."""

from __future__ import annotations

from typing import Literal

from anagnosis.readers.learning import ClozeSettings, MentionView
from anagnosis.readers.recurrent.attention import Aggregation
from anagnosis.readers.recurrent.words import Digits, Splitter
from anagnosis.recipes.values import Count, Depth, Positive, Share, Width


class RecurrentSettings(ClozeSettings, frozen=True, kw_only=True):
    """Settings of every recurrent reader besides those of training.

    embedding: width d of the word embeddings. hidden: width h of a GRU's state, in each direction.
    threshold: rarer words of the training part are unknown. most: size of the vocabulary, 0 for no limit. digits: "D"
    replaces every digit by D (BioRead). words: "biomrc" deletes punctuation as BioMRC's programs do, "blanks" splits at
    white space alone (BioRead). vectors: a word2vec file for the initial embeddings.
    """

    embedding: Width = 30
    hidden: Width = 100
    dropout: Share = 0.2
    threshold: Positive = 1
    most: Count = 0
    digits: Digits = "keep"
    words: Splitter = "biomrc"
    vectors: str = ""


class AttentionSettings(RecurrentSettings, frozen=True, kw_only=True):
    """Further settings of AS and AOA.

    aggregation: of the attention over a candidate's mentions. variant: the papers' mathematics, or the program's.

    encoder: a name on the Hugging Face hub, or a folder; "" for words and embeddings. encoder_as: replaces the
    embeddings, or as "states" the GRUs too. encoder_reads: the passage cut at the encoder's limit, or its sentences
    (encoder_sentences: the splitter) with the question's vectors averaged. encoder_trained: nothing of it, its top
    `encoder_layers`, or all. Even a frozen encoder runs in every epoch, seed and evaluation, since we do not keep the
    vectors of all tokens.
    """

    view: MentionView = "local"
    aggregation: Aggregation = "sum"
    variant: Literal["paper", "paper-bioread", "as-published"] = "paper"
    encoder: str = ""
    encoder_as: Literal["embeddings", "states"] = "embeddings"
    encoder_reads: Literal["cut", "sentences"] = "sentences"
    encoder_sentences: str = "nupunkt"
    encoder_trained: Literal["none", "top", "all"] = "none"  # encoders.trained.Trained, without transformers
    encoder_layers: Depth = 1
