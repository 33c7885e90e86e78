"""Load a BERT-like encoder by its name on the Hugging Face hub, or from a folder on disk.

    encoder = load("allenai/scibert_scivocab_uncased")        # or load("models/minilm")
    hidden = encoder.model(input_ids=pieces, attention_mask=mask).last_hidden_state     # [pairs, pieces, width]

A folder has config.json, model.safetensors and the tokenizer's files. We never run code that comes with an encoder. A
name is looked up in the cache of the hub's client and otherwise fetched, if there is a network.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from logging import ERROR, getLogger
from pathlib import Path
from typing import Any

import msgspec

from anagnosis.errors import InputError, missing_extra
from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_json
from anagnosis.io.paths import PathLike

os.environ["USE_HUB_KERNELS"] = "0"  # transformers would fetch kernels, which are code, where it can run them
try:
    import torch
    import transformers
    from transformers import (
        AutoConfig,
        AutoModel,
        AutoTokenizer,
        PretrainedConfig,
    )
except ImportError as missing:
    raise missing_extra("torch and transformers", "train", "an encoder") from missing

RECORD = "encoder.json"
WHERE = "encoder"  # the key of a recipe, in errors
_OPTIONS: Any = {
    "trust_remote_code": False,
    "use_safetensors": True,
    "dtype": torch.float32,
    "output_loading_info": True,
}
# A key of a config whose code is not that of torch and transformers; another could be a kernel, which is fetched code.
_FOREIGN = re.compile(r'(\w+_implementation)": (?!"eager"|"sdpa"|null)')
# The keys of a config that affect a model's output; other keys differ between versions.
_DECISIVE = ("model_type", "hidden_act", "layer_norm_eps", "num_attention_heads", "position_embedding_type")
# Encoders whose positions begin behind that of padding, not at 0.
_OFFSET = frozenset({"roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "longformer", "mpnet"})


@dataclass(frozen=True, slots=True)
class Pieces:
    """A fast tokenizer, and facts about its encoder without the weights.

    limit: most word pieces of a sequence, including special ones. width: numbers a vector. types: number of token
    types.
    """

    name: str
    tokenizer: Any
    limit: int
    width: int
    types: int
    start: int
    separator: int
    mask: int
    padding: int

    def split(self, texts: list[str]) -> list[Any]:
        """A tokenizers.Encoding for each text, without special pieces: `ids`, and places by `char_to_token`."""
        return self.tokenizer.backend_tokenizer.encode_batch(texts, add_special_tokens=False)


@dataclass(frozen=True, slots=True)
class Encoder:
    """An encoder, ready to run in evaluation mode, without its pooler.

    name: on the hub, or an absolute folder. model: a torch module of transformers. digest: hexadecimal, of weights,
    tokenizer and decisive settings, independent of the folder.
    """

    name: str
    pieces: Pieces
    model: Any
    digest: str


def load(name: PathLike) -> Encoder:
    """The encoder of that name or folder.

    InputError: it is missing and cannot be fetched, has no weights or lacks a layer, or its tokenizer has no [MASK] or
    more word pieces than the encoder has vectors.
    """
    source = location(str(name))
    if not source or (Path(source).is_dir() and not (Path(source) / "config.json").is_file()):
        what = f"no config.json in {source!r}, so this is no encoder" if source else "no encoder is named"
        raise InputError(what, WHERE, "name a folder, or an encoder of the Hugging Face hub")
    with loading(source):
        pieces = _pieces(source, config_of(source))
        model, info = AutoModel.from_pretrained(source, **_OPTIONS)
        demand_fitting(source, "encoder", model, info, pieces.tokenizer, unused=("pooler.",))
    if getattr(model, "pooler", None) is not None:
        model.pooler = None  # the layer above [CLS], which we do not use
    model.eval()
    # A config may fit the weights and still be none of a model that reads text alone.
    with loading(pieces.name), torch.inference_mode():
        vectors = model(input_ids=torch.tensor([[pieces.start, pieces.separator]])).last_hidden_state
        if vectors.shape[-1] != pieces.width:
            fault = f"its vectors have {vectors.shape[-1]} numbers, not the {pieces.width} of its config"
            raise ValueError(fault)
    return Encoder(pieces.name, pieces, model, digest(model, pieces.tokenizer))


def demand_fitting(
    name: str, what: str, model: Any, info: Mapping[str, Any], tokenizer: Any, unused: tuple[str, ...] = ()
) -> None:
    """Refuse (InputError) weights that lack parameters of a model, or a tokenizer with more pieces than vectors.

    what: the model is, such as "encoder". info: the loading info of transformers. unused: how the names of parameters
    begin that may be missing.
    """
    lacking = sorted(key for key in info["missing_keys"] if not key.startswith(unused))
    lacking += [str(key[0] if isinstance(key, tuple) else key) for key in info["mismatched_keys"]]
    if lacking:
        fault = f"the weights of {name} lack {len(lacking)} of the {what}'s parameters ({lacking[0]} …)"
        raise InputError(fault, WHERE, f"fetch it again, or take another {what}")
    vectors = len(model.get_input_embeddings().weight)
    if len(tokenizer) > vectors:
        fault = f"the tokenizer of {name} has {len(tokenizer):,} pieces, its {what} vectors for {vectors:,}"
        raise InputError(fault, WHERE, f"take both from the same {what}")


def location(name: str) -> str:
    """The absolute folder if `name` is one, else the name; run folders record it."""
    folder = Path(name).expanduser()
    return str(folder.resolve()) if name and folder.is_dir() else name


def skeleton(folder: Path) -> tuple[Pieces, Any]:
    """An encoder with config and tokenizer from `keep` and random weights."""
    with loading(str(folder)):
        config = config_of(str(folder))
        pieces = _pieces(str(folder), config)
        try:
            return pieces, AutoModel.from_config(config, add_pooling_layer=False)
        except TypeError:  # some encoders have no pooler and no such option
            return pieces, AutoModel.from_config(config)


def keep(model: Any, tokenizer: Any, folder: Path) -> None:
    """Write config and tokenizer for `skeleton`; the weights are kept elsewhere."""
    folder.mkdir(parents=True, exist_ok=True)
    with loading(str(folder)):
        model.config.save_pretrained(folder)
        tokenizer.save_pretrained(folder)


def config_of(source: str, **options: Any) -> Any:
    """The config in a folder, or of that name on the hub; inside `loading`. options: of transformers.

    InputError: it asks for kernels of the hub.
    """
    plain, _ = PretrainedConfig.get_config_dict(source, **options)
    if foreign := _FOREIGN.search(json.dumps(plain)):
        remedy = f"remove {foreign[1]} from its config.json"
        raise InputError("its config names an implementation of others, which is never run", source, remedy)
    return AutoConfig.from_pretrained(source, trust_remote_code=False, **options)


def digest(model: Any, tokenizer: Any) -> str:
    """SHA-256, in hexadecimal, of an encoder's weights, tokenizer and decisive settings."""
    sha = hashlib.sha256()
    config: dict[str, Any] = model.config.to_dict()
    sha.update(json.dumps({key: config.get(key) for key in _DECISIVE}, sort_keys=True).encode())
    written = json.loads(tokenizer.backend_tokenizer.to_str())
    # Callers set truncation and padding, which change from call to call.
    for key in ("truncation", "padding", "version"):
        written.pop(key, None)
    sha.update(json.dumps(written, sort_keys=True).encode())
    for name, weight in sorted(model.state_dict().items()):
        if weight.is_floating_point():
            sha.update(f"{name} {tuple(weight.shape)}".encode())
            sha.update(weight.detach().cpu().float().contiguous().numpy().data)
    return sha.hexdigest()


