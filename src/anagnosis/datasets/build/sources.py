"""The documents of a shard, read by the worker that judges them where the format allows it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from anagnosis.datasets.build.inputs import InputFiles
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


def documents_called(ident: str, inputs: InputFiles) -> Iterator[tuple[Document, Shard]]:
    """Every document of that id with its shard, in the order of the input."""
    for shard in inputs.shards():
        for document in documents(shard, Repairs()):
            if document.id == ident:
                yield document, shard
