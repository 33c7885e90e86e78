"""The index of a cluster: one document a paper, and two more, of the last commit and of the writer's lease.

anagnosis makes the words; the index splits them at blanks. BM25's k1 and b are OpenSearch's defaults, 1.2 and .75.
A name is its folded form and its printed one with a tab between them, so that what is looked for and what is shown are
counted together. `stored` is what is read back, and is not indexed.
"""

from __future__ import annotations

from typing import Any

from anagnosis.searching.queries.tree import ALIAS, NAME_FIELDS

# More than the words of any text, so that no phrase reaches from one part into the next.
_GAP = 10_000
_LONGEST_NAME = 8_000  # characters; Lucene takes 32,766 bytes
MOST_HITS = 60_000  # of one search
FIRST_LINE_WITHOUT_FACTOR = 3  # from here on scores lack the factor k1 + 1
FACTOR = 2.2
TAB = "\t"

_WORDS = {"type": "text", "analyzer": "whitespace", "position_increment_gap": _GAP}
_NAME = {"type": "keyword", "ignore_above": _LONGEST_NAME}
_NUMBER = {"type": "integer"}
_NOT_INDEXED = {"type": "object", "enabled": False}
MAPPING: dict[str, Any] = {
    "dynamic": "strict",
    "properties": {
        **dict.fromkeys(("name", "key", "kind", "section", "printed"), _NAME),
        **dict.fromkeys((name for name in NAME_FIELDS if name != ALIAS), _NAME),
        **dict.fromkeys(("content", "title", "abstract"), _WORDS),
        **dict.fromkeys(("date", "added", "passages", "letters"), _NUMBER),
        **dict.fromkeys(("stored", "version", "lease"), _NOT_INDEXED),
    },
}


def settings(shards: int, replicas: int) -> dict[str, Any]:
    """The settings of an index. Only `_refresh` makes changes visible."""
    return {
        "number_of_shards": shards,
        "number_of_replicas": replicas,
        "refresh_interval": "-1",
        "codec": "best_compression",
        "max_result_window": MOST_HITS,
    }
