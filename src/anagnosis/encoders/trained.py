"""The trained part of an encoder, and its dropout in training."""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import nn

from anagnosis.errors import InputError

Trained = Literal["none", "top", "all"]

# Keys of heads, which our encoders lack.
_OF_HEADS = ("classif", "qa_", "summary", "pooler")


def trained_parameters(model: nn.Module, trained: Trained, layers: int, under: str = "") -> tuple[str, ...]:
    """Prefixes of the trained parameters' names; () for none.

    layers: number of layers of "top". under: the prefix of the encoder in a reader's module ("encoder.").
    InputError: the encoder has fewer layers.
    """
    if trained != "top":
        return (under,) if trained == "all" else ()
    stacks = [
        (name, len(module)) for name, module in model.named_modules() if isinstance(module, nn.ModuleList)
    ]
    name, most = max(stacks, key=lambda stack: stack[1], default=("", 0))
    if layers > most:
        what = f"the encoder has {most} layers, fewer than {layers}"
        raise InputError(what, "layers", f"take at most {most}")
    return tuple(f"{under}{name}.{layer}." for layer in range(most - layers, most))


def set_dropout(model: Any, dropout: float, attention: float) -> None:
    """Set the dropout of vectors and of attention in the encoder's training mode.

    Changes its config and its modules, whatever names its architecture has for them. InputError: the encoder has no
    such setting.
    """
    config = model.config
    for key, value in config.to_dict().items():
        rate = "dropout" in key and not any(head in key for head in _OF_HEADS)
        if rate and isinstance(value, (int, float)):
            setattr(config, key, attention if "att" in key else dropout)
    # Architectures differ in the keys that modules follow; a new module from the config has the right values.
    with torch.device("meta"):
        modules = dict(type(model)(config).named_modules())
    rates = {0.0}
    for name, module in model.named_modules():
        for key, value in vars(modules.get(name, module)).items():
            rate = "drop" in key or (key == "p" and isinstance(module, nn.Dropout))
            if rate and isinstance(value, (int, float)):
                setattr(module, key, value)
                rates.add(value)
    if rates != {0.0, dropout, attention}:
        what = f"this encoder ({config.model_type}) drops out {sorted(rates)} whatever the settings"
        raise InputError(what, "dropout, attention_dropout", "set them to 0, or take another encoder")
