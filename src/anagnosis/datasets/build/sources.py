"""The documents of a shard, read by the worker that judges them where the format allows it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from anagnosis.datasets.build.screening import Shard
from anagnosis.documents.document import Document
from anagnosis.documents.formats.detect import format_module
from anagnosis.documents.io.blocks import Block
from anagnosis.documents.repairs import Repairs


def documents(shard: Shard, repairs: Repairs) -> Iterator[Document]:
    """Every document of a shard, whole."""
    if shard.raw:
        return format_module(shard.format).documents(Block(shard.name, shard.line, shard.data), repairs)
    return iter(msgspec.msgpack.decode(shard.data, type=list[Document]))
