"""The verb over part-of-speech taggers: train one on a treebank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from anagnosis.io.paths import PathLike


@dataclass(frozen=True, slots=True)
class TrainedTagger:
    """sentences: learnt from. repairs: what of the treebank was mended or left out, by name. sha256: of the model.

    replaced: whether a file was there.
    """

    path: Path
    sentences: int
    repairs: dict[str, int]
    sha256: str
    replaced: bool = False


def train_tagger(treebank: Sequence[PathLike], out: PathLike, *, replace: bool = False) -> TrainedTagger:
    """Train the tagger `crf` on files or folders in GENIA's .pos format or CoNLL-U with Penn tags.

    replace: overwrite a file that is there.
    """
    from anagnosis.io import outputs
    from anagnosis.io.files import sha256
    from anagnosis.language import crf_tags
    from anagnosis.language import treebank as treebanks

    counts: Counter[str] = Counter()
    with outputs.writing(out, inputs=treebank, replace=replace) as output:
        sentences = crf_tags.train(treebanks.read(treebank, counts), out)
    return TrainedTagger(output.path, sentences, dict(+counts), sha256(out), output.replaces)
