"""The documents of a shard, read by the worker that judges them where the format allows it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from anagnosis.datasets.screened import Shard
from anagnosis.documents import pubtator
from anagnosis.documents.blocks import Block
from anagnosis.documents.detect import format_module
from anagnosis.documents.document import Document
from anagnosis.documents.repairs import Repairs


def documents(shard: Shard, repairs: Repairs) -> Iterator[Document]:
    """Every document of a shard, whole."""
    block = Block(shard.name, shard.line, shard.data)
    if shard.format == "pubtator":
        return (pubtator.document(found, repairs, shard.name) for found in pubtator.records(block, repairs))
    if shard.raw:
        return format_module(shard.format).documents(block, repairs)
    return iter(msgspec.msgpack.decode(shard.data, type=list[Document]))