class Record(msgspec.Struct, frozen=True):
    """The name or path of a frozen encoder, and its digest, in a run folder."""

    name: str
    digest: str


def record_frozen(encoder: Encoder, folder: Path) -> None:
    write_json(folder / RECORD, Record(encoder.name, encoder.digest), indent=1)


def recorded(folder: Path) -> Record:
    return read_json(folder / RECORD, Record, "this is no run of a reader over an encoder")


def restore_frozen(named: str, folder: Path) -> Encoder:
    """Load the recorded encoder, whose digest must be the same. named: a folder to which it may have moved."""
    before = recorded(folder)
    encoder = load(named if Path(named).expanduser().is_dir() else before.name)
    if encoder.digest != before.digest:
        what = f"the encoder {encoder.name} is another one than at the training"
        raise InputError(what, str(folder), "put the old one back, or train again")
    return encoder


def _pieces(source: str, config: Any) -> Pieces:
    tokenizer = AutoTokenizer.from_pretrained(source, trust_remote_code=False)
    # Without a tokenizer's files, transformers makes one without words.
    if not tokenizer.is_fast or len(tokenizer) <= len(tokenizer.all_special_ids):
        what = f"no fast tokenizer (tokenizer.json or vocab.txt) with {source}"
        raise InputError(what, WHERE, "fetch the encoder again, or take another")
    special = {
        "[CLS]": first_piece(tokenizer.cls_token_id, tokenizer.bos_token_id),
        "[SEP]": first_piece(tokenizer.sep_token_id, tokenizer.eos_token_id),
        "[MASK]": tokenizer.mask_token_id,
        "[PAD]": tokenizer.pad_token_id,
    }
    if lacking := [token for token, number in special.items() if number is None]:
        what = f"the tokenizer of {source} has no {', '.join(lacking)}"
        raise InputError(what, WHERE, "take a BERT-like encoder")
    tokenizer.backend_tokenizer.no_truncation()
    tokenizer.backend_tokenizer.no_padding()
    limit = getattr(config, "max_position_embeddings", 0) or 512
    if config.model_type in _OFFSET:
        limit -= (getattr(config, "pad_token_id", 1) or 0) + 1
    types = getattr(config, "type_vocab_size", 0) or 0
    return Pieces(source, tokenizer, limit, config.hidden_size, types, *special.values())


