"""Load a model that writes text, T5-like or causal, from a folder on disk or a GGUF file.

    model = load("models/t5-base")                        # or load("models/SmolLM2-135M-Instruct.Q4_1.gguf")
    model.causal                                          # False: it has an encoder and a decoder, as T5

A folder has config.json, weights and the tokenizer's files, or one GGUF file, whose quantised weights become float32.
We never run code that comes with a model, and never look for one on the network.
"""

from __future__ import annotations

import struct
from collections.abc import Generator
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

from anagnosis.encoders.load import checked_config, demand_size, first_piece, silence
from anagnosis.encoders.refusals import WHERE, demand_vectors, demand_weights, load_errors
from anagnosis.errors import InputError, missing_extra
from anagnosis.io.paths import PathLike, open_file

try:
    import torch
    from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer
    from transformers.models.auto.modeling_auto import (
        MODEL_FOR_CAUSAL_LM_MAPPING_NAMES as CAUSAL,
    )
    from transformers.models.auto.modeling_auto import (
        MODEL_FOR_MASKED_LM_MAPPING_NAMES as MASKED,
    )
    from transformers.models.auto.modeling_auto import (
        MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES as ENCODER_DECODER,
    )
except ImportError as missing:
    raise missing_extra("torch and transformers", "train", "a text-to-text model") from missing

GGUF = ".gguf"
_OPTIONS: dict[str, Any] = {"trust_remote_code": False, "local_files_only": True}
_MAGIC = b"GGUF"
_WANTED = "a T5-like or causal model"
_REMEDY = "name a folder with config.json, weights and tokenizer, or a GGUF file"
# What gguf's reader raises on damaged files beside the errors of transformers.
_GGUF_FAULTS = (OSError, struct.error, IndexError, OverflowError, TypeError, AssertionError, AttributeError)


@dataclass(frozen=True, slots=True)
class Writing:
    """A model's tokenizer, and facts about it without the weights.

    causal: it continues its input; else a decoder writes. start: the piece with which the decoder begins, None of a
    causal model. end: the piece that ends a text. limit: most pieces of a sequence, None for no limit (T5).
    """

    name: str
    tokenizer: Any
    causal: bool
    start: int | None
    end: int
    padding: int
    limit: int | None

    @property
    def around(self) -> tuple[list[int], list[int]]:
        """The special pieces before and behind an input; the input of a causal model never ends."""
        ids: list[int] = self.tokenizer("", verbose=False)["input_ids"]
        before = ids[:-1] if ids and ids[-1] == self.end else ids
        return before, [] if self.causal else ids[len(before) :]

    def pieces(self, text: str) -> list[int]:
        """The word pieces of a text, without special ones."""
        return self.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]

    def text(self, pieces: list[int]) -> str:
        """The text of word pieces, without special ones."""
        return self.tokenizer.decode(pieces, skip_special_tokens=True, clean_up_tokenization_spaces=False)


@dataclass(frozen=True, slots=True)
class TextModel:
    """A model ready to write, in evaluation mode. name: an absolute folder or file. model: a module of transformers."""

    name: str
    writing: Writing
    model: Any


def load(name: PathLike) -> TextModel:
    """The model of that folder or GGUF file, its weights as float32.

    InputError: it is missing, is an encoder, has no weights or lacks some (a T5 without its decoder), needs code of
    its own, or its tokenizer has more word pieces than the model has vectors.
    """
    source = location(str(name))
    folder, options = _opened(source)
    config, loader, writing = _without_weights(source, folder, options)
    with _faults(source):
        demand_size(folder, lambda: loader.from_config(config))
        model, info = loader.from_pretrained(
            folder, config=config, dtype=torch.float32, output_loading_info=True, **options
        )
    demand_weights(source, "model", info)
    demand_vectors(source, "model", model, writing.tokenizer)
    return TextModel(source, writing, model.eval())


