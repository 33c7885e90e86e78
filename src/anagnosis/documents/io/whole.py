"""Whole files of formats that are read at once, and the JSON in them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, BinaryIO

import msgspec

from anagnosis.documents.io.malformed import FETCH_AGAIN, MalformedError, empty_file, is_cut
from anagnosis.errors import InputError, TruncatedError
from anagnosis.io.files import TO_UTF8
from anagnosis.wording import shortened

LARGEST = 2 << 30
_BLOCK = 1 << 20  # one read of the limit would allocate all of it
JSON_FAULTS = (msgspec.MsgspecError, ValueError, RecursionError)
_KEY_ENDS = re.compile(rb'"\s*:')


def whole(stream: BinaryIO, name: str, largest: int = LARGEST, *, head: bytes = b"") -> bytes:
    """The bytes of a file, of which `head` is read. InputError: it is empty, or larger than `largest` bytes."""
    data = bytearray(head)
    for block in iter(partial(stream.read, _BLOCK), b""):
        data += block
        if len(data) > largest:
            raise InputError(f"larger than {largest >> 20} MiB", name, "split it")
    if not data.strip():
        raise empty_file(name)
    return bytes(data.removeprefix(b"\xef\xbb\xbf"))


def whole_text(stream: BinaryIO, name: str, largest: int = LARGEST) -> str:
    """The text of a file. InputError: as of `whole`, or it is not UTF-8."""
    data = whole(stream, name, largest)
    try:
        return data.decode()
    except UnicodeDecodeError as fault:
        line = 1 + data.count(b"\n", 0, fault.start)
        raise InputError("not UTF-8", f"{name}:{line}", TO_UTF8) from fault


def decoded_json(
    data: bytes | memoryview | msgspec.Raw,
    name: str,
    kind: Any,
    dec_hook: Callable[[type, Any], Any] | None = None,
) -> Any:
    """JSON as msgspec decodes it. TruncatedError: it breaks off. MalformedError: it is none, or of another kind."""
    try:
        return msgspec.json.decode(data, type=kind, dec_hook=dec_hook)
    except JSON_FAULTS as fault:
        if is_cut(fault):
            raise TruncatedError("the text ends too early", name, FETCH_AGAIN) from fault
        why = str(fault).removeprefix("JSON is malformed: ")
        what = why if isinstance(fault, msgspec.ValidationError) else f"malformed JSON: {why}"
        raise MalformedError(what, name, "check how the file was made") from fault


def strict_json(data: bytes | msgspec.Raw) -> Any:
    """A value of JSON. One of JSON_FAULTS: it is none, a key stands twice, or half of a surrogate pair."""
    data = bytes(data)
    if b"\\u" in data:
        msgspec.json.decode(data)
    return json.loads(data.decode(), object_pairs_hook=_single_keys)


def demand_single_keys(line: bytes, value: Any) -> None:
    """Refuse (ValidationError) JSON in which a key stands twice in an object, however spelled. value: decoded from it.

    A line in which as many keys seem to end as the object, and those in it and in its lists, have is not decoded again.
    """
    if isinstance(value, dict):
        lists = (held if isinstance(held, list) else (held,) for held in (value, *value.values()))
        keys = sum(len(each) for listed in lists for each in listed if isinstance(each, dict))
        if len(_KEY_ENDS.findall(line)) != keys:
            _DEMANDING.decode(line.decode(errors="replace"))


def _single_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these pairs. ValidationError: a key stands twice."""
    if len(made := dict(pairs)) < len(pairs):
        [(key, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise msgspec.ValidationError(f"the key {shortened(key)!r} stands twice")
    return made


_DEMANDING = json.JSONDecoder(object_pairs_hook=_single_keys, parse_int=str)
