"""The counts of words: within one answer each word is asked once, whatever asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from anagnosis.searching.engines.one_answer import one_answer
from anagnosis.searching.engines.opensearch.engine import OpenSearchEngine
from anagnosis.searching.engines.opensearch.replies import Shards
from anagnosis.searching.engines.opensearch.searches import Searches

T = TypeVar("T")
ENTRIES = 9


class TwoShards:
    """A cluster of two shards, each with ENTRIES passages, of which each word has as many as it has letters.

    asked: the words of each count, and "shards" where it is asked which are there. there: how many are.
    """

    alias = "/papers"

    def __init__(self) -> None:
        self.asked, self.there = list[list[str] | str](), 2

    def whole(self, shards: Shards) -> None:
        assert shards == Shards(2, 2)

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        of: type[T] = dict[str, Any],
        parameters: Mapping[str, str] | None = None,
    ) -> T:
        if path == f"{self.alias}/_search_shards":
            every = [[{"index": "papers-1", "shard": number}] for number in range(2)]
            if parameters:
                return msgspec.convert({"shards": [every[int(parameters["routing"])]]}, of)
            self.asked.append("shards")
            return msgspec.convert({"shards": every}, of)
        assert [one["routing"] for one in body["docs"]] == ["0", "1"]
        words = body["docs"][0]["doc"]["content"].split()
        self.asked.append(words)
        terms = {word: {"doc_freq": len(word)} for word in (*words, "another")}
        content = {"field_statistics": {"doc_count": ENTRIES}, "terms": terms}
        gone = [{}] * (2 - self.there)
        return msgspec.convert({"docs": [*[{"term_vectors": {"content": content}}] * self.there, *gone]}, of)


def test_words_are_counted_once_within_an_answer() -> None:
    cluster = TwoShards()
    engine = OpenSearchEngine(cluster)  # pyright: ignore[reportArgumentType]
    with one_answer(False):
        assert engine.frequency(["tea", "salt"]) == [6, 8]
        assert engine.frequency(["salt", "tea", "salt"]) == [8, 6, 8]
        assert engine.frequency(["milks", "tea"]) == [10, 6]
        assert cluster.asked == ["shards", ["tea", "salt"], ["milks"]]
        assert engine.frequency(["another"]) == [14], "what a node says of other words counts for nothing"
    cluster.asked.clear()
    with one_answer(False):
        assert engine.frequency(["tea"]) == [6]
    assert engine.frequency(["tea"]) == engine.frequency(["tea"]) == [6]
    assert cluster.asked == ["shards", ["tea"]] * 3


def test_no_word_is_in_more_passages_than_there_are() -> None:
    """A shard goes within an answer."""
    cluster = TwoShards()
    searches = Searches(cluster)  # pyright: ignore[reportArgumentType]
    with one_answer(False):
        assert searches.frequencies(["tea"]).passages == 2 * ENTRIES
        cluster.there = 1
        known = searches.frequencies(["salt"])
        assert (known.passages, known.words["tea"]["content"]) == (2 * ENTRIES, 6)
