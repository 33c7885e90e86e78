"""A cross-encoder as a highlighter: a sequence classifier of the hub or a folder reads question and sentence as a pair.

    load_cross_encoder("ncbi/MedCPT-Cross-Encoder")        # one label: its logit orders
    load_cross_encoder("models/nli:entailment")            # several labels: the one that is named orders

Source: Nogueira and Cho 2019, "Passage Re-ranking with BERT". A score is the logistic function of the logit; of several
labels it is the softmax (the logistic function, if the config says that several may hold at once).
trained_highlighting.py decides which sentences are read; the rank of a passage counts as with trained readers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn.functional import log_softmax, logsigmoid

from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.encoders import load
from anagnosis.encoders.load import Pieces, transformers
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.paths import PathLike
from anagnosis.progress import TextCounts
from anagnosis.searching.sentences.highlighting import Scorer
from anagnosis.searching.sentences.trained_highlighting import UNFITTED, TrainedHighlighter
from anagnosis.training.loop.devices import Hardware

CUT = "pairs of question and sentence were cut at the cross-encoder's limit"
_SAYS = "how well it answers, as this cross-encoder judges question and sentence together"
_TOGETHER = 8  # pairs, whatever their length
_LISTED = 20  # labels in an error
_SEVERAL_HOLD = "multi_label_classification"


@dataclass(frozen=True, slots=True)
class CrossEncoder:
    """A loaded cross-encoder, a SentenceReader. label: the number of the one that orders."""

    pieces: Pieces
    model: Any
    hardware: Hardware
    label: int

    def answers(self, instances: Sequence[EvidenceInstance], title: str) -> list[list[float]]:
        """Log probabilities of each instance's sentences. InputError: some are infinite or undefined."""
        pairs = [(one.question, sentence.text) for one in instances for sentence in one.sentences]
        counts, values = TextCounts(CUT), list[float]()
        with self.hardware.computing(), torch.inference_mode():
            for begin in range(0, len(pairs), _TOGETHER):
                values += self._log_probabilities(pairs[begin : begin + _TOGETHER], counts)
        counts.report(title)
        if not np.isfinite(values).all():
            what = f"{title} gives infinite or undefined numbers"
            raise InputError(what, "--cross-encoder", "take another cross-encoder")
        every = iter(values)
        return [[next(every) for _ in one.sentences] for one in instances]

    def _log_probabilities(self, pairs: list[tuple[str, str]], counts: TextCounts) -> list[float]:
        """Of the label that orders, for each pair; counts those that were cut."""
        read: Any = self.pieces.tokenizer(
            pairs,
            truncation="longest_first",
            max_length=self.pieces.limit,
            padding=True,
            return_tensors="pt",
            return_token_type_ids=self.pieces.types > 1,
        )
        counts[CUT] += sum(bool(encoding.overflowing) for encoding in read.encodings)
        logits = self.model(**read.to(self.hardware.device)).logits.double()
        alone = logits.shape[1] == 1 or self.model.config.problem_type == _SEVERAL_HOLD
        return (logsigmoid(logits) if alone else log_softmax(logits, 1))[:, self.label].tolist()


def load_cross_encoder(
    name: PathLike, device: str = "auto", threads: int | None = None
) -> TrainedHighlighter:
    """Load a cross-encoder: its name on the hub or its folder, and a label as NAME:LABEL where it has several.

    InputError: as encoders.load; or no label is named of several, or one that it lacks.
    """
    place, colon, label = str(name).rpartition(":")
    # A colon may also be a folder's, a drive's or an address's.
    if not colon or "/" in label or "\\" in label or Path(name).expanduser().is_dir():
        place, label = str(name), ""
    made = transformers.AutoModelForSequenceClassification
    pieces, model = load.loaded(place, made, "cross-encoder", ignore_mismatched_sizes=True)
    labels = {str(words): number for number, words in model.config.id2label.items()}
    if label and label not in labels:
        raise unknown_name("label", label, labels, place)
    if not label and len(model.config.id2label) > 1:
        listed = ", ".join(list(labels)[:_LISTED]) + (", …" if len(labels) > _LISTED else "")
        what = f"has several labels ({listed})"
        raise InputError(what, place, f"name the one that orders: {place}:LABEL")
    # A page does not tell where folders are.
    called = Path(place).expanduser().resolve().name if Path(place).expanduser().is_dir() else place
    hardware = Hardware(device, "float32", threads)
    reader = CrossEncoder(pieces, model.to(hardware.device), hardware, labels.get(label, 0))
    about = Scorer(f"{called}:{label}" if label else called, _SAYS)
    return TrainedHighlighter(about, UNFITTED, reader, slow=True)
