"""BLEU-4 of CliCR, over all answers together."""

from __future__ import annotations

from anagnosis.evaluation.measures.bleu import corpus_bleu

BLEU_4 = corpus_bleu(4)