def location(name: str) -> str:
    """The absolute path of the folder or GGUF file `name`. InputError: there is none."""
    path = Path(name).expanduser()
    if not name or not (path.is_dir() or (path.is_file() and path.suffix == GGUF)):
        what = f"no folder or GGUF file {name!r}" if name else "no model is named"
        raise InputError(what, WHERE, _REMEDY)
    return str(path.resolve())


def skeleton(folder: Path) -> TextModel:
    """A model with config and tokenizer from `load.keep` and random weights."""
    source = str(folder)
    config, loader, writing = _without_weights(source, source, _OPTIONS)
    with _faults(source):
        demand_size(str(folder.parent), lambda: loader.from_config(config))
        return TextModel(source, writing, loader.from_config(config, dtype=torch.float32).eval())


def _opened(source: str) -> tuple[str, dict[str, Any]]:
    """The folder, and the options with which transformers opens what lies in it."""
    path = Path(source)
    quantised = [path] if path.is_file() else sorted(path.glob(f"*{GGUF}"))
    if path.is_file() or (quantised and not (path / "config.json").is_file()):
        if len(quantised) > 1:
            raise InputError(f"{len(quantised)} GGUF files in this folder", source, "name one of them")
        if any(find_spec(package) is None for package in ("gguf", "accelerate")):
            raise missing_extra("gguf and accelerate", "train", "a GGUF file")
        with open_file(quantised[0]) as stream:
            if stream.read(len(_MAGIC)) != _MAGIC:
                raise InputError("this is no GGUF file", str(quantised[0]), _REMEDY)
        return str(quantised[0].parent), {**_OPTIONS, "gguf_file": quantised[0].name}
    if not (path / "config.json").is_file():
        raise InputError("no config.json and no GGUF file, so this is no model", source, _REMEDY)
    return source, _OPTIONS


def _loader(source: str, config: Any) -> Any:
    kind = config.model_type
    # The encoder of a T5, saved alone, no longer says that it had a decoder.
    if getattr(config, "is_encoder_decoder", False) or (kind in ENCODER_DECODER and kind not in CAUSAL):
        return AutoModelForSeq2SeqLM
    if kind not in CAUSAL or (kind in MASKED and not getattr(config, "is_decoder", False)):
        raise InputError(
            f"{source} is a model of type {kind}, which writes no text", WHERE, f"take {_WANTED}"
        )
    return AutoModelForCausalLM


def _without_weights(source: str, folder: str, options: dict[str, Any]) -> tuple[Any, Any, Writing]:
    """The config, the class of transformers that loads the weights, and the tokenizer."""
    with _faults(source):
        config = checked_config(folder, **options)
    loader = _loader(source, config)
    with _faults(source):
        tokenizer = AutoTokenizer.from_pretrained(folder, **options)
    # Without a tokenizer's files, transformers makes one without words.
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        raise InputError(f"no tokenizer (tokenizer.json) with {source}", WHERE, "fetch the model again")
    causal = loader is AutoModelForCausalLM
    end = first_piece(tokenizer.eos_token_id, config.eos_token_id)
    padding = first_piece(tokenizer.pad_token_id, end)
    start = None if causal else first_piece(config.decoder_start_token_id, padding)
    if end is None or (start is None and not causal):
        raise InputError(f"the tokenizer of {source} has no piece that ends a text", WHERE, f"take {_WANTED}")
    limit = getattr(config, "max_position_embeddings", None)
    return config, loader, Writing(source, tokenizer, causal, start, end, padding, limit)


@contextmanager
def _faults(source: str) -> Generator[None]:
    """Turn the errors of transformers and of gguf's reader into an InputError, and silence both.

    A bar of gguf's reader, which no option silences, goes to the standard error.
    """
    with load_errors(source, _WANTED), silence(), redirect_stderr(StringIO()):
        try:
            yield
        except _GGUF_FAULTS as fault:
            if GGUF not in source:
                raise
            raise ValueError(f"the file is damaged ({fault})") from fault
