"""The documents of a cluster's index: one a paper, and two more, of the last commit and of the writer's lease.

anagnosis makes the words; the index splits them at blanks. BM25's k1 and b are OpenSearch's defaults, 1.2 and .75.
A name is its folded form and its printed one with a tab between them, so that what is looked for and what is shown are
counted together. `stored` is what is read back, and is not indexed.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import msgspec

from anagnosis.searching.engines.entries import entry_of
from anagnosis.searching.papers.joined import shown
from anagnosis.searching.papers.records import StoredPaper, decoded
from anagnosis.searching.queries.tree import ALIAS, NAME_FIELDS
from anagnosis.searching.words import joined_parts, printed_words

# More than the words of any text, so that no phrase reaches from one part into the next.
_GAP = 10_000
_LONGEST_NAME = 8_000  # characters; Lucene takes 32,766 bytes
MOST_HITS = 60_000  # of one search
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


def ident(name: str) -> str:
    """The id of a paper's document; names may be long."""
    return blake2b(name.encode(), digest_size=16).hexdigest()


def document_of(stored: StoredPaper) -> bytes:
    """The document of a paper, which has at least one passage."""
    paper = shown(stored)
    entry = entry_of(stored.name, paper)
    document: dict[str, Any] = {field: [*values] for field, values in entry.terms.items()}
    for field, texts in entry.texts.items():
        document[field] = [part for text in texts for part in joined_parts(text)]
    for (field, key), printed in entry.names.items():
        document.setdefault(field, []).append(f"{key}{TAB}{printed}")
    document |= {field: number for field, number in entry.numbers.items() if number}
    document["printed"] = [*dict.fromkeys(printed_words(paper.passages[0].title))]
    document["name"] = stored.name
    document["stored"] = stored.encoded().decode("latin-1")  # the index compresses what papers have in common
    return msgspec.json.encode(document)


def stored_in(source: str) -> StoredPaper:
    """The paper of a document. DamagedError: another program wrote it."""
    return decoded(source.encode("latin-1", "replace"))
