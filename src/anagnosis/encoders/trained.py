"""What of an encoder is trained, and how much of it is dropped out meanwhile."""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import nn

from anagnosis.encoders.load import top_layers
from anagnosis.errors import InputError

Trained = Literal["none", "top", "all"]

# Of heads, which no encoder here has.
_OF_HEADS = ("classif", "qa_", "summary", "pooler")


def trained_parameters(model: nn.Module, trained: Trained, layers: int, under: str = "") -> tuple[str, ...]:
    """How the names of the trained parameters begin; none begins with an empty tuple.

    layers: how many "top" means. under: what a reader's module puts before the encoder's names ("encoder.").
    Refused (InputError): more layers than there are.
    """
    if trained == "top":
        return tuple([under + name for name in top_layers(model, layers)])
    return (under,) if trained == "all" else ()


def trained_embeddings(model: Any, trained: Trained) -> int:
    """How many of the trained parameters are embeddings of pieces."""
    return model.get_input_embeddings().weight.numel() if trained == "all" else 0


def set_dropout(model: Any, dropout: float, attention: float) -> None:
    """Drop out these shares, of vectors and of attention, while the encoder is in training mode.

    Its config is changed and its modules too, under whatever names its architecture has for them. Refused
    (InputError): an encoder that has nothing to be set.
    """
    config = model.config
    for key, value in config.to_dict().items():
        known = "dropout" in key or "pdrop" in key
        if known and isinstance(value, (int, float)) and not any(head in key for head in _OF_HEADS):
            setattr(config, key, attention if "att" in key else dropout)
    # Which module follows which key differs between architectures; one made from the config has followed them.
    with torch.device("meta"):
        made = dict(type(model)(config).named_modules())
    found: set[float] = set()
    for name, module in model.named_modules():
        for key, value in vars(made.get(name, module)).items():
            rate = "drop" in key or (key == "p" and isinstance(module, nn.Dropout))
            if rate and isinstance(value, (int, float)):
                setattr(module, key, value)
                found.add(value)
    for name, share in (("dropout", dropout), ("attention_dropout", attention)):
        if share and share not in found:
            raise InputError(
                f"this encoder ({config.model_type}) has no {name} that could be set", name, f"set {name} = 0"
            )
    if left := found - {dropout, attention, 0}:
        raise InputError(
            f"this encoder ({config.model_type}) drops out {max(left)} whatever it is told",
            "dropout",
            "take another encoder",
        )
