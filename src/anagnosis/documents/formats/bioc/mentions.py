"""The structure of a BioC document, the same for XML and JSON, and the mentions from its annotations.

A passage becomes one segment of the document's text, or one segment per sentence. An annotation's offset counts
from the start of the file's text; its passage gives its start there. Some files give a wrong start (they count an
apostrophe as the six characters `&apos;`), while their annotations count passages joined by one character
(`documents/offsets.py`).

Source: Comeau et al. 2013, "BioC: a minimalist approach to interoperability for biomedical text processing".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from anagnosis.documents.document import Mention, linked
from anagnosis.documents.offsets import Claim, Place, Segment, places
from anagnosis.documents.repairs import Repairs

# Key of an infon that holds an identifier, in lower case, in the order of preference → the prefix that a value
# gets unless it begins with it. A source that is one of our namespaces gives its name: `MESH` with D003693 is
# MESH:D003693, as PubTator Central's text spells the same rows. Numbers of genes and taxa get no prefix.
IDENTIFIERS: dict[str, str] = {
    "identifier": "",  # BioRED, PubTator 3, tmVar 3: in the spelling of the file
    "conceptid": "",  # pgxmine
    "concept_id": "",  # bionlplab/bioc's conversion of PubTator text
    "mesh": "MESH:",  # Medical Subject Headings
    "omim": "OMIM:",  # Online Mendelian Inheritance in Man
    "cvcl": "CVCL:",  # Cellosaurus cell lines
    "chebi": "CHEBI:",  # Chemical Entities of Biological Interest
    "ncbi gene": "",  # NCBI Gene
    "ncbi gene identifier": "",  # NCBI Gene, in NLM-Gene
    "ncbi taxonomy": "",  # NCBI Taxonomy, in tmVar 3
    "ncbi species": "",  # NCBI Taxonomy, in PubTator Central
    "tmvar": "",  # a variant in tmVar's notation
    "ncbi homologene": "HomoloGene:",  # a group of homologous genes, where no gene is given
    "ncbi_homologene": "HomoloGene:",
    "accession": "",  # PubTator 3's key (@GENE_CEP135), where nothing else is given
}
_SEPARATORS = re.compile(r"([|;,+])")


class Location(msgspec.Struct, frozen=True, gc=False):
    """A span of an annotation in the file's text."""

    offset: int
    length: int


class Annotation(msgspec.Struct, frozen=True, gc=False):
    """A mention; its infons give its type and identifier."""

    id: str | int | None = None
    infons: dict[str, Any] | None = None
    text: str | None = None
    locations: tuple[Location, ...] | None = None


class Passage(msgspec.Struct, frozen=True, gc=False):
    """A passage of a document, its text or its sentences; or a sentence."""

    offset: int
    text: str | None = None
    infons: dict[str, Any] | None = None
    sentences: tuple[Passage, ...] | None = None
    annotations: tuple[Annotation, ...] | None = None
    relations: tuple[Any, ...] | None = None

    def each(self) -> Iterator[Passage]:
        """The passage and its sentences."""
        return iter((self, *(self.sentences or ())))


class Record(msgspec.Struct, frozen=True, gc=False):
    """A document."""

    id: str | int | None = None
    infons: dict[str, Any] | None = None
    passages: tuple[Passage, ...] | None = None
    annotations: tuple[Annotation, ...] | None = None
    relations: tuple[Any, ...] | None = None

    def each(self) -> Iterator[Record | Passage]:
        """The document, its passages and their sentences."""
        yield self
        for passage in self.passages or ():
            yield from passage.each()


