"""What a cluster answers, as far as we read it. A node's answers are untrusted: each is decoded into one of these."""

from __future__ import annotations

import msgspec


class Version(msgspec.Struct):
    """number: as "3.8.0". distribution: "" of Elasticsearch."""

    number: str
    distribution: str = ""


class About(msgspec.Struct):
    """The answer to `GET /`."""

    version: Version


class Cause(msgspec.Struct):
    """An error. reason: in the cluster's words. root_cause: of a search, what its shards say."""

    type: str = ""
    reason: str | None = ""
    root_cause: list[Cause] = []


class Refusal(msgspec.Struct):
    """An answer with a status of 400 or above."""

    error: Cause
    status: int = 503


class Shards(msgspec.Struct):
    """How many shards answered. Shards without any copy are neither successful nor failed."""

    total: int
    successful: int
    failed: int = 0


class Source(msgspec.Struct):
    """What is read of a document. stored: of a paper (entries.py). version: of a commit. lease: of the writer."""

    name: str = ""
    stored: str = ""
    version: str = ""
    lease: dict[str, str] = {}


class Place(msgspec.Struct):
    """A change of a document, by its number in the shard."""

    number: int = msgspec.field(name="_seq_no", default=-1)
    term: int = msgspec.field(name="_primary_term", default=-1)


class Hit(Place):
    """A document that a search has found, or that was asked for."""

    score: float | None = msgspec.field(name="_score", default=None)
    source: Source = msgspec.field(name="_source", default_factory=Source)
    sort: list[str | float | None] = []


class Total(msgspec.Struct):
    value: int = 0


class Hits(msgspec.Struct):
    hits: list[Hit]
    total: Total = msgspec.field(default_factory=Total)


class Bucket(msgspec.Struct):
    """A value of an aggregation, with the number of documents."""

    key: str | float
    doc_count: int


class Aggregation(msgspec.Struct):
    """buckets: by rank. value: of a sum."""

    buckets: list[Bucket] = []
    value: float = 0.0


class SearchReply(msgspec.Struct):
    shards: Shards = msgspec.field(name="_shards")
    hits: Hits
    aggregations: dict[str, Aggregation] = {}


class Item(Place):
    """One operation of a bulk."""

    status: int = 0
    error: Cause | None = None


class BulkReply(msgspec.Struct):
    items: list[dict[str, Item]]


class Refreshed(msgspec.Struct):
    shards: Shards = msgspec.field(name="_shards")


class Health(msgspec.Struct):
    """status: red where a shard has no copy."""

    status: str
