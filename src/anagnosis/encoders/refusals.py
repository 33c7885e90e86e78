"""Why an encoder or a text model is refused: parts that do not fit together, no room."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anagnosis.errors import InputError

WHERE = "encoder"


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


def demand_room(place: Path, needed: int) -> None:
    """Refuse (InputError) a disk with fewer free bytes."""
    free = shutil.disk_usage(place).free
    if free < needed:
        raise InputError(
            f"the vectors need {size_in_words(needed)}, and {size_in_words(free)} are free",
            str(place),
            "free some space, or let the folder lie on another disk",
        )


def size_in_words(count: int) -> str:
    """A number of bytes in GB, MB or kB."""
    for unit, size in (("GB", 1e9), ("MB", 1e6)):
        if count >= size:
            return f"{count / size:,.1f} {unit}"
    return f"{count / 1e3:,.0f} kB"