def plain(value: Any) -> str:
    """A value as a string: a list joined by "; ", nested values as JSON, None and empty ones as ""."""
    if isinstance(value, str):
        return value
    if value is None or value in ([], {}):
        return ""
    if isinstance(value, list) and all(isinstance(item, str | int) for item in value):
        return "; ".join(plain(item) for item in value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def identifier(infons: Mapping[str, Any]) -> str:
    """The first identifier as the mention spells it, "" if there is none.

    Each part of a composite gets the prefix: `MESH` with D002318|D012131 is MESH:D002318|MESH:D012131.
    """
    named = {key.lower(): value for key, value in infons.items()}
    for key, prefix in IDENTIFIERS.items():
        value = plain(named.get(key)).strip()
        if linked(value):
            parts = _SEPARATORS.split(value) if prefix else [value]
            return "".join(part if _stays(part, prefix) else prefix + part for part in parts)
    return ""


def _stays(part: str, prefix: str) -> bool:
    """Whether a part gets no prefix: a separator, what links to nothing, or begins with its source (CVCL_0007)."""
    begins = part.lower().startswith(prefix.rstrip(":").lower())
    return begins or not linked(part) or _SEPARATORS.fullmatch(part) is not None


def texts(passages: Iterable[Passage], repairs: Repairs) -> tuple[list[str], list[list[Segment]]]:
    """(text, segments) of each passage, as parts of one text, joined by one newline. Counted: nul_character."""
    found: tuple[list[str], list[list[Segment]]] = [], []
    start = 0
    for passage in passages:
        text = passage.text or ""
        sentences = () if text else passage.sentences or ()
        segments = [] if sentences else [Segment(passage.offset, start, len(text))]
        for sentence in sentences:
            if segments:
                gap = sentence.offset - segments[-1].offset - segments[-1].length
                text += " " * (gap if 0 <= gap <= 2 else 1)
            segments.append(Segment(sentence.offset, start + len(text), len(sentence.text or "")))
            text += sentence.text or ""
        repairs.count("nul_character", text.count("\0"))
        found[0].append(text.replace("\0", " "))  # which keeps all offsets valid
        found[1].append(segments)
        start += len(text) + 1
    return found


def mentions(
    record: Record, each_text: list[str], segments: list[list[Segment]], repairs: Repairs
) -> tuple[Mention, ...]:
    """The mentions whose text stands at their spans, sorted by span, without duplicates (each fault counted).

    each_text, segments: from `texts`.
    """
    given = [
        (one, number)
        for number, passage in enumerate(record.passages or ())
        for part in passage.each()
        for one in part.annotations or ()
    ]
    given += [(one, None) for one in record.annotations or ()]  # which may lie in any passage
    if not given or not each_text:
        return ()
    claims: list[Claim] = []
    for one, number in given:
        spans = sorted((place.offset, place.offset + place.length) for place in one.locations or ())
        claims.append(Claim(tuple(spans), one.text or "", number))
    found = places(claims, each_text, repairs.counts, declared=segments)
    full = "\n".join(each_text)
    checked = (_mention(one, place, full, repairs) for (one, _), place in zip(given, found, strict=True))
    located = sorted(filter(None, checked), key=lambda mention: mention.spans)
    distinct = tuple(dict.fromkeys(located))
    repairs.count("duplicate_mention", len(located) - len(distinct))
    return distinct


def _mention(annotation: Annotation, place: Place, full: str, repairs: Repairs) -> Mention | None:
    infons = annotation.infons or {}
    linked = identifier(infons)
    repairs.count("mention_without_identifier", not linked)
    fault = ""
    if not annotation.locations or any(location.length < 1 for location in annotation.locations):
        fault = "mention_without_location"
    elif not annotation.text:
        fault = "mention_without_text"  # its place could hold any number of other mentions
    elif place.spans is None:
        fault = "mention_beyond_text"
    elif not place.agreement:
        fault = "mention_text_differs"
    if fault or not place.spans:
        repairs.count(fault)
        return None
    surface = " ".join(full[start:end] for start, end in place.spans)
    repairs.count("mention_text_normalised", surface != annotation.text)
    name = plain(infons.get("name"))
    # PubTator 3 gives a species its number as name.
    return Mention(place.spans, surface, plain(infons.get("type")), linked, "" if name == linked else name)
