"""The index of a cluster: one document a passage, and one a paper, which has its mark and what is counted of papers.

A paper is the parent of its passages (`join`), so all are on one shard, and a condition on a paper is a condition on
its children (queries.py). anagnosis makes the words; the index splits them at blanks. BM25's k1 and b are OpenSearch's
defaults, 1.2 and .75. `passage`, `paper` and `names` are what is read back, and are not indexed.
"""

from __future__ import annotations

from typing import Any

from anagnosis.searching.queries.tree import ALIAS, NAME_FIELDS

# More than the words of any text, so that no phrase reaches from one part into the next.
_GAP = 10_000
_LONGEST_NAME = 8_000  # characters; Lucene takes 32,766 bytes
PASSAGE, PAPER = "passage", "paper"
MOST_HITS = 60_000  # of one search
FIRST_LINE_WITHOUT_FACTOR = 3  # from here on scores lack the factor k1 + 1
FACTOR = 2.2


def _words() -> dict[str, Any]:
    return {"type": "text", "analyzer": "whitespace", "position_increment_gap": _GAP}


def _name() -> dict[str, Any]:
    return {"type": "keyword", "ignore_above": _LONGEST_NAME}


_NOT_INDEXED: dict[str, Any] = {"type": "object", "enabled": False}
MAPPING: dict[str, Any] = {
    "dynamic": "strict",
    "properties": {
        "join": {"type": "join", "relations": {PAPER: PASSAGE}, "eager_global_ordinals": False},
        "document": {"type": "keyword"},
        # Of passages.
        "number": {"type": "integer"},
        "content": _words(),  # title, heading and text
        "title": _words(),
        "section": {"type": "keyword"},
        "full_text": {"type": "boolean"},
        "passage": _NOT_INDEXED,
        # Names, folded, and dates as eight digits: of papers and of all their passages.
        **{name: _name() for name in NAME_FIELDS if name != ALIAS},
        "alias": _name(),  # of papers and of their first passages
        "date": {"type": "integer"},
        "added": {"type": "integer"},
        # Of papers. written: False while a command writes the passages. passages: their number, while it writes the
        # larger one of before and after.
        "written": {"type": "boolean"},
        "passages": {"type": "integer"},
        "mark": {"type": "binary", "doc_values": True},
        "year": {"type": "integer"},
        "printed": _name(),  # words of the title
        "abbreviation": _name(),  # that the paper defines (entries.py)
        "paper": _NOT_INDEXED,
        "names": _NOT_INDEXED,
        # Of the one document of the last commit, and of the writer's lock.
        "commit": {"type": "long"},
        "lock": _NOT_INDEXED,
    },
}


def settings(shards: int, replicas: int) -> dict[str, Any]:
    """The settings of an index. Only `_refresh` makes changes visible, and deleted ids guard against late writes."""
    return {
        "number_of_shards": shards,
        "number_of_replicas": replicas,
        "refresh_interval": "-1",
        "gc_deletes": "1h",
        "codec": "best_compression",
        "max_result_window": MOST_HITS,
    }
