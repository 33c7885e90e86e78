"""BLEU-2 of CliCR, over all answers together."""

from __future__ import annotations

from anagnosis.evaluation.measures.bleu import corpus_bleu

BLEU_2 = corpus_bleu(2)
