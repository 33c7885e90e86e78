"""JSON in which no key stands twice."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import msgspec

_KEY_ENDS = re.compile(rb'"\s*:')


def demand_single_keys(line: bytes, value: Any) -> None:
    """Refuse (ValidationError) JSON in which a key stands twice in an object, however spelled. value: decoded from it.

    A line in which as many keys seem to end as the object, and those in it and in its lists, have is not decoded again.
    """
    if isinstance(value, dict):
        lists = (held if isinstance(held, list) else (held,) for held in (value, *value.values()))
        keys = sum(len(each) for listed in lists for each in listed if isinstance(each, dict))
        if len(_KEY_ENDS.findall(line)) != keys:
            _DEMANDING.decode(line.decode(errors="replace"))


def single_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these pairs. ValidationError: a key stands twice."""
    if len(made := dict(pairs)) < len(pairs):
        [(key, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise msgspec.ValidationError(f"the key {key!r} stands twice")
    return made


_DEMANDING = json.JSONDecoder(object_pairs_hook=single_keys, parse_int=str)
