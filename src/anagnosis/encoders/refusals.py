"""Why an encoder or a text model is refused: parts that do not fit together, failed loading, no room."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from anagnosis.errors import InputError

WHERE = "encoder"


def demand_vectors(name: str, what: str, model: Any, tokenizer: Any) -> None:
    """Refuse (InputError) a tokenizer with more word pieces than its model, an encoder say, has vectors."""
    vectors = model.get_input_embeddings().weight
    if len(tokenizer) > len(vectors):
        raise InputError(
            f"the tokenizer of {name} has {len(tokenizer):,} pieces, its {what} vectors for {len(vectors):,}",
            WHERE,
            f"take both from the same {what}",
        )


def demand_weights(name: str, what: str, info: Mapping[str, Any], unused: tuple[str, ...] = ()) -> None:
    """Refuse (InputError) weights that lack some of a model's parameters.

    info: the loading info of transformers. unused: how the names of parameters begin that may be missing.
    """
    lacking = sorted(key for key in info["missing_keys"] if not key.startswith(unused))
    lacking += [str(key[0] if isinstance(key, tuple) else key) for key in info["mismatched_keys"]]
    if lacking:
        raise InputError(
            f"the weights of {name} lack {len(lacking)} of the {what}'s parameters ({lacking[0]} …)",
            WHERE,
            f"fetch it again, or take another {what}",
        )


@contextmanager
def load_errors(name: str, wanted: str = "a BERT-like encoder") -> Generator[None]:
    """Turn the errors of transformers into an InputError of one line. wanted: what to take instead."""
    try:
        yield
    except InputError:
        raise
    except Exception as fault:  # a config of wrong types raises any
        message = " ".join(str(fault).split()) or type(fault).__name__
        folder = Path(name).expanduser().is_dir()
        what, where, remedy = f"{name} does not load: {message[:200]}", WHERE, "fetch it again"
        if folder and "no file named" in message:
            what, where = "no weights (model.safetensors) in this folder", name
        elif "remote code" in message or "trust_remote_code" in message:
            what, remedy = f"{name} needs code of its own, which is never run", f"take {wanted}"
        elif not folder and isinstance(fault, OSError):
            offline = os.environ.get("HF_HUB_OFFLINE", "") not in ("", "0")
            not_fetched = "may not be fetched (HF_HUB_OFFLINE is set)" if offline else "could not be fetched"
            what = f"no encoder {name!r} is kept here, and it {not_fetched}"
            once = f"fetch it once where there is a network: `hf download {name}`"
            remedy = f"name a folder that holds one, or {once}"
        raise InputError(what, where, remedy) from fault


def demand_room(place: Path, needed: int) -> None:
    """Refuse (InputError) a disk with fewer free bytes."""
    free = shutil.disk_usage(place).free
    if free < needed:
        raise InputError(
            f"the vectors need {size_in_words(needed)}, and {size_in_words(free)} are free",
            str(place),
            "free some space, or let the folder lie on another disk",
        )


def short_name(encoder: str) -> str:
    """An encoder's name without folders."""
    return Path(encoder).name or encoder


def size_in_words(count: int) -> str:
    """A number of bytes in GB, MB or kB."""
    for unit, size in (("GB", 1e9), ("MB", 1e6)):
        if count >= size:
            return f"{count / size:,.1f} {unit}"
    return f"{count / 1e3:,.0f} kB"
