"""Load a T5-like model, whose decoder writes text, from a folder on disk.

    model = load("models/t5-base")

A folder has config.json, model.safetensors and the tokenizer's files. We never run code that comes with a model, and
never look for one on the network.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anagnosis.encoders.load import WHERE, config_of, demand_fitting, first_piece, loading
from anagnosis.errors import InputError, missing_extra
from anagnosis.io.paths import PathLike

try:
    import torch
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer
    from transformers.models.auto.modeling_auto import (
        MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES as WITH_DECODER,
    )
except ImportError as missing:
    raise missing_extra("torch and transformers", "train", "a text-to-text model") from missing

_OPTIONS: dict[str, Any] = {"local_files_only": True}
_WANTED = "a T5-like model"


@dataclass(frozen=True, slots=True)
class Writing:
    """A model's tokenizer, and facts about it without the weights.

    start: the piece with which the decoder begins. end: the piece that ends a text. limit: most pieces of an input and
    of a text, None for no limit (T5).
    """

    tokenizer: Any
    start: int
    end: int
    padding: int
    limit: int | None

    @property
    def around(self) -> tuple[list[int], list[int]]:
        """The special pieces before and behind an input."""
        ids: list[int] = self.tokenizer("", verbose=False)["input_ids"]
        before = ids[:-1] if ids and ids[-1] == self.end else ids
        return before, ids[len(before) :]

    def pieces(self, text: str) -> list[int]:
        """The word pieces of a text, without special ones."""
        return self.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]

    def text(self, pieces: list[int]) -> str:
        """The text of word pieces, without special ones."""
        return self.tokenizer.decode(pieces, skip_special_tokens=True, clean_up_tokenization_spaces=False)


@dataclass(frozen=True, slots=True)
class TextModel:
    """A model ready to write, in evaluation mode. model: a module of transformers."""

    writing: Writing
    model: Any


def load(name: PathLike) -> TextModel:
    """The model of that folder, its weights as float32.

    InputError: it is missing, has no decoder of its own (an encoder, a causal model), has no weights or lacks some (a
    T5 without its decoder), needs code of its own, or its tokenizer has more word pieces than the model has vectors.
    """
    folder = Path(name).expanduser().resolve()
    if not str(name) or not (folder / "config.json").is_file():
        what = f"no folder {str(name)!r} with a config.json" if str(name) else "no model is named"
        raise InputError(what, WHERE, f"name the folder of {_WANTED}: config.json, weights and tokenizer")
    source = str(folder)
    with loading(source, _WANTED):
        config, writing = _without_weights(source)
        model, info = AutoModelForSeq2SeqLM.from_pretrained(
            source,
            config=config,
            dtype=torch.float32,
            output_loading_info=True,
            trust_remote_code=False,
            use_safetensors=True,
            **_OPTIONS,
        )
        demand_fitting(source, "model", model, info, writing.tokenizer)
    return TextModel(writing, model.eval())


def skeleton(folder: Path) -> TextModel:
    """A model with config and tokenizer from `load.keep` and random weights."""
    source = str(folder)
    with loading(source, _WANTED):
        config, writing = _without_weights(source)
        return TextModel(writing, AutoModelForSeq2SeqLM.from_config(config, dtype=torch.float32).eval())


def _without_weights(source: str) -> tuple[Any, Writing]:
    """The config, and the tokenizer."""
    config = config_of(source, **_OPTIONS)
    if config.model_type not in WITH_DECODER:
        what = f"{source} is a model of type {config.model_type}, which has no decoder of its own"
        remedy = f"take {_WANTED}; a causal one is asked through a server (docs/language_models.md)"
        raise InputError(what, WHERE, remedy)
    tokenizer = AutoTokenizer.from_pretrained(source, trust_remote_code=False, **_OPTIONS)
    # Without a tokenizer's files, transformers makes one without words.
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        raise InputError(f"no tokenizer (tokenizer.json) with {source}", WHERE, "fetch the model again")
    end = first_piece(tokenizer.eos_token_id, config.eos_token_id)
    if end is None:
        raise InputError(f"the tokenizer of {source} has no piece that ends a text", WHERE, f"take {_WANTED}")
    padding = first_piece(tokenizer.pad_token_id, end)
    start = first_piece(config.decoder_start_token_id, padding)
    limit = getattr(config, "max_position_embeddings", None)
    return config, Writing(tokenizer, start, end, padding, limit)
