"""Load a model that writes text, T5-like or causal, from a folder on disk or a GGUF file.

    model = load("models/t5-base")                        # or load("models/SmolLM2-135M-Instruct.Q4_1.gguf")
    model.causal                                          # False: it has an encoder and a decoder, as T5

A folder has config.json, model.safetensors and the tokenizer's files, or one GGUF file, whose quantised weights become
float32. We never run code that comes with a model, and never look for one on the network.
"""

from __future__ import annotations

from contextlib import redirect_stderr
from dataclasses import dataclass
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

from anagnosis.encoders.load import WHERE, config_of, demand_fitting, first_piece, loading
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
except ImportError as missing:
    raise missing_extra("torch and transformers", "train", "a text-to-text model") from missing

GGUF = ".gguf"
_OPTIONS: dict[str, Any] = {"local_files_only": True}
_MAGIC = b"GGUF"
_WANTED = "a T5-like or causal model"
_REMEDY = "name a folder with config.json, weights and tokenizer, or a GGUF file"


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
    source, folder, options = _opened(str(name))
    # A bar of gguf's reader, which no option silences, goes to the standard error.
    with loading(source, _WANTED), redirect_stderr(StringIO()):
        config, made, writing = _without_weights(source, folder, options)
        model, info = made.from_pretrained(
            folder,
            config=config,
            dtype=torch.float32,
            output_loading_info=True,
            trust_remote_code=False,
            use_safetensors=True,
            **options,
        )
        demand_fitting(source, "model", model, info, writing.tokenizer)
    return TextModel(source, writing, model.eval())


def skeleton(folder: Path) -> TextModel:
    """A model with config and tokenizer from `load.keep` and random weights."""
    source = str(folder)
    with loading(source, _WANTED):
        config, made, writing = _without_weights(source, source, _OPTIONS)
        return TextModel(source, writing, made.from_config(config, dtype=torch.float32).eval())


def _opened(name: str) -> tuple[str, str, dict[str, Any]]:
    """The absolute path, the folder, and the options with which transformers opens what lies in it."""
    path = Path(name).expanduser().resolve()
    if not name or not (path.is_dir() or (path.is_file() and path.suffix == GGUF)):
        what = f"no folder or GGUF file {name!r}" if name else "no model is named"
        raise InputError(what, WHERE, _REMEDY)
    quantised = [path] if path.is_file() else sorted(path.glob(f"*{GGUF}"))
    if (path / "config.json").is_file():
        return str(path), str(path), _OPTIONS
    if len(quantised) != 1:
        what = f"{len(quantised)} GGUF files and no config.json in this folder"
        raise InputError(what, str(path), _REMEDY)
    if any(find_spec(package) is None for package in ("gguf", "accelerate")):
        raise missing_extra("gguf and accelerate", "train", "a GGUF file")
    with open_file(quantised[0]) as stream:
        if stream.read(len(_MAGIC)) != _MAGIC:
            raise InputError("this is no GGUF file", str(quantised[0]), _REMEDY)
    return str(path), str(quantised[0].parent), {**_OPTIONS, "gguf_file": quantised[0].name}


def _without_weights(source: str, folder: str, options: dict[str, Any]) -> tuple[Any, Any, Writing]:
    """The config, the class of transformers that loads the weights, and the tokenizer."""
    config = config_of(folder, **options)
    kind = config.model_type
    # The encoder of a T5, saved alone, no longer says that it had a decoder.
    causal = kind in CAUSAL and not getattr(config, "is_encoder_decoder", False)
    if causal and kind in MASKED and not getattr(config, "is_decoder", False):
        raise InputError(
            f"{source} is a model of type {kind}, which writes no text", WHERE, f"take {_WANTED}"
        )
    tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=False, **options)
    # Without a tokenizer's files, transformers makes one without words.
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        raise InputError(f"no tokenizer (tokenizer.json) with {source}", WHERE, "fetch the model again")
    end = first_piece(tokenizer.eos_token_id, config.eos_token_id)
    padding = first_piece(tokenizer.pad_token_id, end)
    start = None if causal else first_piece(config.decoder_start_token_id, padding)
    if end is None:
        raise InputError(f"the tokenizer of {source} has no piece that ends a text", WHERE, f"take {_WANTED}")
    limit = getattr(config, "max_position_embeddings", None)
    made = AutoModelForCausalLM if causal else AutoModelForSeq2SeqLM
    return config, made, Writing(source, tokenizer, causal, start, end, padding, limit)
