"""The document of a paper in a cluster, and the paper that is read back of it."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import msgspec

from anagnosis.searching.engines.opensearch.schema import TAB
from anagnosis.searching.engines.paper_terms import names_of
from anagnosis.searching.filters import date_number
from anagnosis.searching.papers.bm25 import letters_of
from anagnosis.searching.papers.joined import shown
from anagnosis.searching.papers.records import StoredPaper, decoded
from anagnosis.searching.words import joined_parts, printed_words

FULL_TEXT = "full text"  # the `kind` of papers with more than an abstract
_encode: Callable[[Any], bytes] = msgspec.json.Encoder().encode


def ident(name: str) -> str:
    """The id of a paper's document; names may be long."""
    return blake2b(name.encode(), digest_size=16).hexdigest()


def entry(stored: StoredPaper) -> bytes:
    """The document of a paper, which has at least one passage."""
    paper = shown(stored)
    first = paper.passages[0]
    title, heading = joined_parts(first.title), ""
    content, abstract = [*title], [*title]
    for passage in paper.passages:
        if passage.section == "title":
            continue
        parts = joined_parts(passage.text)
        if passage.heading != heading:  # once for the parts of a long section
            heading = passage.heading
            parts = [*joined_parts(heading), *parts]
        content += parts
        if not passage.full_text:
            abstract += parts
    is_full = any(one.full_text for one in paper.passages)
    names: dict[str, list[str]] = {}
    for (field, key), printed in names_of(paper).items():
        names.setdefault(field, []).append(f"{key}{TAB}{printed}")
    dates = {"date": date_number(first.date), "added": date_number(first.facts.get("added", ""))}
    return _encode(
        {
            "name": stored.name,
            "key": paper.keys,
            "content": content,
            "title": title,
            **({"kind": FULL_TEXT, "abstract": abstract} if is_full else {}),
            "section": list(dict.fromkeys(one.section for one in paper.passages)),
            "printed": list(dict.fromkeys(printed_words(first.title))),
            **names,
            **{field: day for field, day in dates.items() if day},
            "passages": len(paper.passages),
            "letters": sum(map(letters_of, paper.passages)),
            # Bytes as letters: the index compresses what papers have in common.
            "stored": stored.encoded().decode("latin-1"),
        }
    )


def stored_in(source: str) -> StoredPaper:
    """The paper of a document. DamagedError: another program wrote it."""
    return decoded(source.encode("latin-1", "replace"))
