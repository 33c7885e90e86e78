"""What a cluster answers, as far as we read it. A node's answers are untrusted: each is decoded into an `Answer`.

What an answer lacks has a value that is not taken for a success.
"""

from __future__ import annotations

import msgspec


class Cause(msgspec.Struct):
    """An error. reason: in the cluster's words. root_cause: of a search, what its shards say."""

    type: str = ""
    reason: str | None = ""
    root_cause: list[Cause] = []


class Source(msgspec.Struct):
    """What is read of a document. stored: of a paper (entries.py). version: of a commit. lease: of the writer."""

    name: str = ""
    stored: str = ""
    version: str = ""
    lease: dict[str, str] = {}


class Found(msgspec.Struct):
    """A document that was found, asked for or changed, or why not. number: of its last change, in the shard."""

    number: int = msgspec.field(name="_seq_no", default=-1)
    term: int = msgspec.field(name="_primary_term", default=-1)
    score: float | None = msgspec.field(name="_score", default=None)
    source: Source = msgspec.field(name="_source", default_factory=Source)
    sort: list[str | float | None] = []
    status: int = 0
    error: Cause | None = None


class Shards(msgspec.Struct, frozen=True):
    """How many shards answered. Shards without any copy are neither successful nor failed."""

    total: int = 1
    successful: int = 0
    failed: int = 0


class Total(msgspec.Struct, frozen=True):
    value: int = 0


class Hits(msgspec.Struct, frozen=True):
    hits: list[Found] = []
    total: Total = Total()


class Bucket(msgspec.Struct):
    """A value of an aggregation, with the number of documents."""

    key: str | float
    doc_count: int


class Aggregation(msgspec.Struct):
    """buckets: by rank. value: of a sum."""

    buckets: list[Bucket] = []
    value: float = 0.0


class Version(msgspec.Struct):
    """number: as "3.8.0". distribution: "" of Elasticsearch."""

    number: str
    distribution: str = ""


NO_HITS = Hits()


class Answer(Found):
    """Any answer. responses: to several searches. items: what became of the operations of a bulk."""

    shards: Shards = msgspec.field(name="_shards", default=Shards())
    hits: Hits = NO_HITS
    aggregations: dict[str, Aggregation] = {}
    responses: list[Answer] = []
    items: list[dict[str, Found]] = []
    version: Version | None = None
