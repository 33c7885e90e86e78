"""What tells two builds apart, from their receipts and recipes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.writing import CARD


class Difference(NamedTuple):
    """what: a dotted name ("documents.dropped.too_few_sentences"). a, b: the two values, None where absent."""

    what: str
    a: Any
    b: Any


def differences(a: store.Dataset, b: store.Dataset) -> list[Difference]:
    """Every entry that differs: recipe first, since it explains the rest; then inputs, counts and outputs.

    DamagedError: a file is not the one of its receipt; a card is for people, who may edit it.
    """
    found: list[Difference] = []
    for dataset in (a, b):
        for own in dataset.receipt.outputs:
            if own.name != CARD:
                dataset.file(own.name)
    for left, right, prefix in ((a.recipe, b.recipe, "recipe."), (_plain(a), _plain(b), "")):
        flat_a, flat_b = _flat(left, prefix), _flat(right, prefix)
        every = (Difference(name, flat_a.get(name), flat_b.get(name)) for name in {**flat_a, **flat_b})
        found += [each for each in every if each.a != each.b]
    return found


def _plain(dataset: store.Dataset) -> dict[str, Any]:
    data = msgspec.to_builtins(dataset.receipt)
    data["inputs"] = {
        f"{i}. {entry['name']}": entry["sha256"][:16] or "read in part"
        for i, entry in enumerate(data["inputs"], 1)
    }
    data["outputs"] = {
        entry["name"]: f"{entry['sha256'][:16]}"
        + (f", {entry['rows']} rows" if entry["rows"] is not None else "")
        for entry in data["outputs"]
    }
    for listed in ("refusals", "notes"):
        reasons: dict[str, list[str]] = {}
        for entry in data.get(listed, ()):
            reasons.setdefault(entry["where"], []).append(entry["why"])
        data[listed] = {where: "; ".join(each) for where, each in reasons.items()}
    return data


def _flat(data: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in data.items():
        if isinstance(value, Mapping):
            flat.update(_flat(value, f"{prefix}{key}."))
        else:
            flat[f"{prefix}{key}"] = value
    return flat
