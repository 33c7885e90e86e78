"""The mean of each answer's own BLEU-4: Equation 4 of CliCR's paper."""

from __future__ import annotations

from anagnosis.evaluation.measures.bleu import mean_bleu

BLEU_4_MEAN = mean_bleu(4)
