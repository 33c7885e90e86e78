"""Language models in the ARPA format, which SRILM and KenLM read.

    \\data\\
    ngram 1=5
    ngram 2=7

    \\1-grams:
    -0.91	fever	-0.30       log₁₀ of the probability, the words, log₁₀ of the back-off weight

    \\end\\
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from anagnosis.io.files import open_output
from anagnosis.io.paths import PathLike
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