def first_piece(*numbers: Any) -> Any:
    """The first piece that is named, None for none; a config may name several that end a text."""
    named = (number[0] if isinstance(number, list) and number else number for number in numbers)
    return next((number for number in named if isinstance(number, int)), None)


@contextmanager
def loading(name: str, wanted: str = "a BERT-like encoder") -> Generator[None]:
    """One InputError for what transformers raises, without its reports and bars. wanted: what to take instead."""
    logging, hub = transformers.logging, getLogger("huggingface_hub")
    before = logging.get_verbosity(), logging.is_progress_bar_enabled(), hub.level
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    hub.setLevel(ERROR)
    try:
        yield
    except InputError:
        raise
    except Exception as fault:  # a config of wrong types raises any
        message = " ".join(str(fault).split()) or type(fault).__name__
        what = f"does not load: {message[:200]}"
        remedy = (
            f"fetch it again, or take another: {wanted}, whose weights save_pretrained() wrote as safetensors"
        )
        if not Path(name).expanduser().exists() and (isinstance(fault, OSError) or "Repo id" in message):
            what = "no encoder of that name is here or could be fetched"
            remedy = f"name a folder, or fetch it once where there is a network: `hf download {name}`"
        elif "remote code" in message or "trust_remote_code" in message:
            what = "needs code of its own, which is never run"
        raise InputError(what, name, remedy) from fault
    finally:
        logging.set_verbosity(before[0])
        if before[1]:
            logging.enable_progress_bar()
        hub.setLevel(before[2])
