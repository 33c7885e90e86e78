"""A part-of-speech tagger trained on the user's treebank: a linear-chain CRF by CRFsuite.

The package contains no trained model: `train` writes a model file (GENIA's: 8 MB), `load` opens it. The features of a
word are itself, its neighbours, its ends and its shape (as in Ratnaparkhi, A maximum entropy model for part-of-speech
tagging, EMNLP 1996); the weights are those of the averaged perceptron. The same sentences give the same file.
"""

from __future__ import annotations

import ctypes
import os
import re
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from anagnosis.errors import InputError, missing_extra
from anagnosis.io.files import write_bytes
from anagnosis.io.paths import PathLike, naming_faults, open_file
from anagnosis.language.tags import Tagger
from anagnosis.language.treebank import TaggedSentence

try:
    from pycrfsuite import Tagger as _Tagger  # pyright: ignore[reportAttributeAccessIssue]  (a compiled module)
    from pycrfsuite import Trainer as _Trainer  # pyright: ignore[reportAttributeAccessIssue]  (as above)
except ImportError as missing:
    raise missing_extra("python-crfsuite", "pubmedqa", "the part-of-speech tagger crf") from missing

ROUNDS = 8

_MAGIC = b"lCRF"
_MORE = 1 << 20  # bytes, more than CRFsuite writes at once
_SHAPES = ((re.compile(r"[A-Z]+"), "A"), (re.compile(r"[a-z]+"), "a"), (re.compile(r"\d+"), "0"))


def train(sentences: Iterable[TaggedSentence], path: PathLike, rounds: int = ROUNDS) -> int:
    """Train a model on `sentences` and write it to `path`, atomically; returns the number of sentences."""
    trainer = _Trainer(verbose=False)
    trainer.select("averaged-perceptron", "crf1d")
    trainer.set_params({"max_iterations": rounds})
    count = 0
    for count, sentence in enumerate(sentences, 1):  # noqa: B007 the count is returned
        trainer.append(features(sentence.words), list(sentence.tags))
    if not count:
        raise InputError("no sentence to learn from", "", "name a treebank")
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "model")
        # CRFsuite shuffles by C's rand(), whose state depends on earlier draws in this process.
        with suppress(OSError, TypeError, AttributeError):  # the C library cannot be opened without a name
            ctypes.CDLL(None).srand(1)
        trainer.train(os.fspath(model))
        written = model.read_bytes()
        # CRFsuite ignores a failed write to a full disk, but this write then fails too.
        remedy = "free some space, or set TMPDIR to another place"
        with naming_faults(model, remedy, "writing"), model.open("ab") as stream:
            stream.write(bytes(_MORE))
        write_bytes(path, written)
    return count


def load(path: PathLike | None) -> Tagger:
    """The tagger in the model file `path`."""
    if path is None:
        raise InputError("the part-of-speech tagger crf needs a model file", "", "train one on a treebank")
    _check(Path(path))
    tagger = _Tagger()
    try:
        # Not open_inmemory: it keeps no reference to the bytes that it reads later.
        tagger.open(os.fspath(path))
    except ValueError as fault:
        raise _no_model(path) from fault

    def tag(words: Sequence[str]) -> list[str]:
        # For an empty sentence CRFsuite returns the tags of the previous one.
        return tagger.tag(features(words)) if words else []

    return tag


def features(words: Sequence[str]) -> list[list[str]]:
    """The names of each word's features."""
    of_words = [_of_word(word) for word in words]
    lower = ["<<", "<", *(word.lower() for word in words), ">", ">>"]
    return [
        [
            *alone,
            f"-1={lower[at + 1]}",
            f"-2={lower[at]}",
            f"+1={lower[at + 3]}",
            f"+2={lower[at + 4]}",
            f"-1,0={lower[at + 1]} {lower[at + 2]}",
            f"0,+1={lower[at + 2]} {lower[at + 3]}",
            f"-1s={lower[at + 1][-3:]}",
            f"+1s={lower[at + 3][-3:]}",
        ]
        for at, alone in enumerate(of_words)
    ]


@lru_cache(maxsize=1 << 16)
def _of_word(word: str) -> tuple[str, ...]:
    lower = word.lower()
    shape = word
    for pattern, sign in _SHAPES:
        shape = pattern.sub(sign, shape)
    ends = (f"e{n}={lower[-n:]}" for n in (1, 2, 3, 4) if len(lower) > n)
    begins = (f"b{n}={lower[:n]}" for n in (2, 3) if len(lower) > n)
    return ("bias", f"w={lower}", f"shape={shape}", *ends, *begins)


def _check(path: Path) -> None:
    """Refuse an incomplete model: CRFsuite would read beyond its end."""
    with naming_faults(path, "check the path"), open_file(path) as stream:
        head = stream.read(8)
        size = stream.seek(0, os.SEEK_END)
    if head[:4] != _MAGIC or int.from_bytes(head[4:], "little") != size:
        raise _no_model(path)


def _no_model(path: PathLike) -> InputError:
    return InputError("not a whole model of the tagger crf", str(path), "train it again on a treebank")
