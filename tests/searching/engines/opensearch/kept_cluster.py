"""A cluster in memory, as far as writers use one: documents with versions, a lock, searches of what was refreshed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from anagnosis.searching.engines.opensearch import queries
from anagnosis.searching.engines.opensearch.connection import Cluster, Connection
from anagnosis.searching.engines.opensearch.queries import Json
from anagnosis.searching.engines.opensearch.replies import Cause, Found
from anagnosis.searching.engines.opensearch.searches import Searches

T = TypeVar("T")
_HOSTS = ("http://127.0.0.1:9200",)


@dataclass
class Kept:
    """What the cluster has. versions: also of deleted documents. shown: the documents as last refreshed."""

    documents: dict[str, Json] = field(default_factory=dict[str, Json])
    versions: dict[str, int] = field(default_factory=dict[str, int])
    shown: dict[str, Json] = field(default_factory=dict[str, Json])
    lock: tuple[int, Json] | None = None
    number: int = 0

    def papers(self) -> dict[str, Any]:
        """document → (mark, its passages' texts) of the finished papers as shown, and what belongs to none."""
        found: dict[str, Any] = {}
        for one in self.shown.values():
            if one.get("written"):
                found[one["document"]] = [one["mark"], one["passages"], {}]
        for one in self.shown.values():
            if "number" in one:
                found.setdefault(one["document"], [None, 0, {}])[2][one["number"]] = one["passage"]["text"]
        return found


class KeptCluster(Cluster):
    """A client of it. before: called with the number of each request and its path, before it takes effect."""

    def __init__(self, kept: Kept, before: Callable[[int, str], None] = lambda number, path: None) -> None:
        super().__init__(Connection(_HOSTS, "papers"))
        self.kept, self._before, self.requests = kept, before, 0
        self.answers: list[
            Callable[[list[Json]], list[Json] | None]
        ] = []  # to bulks, instead of the cluster's
        self.bulks: list[list[str]] = []

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        of: type[T] = dict[str, Any],
        parameters: Mapping[str, str] | None = None,
        *,
        seconds: float = 30.0,
    ) -> T:
        self._before(self.requests, path)
        self.requests += 1
        reply = self._reply(method, path, body, dict(parameters or {}))
        return msgspec.convert(reply, of)

    def _reply(self, method: str, path: str, body: Any, parameters: dict[str, str]) -> Any:
        kept = self.kept
        if path.endswith("/_doc/lock"):
            return self._of_lock(method, body, parameters)
        if path.endswith("/_doc/commit"):
            kept.documents["commit"] = body
            return {}
        if path.endswith("/_bulk"):
            return self._of_bulk([json.loads(line) for line in body.splitlines()])
        if path.endswith("/_refresh"):
            kept.shown = dict(kept.documents)
            return {"_shards": {"total": 1, "successful": 1}}
        if path.startswith("/_cluster/health"):
            return {"status": "green"}
        if path == "/_tasks":
            return {}
        raise AssertionError(f"{method} {path}")

    def _of_lock(self, method: str, body: Any, parameters: dict[str, str]) -> Json:
        kept, there = self.kept, self.kept.lock
        if method == "GET":
            if there is None:
                raise self.refused(404, Cause("not_found"))
            return {
                "_seq_no": there[0],
                "_primary_term": 1,
                "_source": msgspec.Raw(msgspec.json.encode(there[1])),
            }
        conflict = self.refused(409, Cause("version_conflict_engine_exception"))
        if parameters.get("op_type") == "create" and there is not None:
            raise conflict
        if "if_seq_no" in parameters and (there is None or there[0] != int(parameters["if_seq_no"])):
            raise conflict
        kept.number += 1
        kept.lock = None if method == "DELETE" else (kept.number, body)
        return {"_seq_no": kept.number, "_primary_term": 1}

    def _of_bulk(self, lines: list[Json]) -> Json:
        rest = iter(lines)
        operations = [
            (kind, target, next(rest) if kind == "index" else None)
            for line in rest
            for kind, target in line.items()
        ]
        self.bulks.append([target["_id"] for _, target, _ in operations])
        if (
            self.answers
            and (items := self.answers.pop(0)([target for _, target, _ in operations])) is not None
        ):
            return {"errors": True, "items": items}
        items = [{kind: self._done(target, source)} for kind, target, source in operations]
        return {"errors": any("error" in one for item in items for one in item.values()), "items": items}

    def _done(self, target: Json, source: Json | None) -> Json:
        kept, ident, version = self.kept, target["_id"], target["version"]
        if kept.versions.get(ident, -1) > version:
            return {"_id": ident, "status": 409, "error": {"type": "version_conflict_engine_exception"}}
        kept.versions[ident] = version
        if source is None:
            there = kept.documents.pop(ident, None)
            return {"_id": ident, "status": 200 if there else 404}
        kept.documents[ident] = source
        return {"_id": ident, "status": 200}


class KeptSearches(Searches):
    """The searches that writers make."""

    def __init__(self, cluster: KeptCluster) -> None:
        super().__init__(cluster)
        self._kept = cluster.kept

    def _matching(self, wanted: Json) -> list[Json]:
        every = [one for one in self._kept.shown.values() if "document" in one]
        if wanted == queries.PASSAGES:
            return [one for one in every if "number" in one]
        if "terms" in wanted:
            return [one for one in every if one["document"] in wanted["terms"]["document"]]
        written = {json.dumps(queries.PAPERS): (True,), json.dumps(queries.UNFINISHED): (False,)}
        either = written.get(
            json.dumps(wanted), (True, False) if wanted == queries.PAPERS_AND_UNFINISHED else None
        )
        return [one for one in every if either is None or one.get("written") in either]

    def listed(self, wanted: Json, fields: Sequence[str], sort: Sequence[str | Json]) -> Iterator[Found]:
        ordered = sorted(self._matching(wanted), key=lambda one: (one["document"], one.get("number", -1)))
        for one in ordered:
            yield Found(fields={name: [one[name]] for name in fields if name in one})

    def counts(self, conditions: Sequence[Json], within: Json) -> list[int]:
        inside = self._matching(within)
        return [sum(one in inside for one in self._matching(each)) for each in conditions]

    def sizes(self, documents: Iterable[str]) -> Iterator[tuple[str, int]]:
        wanted = {*documents}
        for one in self._matching(queries.PAPERS_AND_UNFINISHED):
            if one["document"] in wanted:
                yield one["document"], one["passages"]

    def total(self, field: str, wanted: Json) -> int:
        return sum(one[field] for one in self._matching(wanted))
