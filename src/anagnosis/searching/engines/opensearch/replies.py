"""What a cluster answers, as far as we read it. A node's answers are untrusted: each is decoded into one of these."""

from __future__ import annotations

from typing import Any

import msgspec


class Version(msgspec.Struct):
    """number: as "3.8.0". distribution: "" of Elasticsearch."""

    number: str
    distribution: str = ""

    @property
    def line(self) -> int:
        """The first part of the number; 0 if it has none."""
        first = self.number.partition(".")[0]
        return int(first) if first.isdecimal() else 0


class About(msgspec.Struct):
    """The answer to `GET /`."""

    cluster_name: str
    version: Version


class Cause(msgspec.Struct):
    """An error. reason: in the cluster's words. root_cause: of a search, what its shards say."""

    type: str
    reason: str | None = ""
    root_cause: list[Cause] = []


class Refusal(msgspec.Struct):
    """An answer with a status of 400 or above."""

    error: Cause


class Shards(msgspec.Struct):
    """How many shards answered. Shards without any copy are neither successful nor failed."""

    total: int
    successful: int
    failed: int = 0


class Found(msgspec.Struct):
    """A document of a search. index: the concrete one. fields: its doc values."""

    id: str = msgspec.field(name="_id", default="")
    index: str = msgspec.field(name="_index", default="")
    score: float | None = msgspec.field(name="_score", default=None)
    source: msgspec.Raw = msgspec.field(name="_source", default_factory=msgspec.Raw)
    fields: dict[str, list[Any]] = {}
    sort: list[Any] = []


class Total(msgspec.Struct):
    value: int


class Hits(msgspec.Struct):
    hits: list[Found]
    total: Total = msgspec.field(default_factory=lambda: Total(0))


class Bucket(msgspec.Struct):
    """A value of an aggregation, with the number of documents, which may be too small by `error`."""

    doc_count: int
    key: str | int = ""
    error: int = msgspec.field(name="doc_count_error_upper_bound", default=0)


class Aggregation(msgspec.Struct):
    """buckets: by rank, or by name. error: most that a value which is not there can have. value: of a sum."""

    buckets: list[Bucket] | dict[str, Bucket] = []
    error: int = msgspec.field(name="doc_count_error_upper_bound", default=0)
    doc_count: int = 0
    value: float = 0.0
    terms: Aggregation | None = None

    @property
    def ranked(self) -> list[Bucket]:
        """The buckets by rank."""
        return self.buckets if isinstance(self.buckets, list) else []

    @property
    def named(self) -> dict[str, Bucket]:
        """The buckets by name."""
        return self.buckets if isinstance(self.buckets, dict) else {}


class Suggestion(msgspec.Struct):
    """A word near another one, and the number of passages that have it."""

    text: str
    freq: int


class Suggestions(msgspec.Struct):
    options: list[Suggestion] = []


class SearchReply(msgspec.Struct):
    shards: Shards = msgspec.field(name="_shards")
    hits: Hits
    aggregations: dict[str, Aggregation] = {}
    suggest: dict[str, list[Suggestions]] = {}
    pit_id: str = ""


class PointInTime(msgspec.Struct):
    pit_id: str
    shards: Shards = msgspec.field(name="_shards")


class Written(msgspec.Struct):
    """A document that was written, or read. number: of its change (`_seq_no`)."""

    found: bool = True
    number: int = msgspec.field(name="_seq_no", default=-1)
    term: int = msgspec.field(name="_primary_term", default=-1)
    source: msgspec.Raw = msgspec.field(name="_source", default_factory=msgspec.Raw)


class Item(msgspec.Struct):
    """One operation of a bulk."""

    id: str = msgspec.field(name="_id")
    status: int
    error: Cause | None = None


class BulkReply(msgspec.Struct):
    errors: bool
    items: list[dict[str, Item]]


class Health(msgspec.Struct):
    """status: red where a shard has no copy."""

    status: str


class Refreshed(msgspec.Struct):
    shards: Shards = msgspec.field(name="_shards")


class Term(msgspec.Struct):
    """A word on one shard: the documents that have it."""

    doc_freq: int = 0


class FieldTerms(msgspec.Struct):
    terms: dict[str, Term] = {}


class TermVectors(msgspec.Struct):
    """Counts of one shard, by field."""

    term_vectors: dict[str, FieldTerms] = {}
    error: Cause | None = None


class ManyTermVectors(msgspec.Struct):
    docs: list[TermVectors]
