"""A cluster in memory, as far as writers use one: documents with numbers, and searches of what was refreshed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from anagnosis.searching.engines.opensearch.connection import Cluster, Connection
from anagnosis.searching.engines.opensearch.entries import stored_in
from anagnosis.searching.engines.opensearch.replies import Answer, Cause
from anagnosis.searching.papers.records import StoredPaper

T = TypeVar("T")
Json = dict[str, Any]
Items = list[Json]
_HOSTS = ("http://127.0.0.1:9200",)
_CONFLICT = "version_conflict_engine_exception"


@dataclass
class Kept:
    """What the cluster has: id → (number of its change, document). shown: as last refreshed."""

    documents: dict[str, tuple[int, Json]] = field(default_factory=dict[str, tuple[int, Json]])
    shown: dict[str, tuple[int, Json]] = field(default_factory=dict[str, tuple[int, Json]])
    number: int = 0

    def papers(self) -> dict[str, StoredPaper]:
        """The papers as shown."""
        every = (one for _, one in self.shown.values() if "stored" in one)
        return {one["name"]: stored_in(one["stored"]) for one in every}

    @property
    def version(self) -> str:
        """Of the commit as shown."""
        return self.shown["commit"][1]["version"]


class KeptCluster(Cluster):
    """A client of it. before: called with the number of each request and its path, before it takes effect."""

    def __init__(self, kept: Kept, before: Callable[[int, str], None] = lambda number, path: None) -> None:
        super().__init__(Connection(_HOSTS, "papers"))
        self.kept, self._before, self.requests = kept, before, 0
        self.answers: list[Callable[[Items], Items]] = []  # to bulks, instead of the cluster's
        self.bulks: list[int] = []

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        of: type[T] = Answer,
        parameters: Mapping[str, str] | None = None,
        *,
        seconds: float = 30.0,
    ) -> T:
        self._before(self.requests, path)
        self.requests += 1
        return msgspec.convert(self._reply(method, path, body, dict(parameters or {})), of)

    def _reply(self, method: str, path: str, body: Any, parameters: dict[str, str]) -> Any:
        kept, (*_, last) = self.kept, path.split("/")
        if "/_doc/" in path and method == "GET":
            if last not in kept.documents:
                raise self.refused(404, Cause())
            number, document = kept.documents[last]
            return {"_seq_no": number, "_primary_term": 1, "_source": document}
        if "/_doc/" in path:
            kind = "delete" if method == "DELETE" else parameters.get("op_type", "index")
            done = self._done(kind, {"_id": last, **parameters}, msgspec.to_builtins(body))
            if "error" in done:
                raise self.refused(done["status"], Cause(_CONFLICT))
            return done
        if last == "_bulk":
            return self._of_bulk([json.loads(line) for line in body.splitlines()])
        if last == "_refresh":
            kept.shown = dict(kept.documents)
            return {"_shards": {"total": 1, "successful": 1}}
        if last == "_msearch":
            return {"responses": [self._found(json.loads(line)) for line in body.splitlines()[1::2]]}
        assert path.startswith("/_cluster/health"), path
        return {"status": "green"}

    def _found(self, body: Json) -> Json:
        names = body["query"]["terms"]["name"]
        hits = [
            {"_seq_no": number, "_primary_term": 1, "_source": one}
            for number, one in self.kept.shown.values()
            if one.get("name") in names
        ]
        return {"_shards": {"total": 1, "successful": 1}, "hits": {"hits": hits}}

    def _of_bulk(self, lines: list[Json]) -> Json:
        rest = iter(lines)
        changes = [
            (kind, target, None if kind == "delete" else next(rest))
            for line in rest
            for kind, target in line.items()
        ]
        self.bulks.append(len(changes) - 1)
        if self.answers:
            items = self.answers.pop(0)([target for _, target, _ in changes])
        else:
            items = [self._done(*change) for change in changes]
        return {"errors": any("error" in one for one in items), "items": [{"index": one} for one in items]}

    def _done(self, kind: str, target: Json, document: Json | None) -> Json:
        kept, ident = self.kept, target["_id"]
        number, _ = kept.documents.get(ident, (-1, None))
        conflicts = kind == "create" and number >= 0
        if conflicts or ("if_seq_no" in target and int(target["if_seq_no"]) != number):
            return {"status": 409, "error": {"type": _CONFLICT}}
        kept.number += 1
        if document is None or kind == "delete":
            kept.documents.pop(ident, None)
        else:
            kept.documents[ident] = kept.number, document
        return {"_seq_no": kept.number, "_primary_term": 1, "status": 200}
