r"""The language models of a dataset's train part, in the ARPA format that SRILM and KenLM read.

    OUT/train.plain.arpa      one discount for n-grams of each length
    OUT/train.modified.arpa   three: of n-grams that are counted once, twice, more often

4-grams of the train part's sentences, in which an entity is one token (`datasets/kinds/cloze_instance.py`): the models
of the reader `lang-model`. A file:

    \data\
    ngram 1=5
    ngram 2=7

    \1-grams:
    -0.91	fever	-0.30       log₁₀ of the probability, the words, log₁₀ of the back-off weight

    \end\
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from anagnosis.datasets.export.layouts import Exported
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import sentences
from anagnosis.datasets.kinds.table import CLOZE, demand
from anagnosis.errors import InputError
from anagnosis.io.files import open_output
from anagnosis.io.paths import PathLike
from anagnosis.language import kneser_ney
from anagnosis.language.kneser_ney import LanguageModel

NEVER = "-99"  # for the logarithm of 0, as SRILM writes it


def write(path: PathLike, model: LanguageModel) -> None:
    """Write a model, all or nothing."""
    with open_output(path) as stream:
        for line in lines(model):
            stream.write(f"{line}\n".encode())


def lines(model: LanguageModel) -> Iterator[str]:
    """The lines of a model. An n-gram that ends its sentence is no context, so it has no back-off weight."""
    yield "\\data\\"
    for length, order in enumerate(model.orders, 1):
        yield f"ngram {length}={len(order.codes)}"
    texts: list[str] = []
    for length, order in enumerate(model.orders, 1):
        yield ""
        yield f"\\{length}-grams:"
        last = length == len(model.orders)
        longer: list[str] = []
        rows = zip(order.codes.tolist(), order.probabilities.tolist(), order.backoffs.tolist(), strict=True)
        for code, probability, backoff in rows:
            word = model.words[code & 0xFFFFFFFF]
            text = f"{texts[code >> 32]} {word}" if texts else word
            longer.append(text)
            ends = last or word == "</s>"
            yield f"{_log(probability)}\t{text}" + ("" if ends else f"\t{_log(backoff)}")
        texts = longer
    yield ""
    yield "\\end\\"


def _log(number: float) -> str:
    return f"{math.log10(number):.7g}" if number > 0 else NEVER


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
    if not dataset.sizes.get("train"):
        raise InputError("has no train part to count", str(dataset.folder), "export a dataset with one")
    written: list[Exported] = []
    for method in kneser_ney.METHODS:
        model = kneser_ney.train(sentences(store.instances(dataset, "train")), discounts=method)
        path = out / f"train.{method}.arpa"
        write(path, model)
        written.append(Exported(path, dataset.sizes["train"], {}))
    return written
