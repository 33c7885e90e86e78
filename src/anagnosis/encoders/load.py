"""Load a BERT-like encoder by its name on the Hugging Face hub, or from a folder on disk.

    encoder = load("allenai/scibert_scivocab_uncased")        # or load("models/minilm")
    hidden = encoder.model(input_ids=pieces, attention_mask=mask).last_hidden_state     # [pairs, pieces, width]

A folder has config.json, weights (model.safetensors, else pytorch_model.bin, read without running code in it) and the
tokenizer's files. We never run code that comes with an encoder. A name is looked up in the cache of the hub's client
and otherwise fetched, if there is a network.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from logging import ERROR, getLogger
from pathlib import Path
from typing import Any

import msgspec

from anagnosis.encoders.refusals import WHERE, demand_vectors, demand_weights, load_errors
from anagnosis.errors import InputError, missing_extra
from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_json
from anagnosis.io.paths import PathLike

os.environ["USE_HUB_KERNELS"] = "0"  # transformers would fetch kernels, which are code, where it can run them
try:
    import torch
    import transformers
    from torch import nn
    from transformers import (
        AutoConfig,
        AutoModel,
        AutoModelForSequenceClassification,
        AutoTokenizer,
        PretrainedConfig,
    )
except ImportError as missing:
    raise missing_extra("torch and transformers", "train", "an encoder") from missing

RECORD = "encoder.json"
# Part of a config's key → the most of what it counts: transformers makes as many objects, whatever the weights are.
_MOST = {"layer": 1_000, "block": 1_000, "group": 1_000, "expert": 1_000, "label": 1_000_000}
_OURS = ("eager", "sdpa")  # implementations of attention whose code is that of torch and transformers
_OPTIONS: Any = {"trust_remote_code": False, "dtype": torch.float32, "output_loading_info": True}
_PACKED = 8  # at most so many parameters a byte of weights, and so many beside them
_SLACK = 1 << 24
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
    name = str(name)
    source = location(name)
    config = _config(name, source)
    pieces = _pieces(name, source, config)
    model = _model(name, source, config)
    demand_vectors(name, "encoder", model, pieces.tokenizer)
    # A config may fit the weights and still be none of a model that runs.
    with load_errors(name), torch.inference_mode():
        vectors = model(input_ids=torch.tensor([[pieces.start, pieces.separator]])).last_hidden_state
        if vectors.shape != (1, 2, pieces.width):
            raise ValueError(
                f"its vectors have {vectors.shape[-1]} numbers, not the {pieces.width} of its config"
            )
    return Encoder(source, pieces, model, digest(model, pieces.tokenizer))


def load_cross_encoder(name: PathLike) -> tuple[Pieces, Any]:
    """The tokenizer, and the sequence classifier of transformers with its head, of that name or folder.

    InputError: as `load`; or the weights have no head, as those of an encoder.
    """
    name = str(name)
    source = location(name)
    config = _config(name, source)
    pieces = _pieces(name, source, config)
    with load_errors(name), silence():
        demand_size(source, lambda: AutoModelForSequenceClassification.from_config(config))
        model, info = AutoModelForSequenceClassification.from_pretrained(
            source, ignore_mismatched_sizes=True, **_OPTIONS
        )
    demand_weights(name, "cross-encoder", info)
    demand_vectors(name, "cross-encoder", model, pieces.tokenizer)
    with load_errors(name), torch.inference_mode():
        logits = model.eval()(input_ids=torch.tensor([[pieces.start, pieces.separator]])).logits
        if logits.shape != (1, len(config.id2label)):
            raise ValueError(f"its logits are {tuple(logits.shape)}, not the labels of its config")
    return pieces, model


def location(name: str) -> str:
    """The absolute folder if `name` is one, else the name; run folders record it."""
    folder = Path(name).expanduser()
    if name and folder.is_dir():
        return str(folder.resolve())
    looks_like_path = name.startswith((".", "/", "~")) or name.count("/") > 1 or "\\" in name
    if not name or looks_like_path or folder.exists():
        raise InputError(
            f"no folder {name!r}" if name else "no encoder is named",
            WHERE,
            "name a folder with config.json, weights and tokenizer, or an encoder of the Hugging Face hub",
        )
    return name


def skeleton(folder: Path) -> tuple[Pieces, Any]:
    """An encoder with config and tokenizer from `keep` and random weights."""
    name = str(folder)
    config = _config(name, name)
    pieces = _pieces(name, name, config)
    with load_errors(name), silence():
        demand_size(str(folder.parent), lambda: _new(config))
        return pieces, _new(config)


def keep(model: Any, tokenizer: Any, folder: Path) -> None:
    """Write config and tokenizer for `skeleton`; the weights are kept elsewhere."""
    folder.mkdir(parents=True, exist_ok=True)
    with silence():
        model.config.save_pretrained(folder)
        tokenizer.save_pretrained(folder)


def demand_size(place: str, make: Callable[[], nn.Module]) -> None:
    """Refuse (InputError) a model of more numbers than the weights in the folder `place` can be; unless it is none."""
    if Path(place).is_dir():
        size = sum(file.stat().st_size for file in Path(place).iterdir())
        with torch.device("meta"):
            made = make()
        count = sum(each.numel() for each in (*made.parameters(), *made.buffers()))
        if count > _PACKED * size + _SLACK:
            raise InputError(
                f"its config is that of {count:,} parameters, and all files have {size:,} bytes",
                place,
                "fetch it again",
            )


def checked_config(source: str, **options: Any) -> Any:
    """The config in a folder, or of that name on the hub; inside `load_errors`. options: of transformers.

    InputError: sizes that no model has, or kernels of the hub; an index of weights that names a file elsewhere.
    """
    for index in Path(source).glob("*.index.json"):
        names = read_json(index, _Shards, "fetch it again").weight_map.values()
        if outside := next((name for name in names if "/" in name or "\\" in name), ""):
            raise InputError(
                f"names a file outside its folder ({outside[:60]})", str(index), "fetch it again"
            )
    plain: dict[str, Any]
    plain, _ = PretrainedConfig.get_config_dict(source, **options)
    for key, value in _entries(plain):
        if key.endswith("_implementation") and value not in (*_OURS, None):
            what = f"its config names an implementation of others ({value!r:.60}), which is never run"
            raise InputError(what, source, f"remove {key} from its config.json")
        most = next((most for part, most in _MOST.items() if part in key), None)
        if most is not None and isinstance(value, int | float) and value > most:
            raise InputError(f"its config has {key} = {value:.60g}, above {most:,}", source, "fetch it again")
    return AutoConfig.from_pretrained(source, **{"trust_remote_code": False, **options})


class _Shards(msgspec.Struct):
    weight_map: dict[str, str]


def _entries(config: Any) -> Iterator[tuple[str, Any]]:
    """(key, value) of a config and of those in it."""
    if isinstance(config, dict):
        yield from config.items()
        for value in config.values():
            yield from _entries(value)


def top_layers(model: nn.Module, count: int) -> tuple[str, ...]:
    """Prefixes of the parameters of the last `count` layers: "encoder.layer.11." """
    stacks = [
        (name, len(module)) for name, module in model.named_modules() if isinstance(module, nn.ModuleList)
    ]
    name, layers = max(stacks, key=lambda stack: stack[1], default=("", 0))
    if count > layers:
        raise InputError(
            f"the encoder has {layers} layers, fewer than {count}", "layers", f"take at most {layers}"
        )
    return tuple(f"{name}.{layer}." for layer in range(layers - count, layers))


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


class _Record(msgspec.Struct, frozen=True):
    name: str
    digest: str


def record_frozen(encoder: Encoder, folder: Path) -> None:
    """Record the name or path of a frozen encoder, and its digest, in a run folder."""
    write_json(folder / RECORD, _Record(encoder.name, encoder.digest), indent=1)


def recorded(folder: Path) -> tuple[str, str]:
    """The name and the digest that `record_frozen` wrote."""
    facts = read_json(folder / RECORD, _Record, "this is no run of a reader over an encoder")
    return facts.name, facts.digest


def restore_frozen(named: str, folder: Path) -> Encoder:
    """Load the recorded encoder, whose digest must be the same. named: a folder to which it may have moved."""
    name, digest = recorded(folder)
    moved = Path(named).expanduser().is_dir()
    encoder = load(named if moved else name)
    if encoder.digest != digest:
        raise InputError(
            f"the encoder {encoder.name} is another one than at the training",
            str(folder),
            "put the old one back, or train again",
        )
    return encoder


def _config(name: str, source: str) -> Any:
    if Path(source).is_dir() and not (Path(source) / "config.json").is_file():
        raise InputError("no config.json, so this is no encoder", source, "name the folder that holds one")
    with load_errors(name), silence():
        return checked_config(source)


def _pieces(name: str, source: str, config: Any) -> Pieces:
    with load_errors(name), silence():
        tokenizer = AutoTokenizer.from_pretrained(source, trust_remote_code=False)
    if not getattr(tokenizer, "is_fast", False):
        raise InputError(
            f"the tokenizer of {name} does not tell where its pieces stand in the text",
            WHERE,
            "take an encoder with a fast tokenizer (tokenizer.json)",
        )
    # Without a tokenizer's files, transformers makes one without words.
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        raise InputError(
            f"no tokenizer (tokenizer.json or vocab.txt) with {name}", WHERE, "fetch the encoder again"
        )
    start = first_piece(tokenizer.cls_token_id, tokenizer.bos_token_id)
    separator = first_piece(tokenizer.sep_token_id, tokenizer.eos_token_id)
    special = {
        "[CLS]": start,
        "[SEP]": separator,
        "[MASK]": tokenizer.mask_token_id,
        "[PAD]": tokenizer.pad_token_id,
    }
    lacking = [token for token, number in special.items() if number is None]
    if lacking:
        raise InputError(
            f"the tokenizer of {name} has no {', '.join(lacking)}", WHERE, "take a BERT-like encoder"
        )
    tokenizer.backend_tokenizer.no_truncation()
    tokenizer.backend_tokenizer.no_padding()
    limit = getattr(config, "max_position_embeddings", 0) or 512
    if config.model_type in _OFFSET:
        limit -= (getattr(config, "pad_token_id", 1) or 0) + 1
    return Pieces(
        name,
        tokenizer,
        limit,
        config.hidden_size,
        getattr(config, "type_vocab_size", 0) or 0,
        start,
        separator,
        special["[MASK]"],
        special["[PAD]"],
    )


def first_piece(*numbers: Any) -> Any:
    """The first piece that is named, None for none; a config may name several that end a text."""
    named = (number[0] if isinstance(number, list) and number else number for number in numbers)
    return next((number for number in named if isinstance(number, int)), None)


def _model(name: str, source: str, config: Any) -> Any:
    with load_errors(name), silence():
        demand_size(source, lambda: _new(config))
        model, info = _without_pooler(
            lambda **options: AutoModel.from_pretrained(source, **_OPTIONS, **options)
        )
    demand_weights(name, "encoder", info, ("pooler.",))
    if getattr(model, "pooler", None) is not None:
        model.pooler = None
    return model.eval()


def _new(config: Any) -> Any:
    return _without_pooler(lambda **options: AutoModel.from_config(config, **options))


def _without_pooler(make: Any) -> Any:
    """Make a model without its pooler, which we do not use; some encoders have none and no such option."""
    try:
        return make(add_pooling_layer=False)
    except TypeError:
        return make()


@contextmanager
def silence() -> Generator[None]:
    """Silence the reports and bars of transformers and the hub's client; we check what matters."""
    logging = transformers.logging
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    hub = getLogger("huggingface_hub")
    before = hub.level
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    hub.setLevel(ERROR)
    try:
        yield
    finally:
        hub.setLevel(before)
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
