"""The language models of a dataset's train part, in the ARPA format that SRILM and KenLM read.

    OUT/train.plain.arpa      one discount for n-grams of each length
    OUT/train.modified.arpa   three: of n-grams that are counted once, twice, more often

4-grams of the train part's sentences, in which an entity is one token (`datasets/kinds/cloze_instance.py`): the models
of the reader `lang-model`.
"""

from __future__ import annotations

from pathlib import Path

from anagnosis.datasets.export.layouts import Exported
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import sentences
from anagnosis.datasets.kinds.table import CLOZE, demand
from anagnosis.errors import InputError
from anagnosis.language import arpa, kneser_ney


def models(dataset: store.Dataset, out: Path, view: str | None) -> list[Exported]:
    """Write a file for each method of discounting. InputError: another kind, no train part, local numbers, a view."""
    demand(dataset.kind, CLOZE, str(dataset.folder))
    if view is not None:
        raise InputError("a language model has a view of its own", f"--view {view}", "leave --view out")
    if dataset.numbering == "local":
        raise InputError(
            "a language model needs entities that have the same number in each instance",
            str(dataset.folder),
            "use a dataset with global numbers",
        )
    if not dataset.rows.get("train"):
        raise InputError("has no train part to count", str(dataset.folder), "export a dataset with one")
    written: list[Exported] = []
    for method in kneser_ney.METHODS:
        model = kneser_ney.train(sentences(store.instances(dataset, "train")), discounts=method)
        path = out / f"train.{method}.arpa"
        arpa.write(path, model)
        written.append(Exported(path, dataset.rows["train"], {}))
    return written
