"""What the JSON API returns: status, headers that a client relies on, body."""

from __future__ import annotations

from typing import Any

from tests.pins.program import served
from tests.pins.world import World

HEADERS = (
    "content-type",
    "cache-control",
    "allow",
    "retry-after",
    "x-content-type-options",
    "content-security-policy",
)
COFFEE = "Does cold brew coffee raise gastric pH less than espresso?"
TEA = "Does cold tea change sleep?"
NAME = "Which cold tea changed sleep?"
# name → path, parameters
PLAIN: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "search": ("/api/search", [("q", COFFEE), ("limit", "2"), ("by", "passage")]),
    "search, second page": (
        "/api/search",
        [("q", "patients"), ("limit", "2"), ("page", "2"), ("by", "passage")],
    ),
    "search, sections": (
        "/api/search",
        [("q", "coffee"), ("section", "results"), ("section", "conclusion"), ("by", "passage")],
    ),
    "search, dates": (
        "/api/search",
        [("q", "coffee"), ("since", "2015"), ("until", "2022-03"), ("limit", "1"), ("by", "passage")],
    ),
    "search, journal": ("/api/search", [("q", "coffee"), ("journal", "No such journal")]),
    "search, type": (
        "/api/search",
        [("q", "desk"), ("type", "Journal Article"), ("limit", "1"), ("by", "passage")],
    ),
    "search, ranking": (
        "/api/search",
        [("q", "coffee"), ("ranking", "lexical"), ("limit", "1"), ("by", "passage")],
    ),
    "search, dense without vectors": ("/api/search", [("q", "coffee"), ("ranking", "dense")]),
    "search, unknown ranking": ("/api/search", [("q", "coffee"), ("ranking", "best")]),
    "search, nothing fits": ("/api/search", [("q", "zzzqqq")]),
    "search, nothing asked": ("/api/search", []),
    "search, blank": ("/api/search", [("q", "  ")]),
    "search, stop words": ("/api/search", [("q", "the of and")]),
    "search, limit 0": ("/api/search", [("q", "coffee"), ("limit", "0")]),
    "search, limit too large": ("/api/search", [("q", "coffee"), ("limit", "100000")]),
    "search, no date": ("/api/search", [("q", "coffee"), ("since", "yesterday")]),
    "search, dates the wrong way round": (
        "/api/search",
        [("q", "coffee"), ("since", "2020"), ("until", "2019")],
    ),
    "search, unknown section": ("/api/search", [("q", "coffee"), ("section", "appendix")]),
    "search, unknown parameter": ("/api/search", [("q", "coffee"), ("colour", "red")]),
    "search, given twice": ("/api/search", [("q", "coffee"), ("q", "tea")]),
    "ask": ("/api/ask", [("q", COFFEE)]),
    "ask, limit": ("/api/ask", [("q", COFFEE), ("limit", "1")]),
    "ask, a name": ("/api/ask", [("q", "Which drug is given for cytomegalovirus?"), ("limit", "2")]),
    "ask, nothing fits": ("/api/ask", [("q", "zzzqqq")]),
    "document": ("/api/document", [("id", "99000027")]),
    "document, with mentions": ("/api/document", [("id", "ana0044")]),
    "document, unknown": ("/api/document", [("id", "0")]),
    "collection": ("/api/collection", []),
    "health": ("/health", []),
    "ready": ("/ready", []),
    "an unknown path": ("/api/nothing", []),
    "schema": ("/openapi.json", []),
}
WITH_ANSWERS: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "answers: ask for yes or no": ("/api/ask", [("q", TEA)]),
    "answers: ask for a name": ("/api/ask", [("q", NAME)]),
    "answers: search": ("/api/search", [("q", TEA), ("limit", "2")]),
    "answers: ready": ("/ready", []),
}


def found(world: World) -> dict[str, Any]:
    made: dict[str, Any] = {}
    readers = world.path("readers")
    for folder, requests, trained in (
        (world.path("index"), PLAIN, None),
        (world.path("claims-index"), WITH_ANSWERS, readers),
    ):
        with served(folder, trained) as client:
            for name, (path, parameters) in requests.items():
                answer = client.get(path, params=parameters)
                headers = {key: answer.headers[key] for key in HEADERS if key in answer.headers}
                made[name] = {"status": answer.status_code, "headers": headers, "body": _said(answer.json())}
            post = client.post("/api/search", params={"q": "coffee"})
            made["answers: post" if trained else "post"] = post.status_code
    return made


def _said(body: Any) -> Any:
    """Without the id of a request, which is drawn."""
    return {**body, "request": "…"} if "request" in body else body
