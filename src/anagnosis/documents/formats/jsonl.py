"""JSON lines, one document a line, read and written: the format for papers in no other format.

    {"id": "27000083", "title": "Does aspirin prevent stroke?", "text": "We asked …", "date": "2016-03", "journal": "J"}
    {"_id": "4983", "title": "…", "text": "…", "metadata": {"doi": "…"}}                    a corpus in BEIR's form
    {"id": "1", "title": "…", "sections": [{"label": "METHODS", "text": "We …", "nlm": "METHODS"}], "mesh": ["Humans"]}

id ("_id"): words or a number. title: the section "title". text: the section "abstract". sections: each has text, and
may have a heading ("title" or "label"), "category" ("nlm"), and "kind", which becomes Section.label (default
"abstract"); one that we wrote may have a "page_map" (page_map.py). mentions and relations have the fields of
`document.py`.

All other keys, and those of "metadata", are facts: words, a number, a boolean, or a list of these (joined by "; ");
others are counted. A line that we wrote has "facts", which we read as they are. A date is an ISO date, as exact as we
can read it. A state (documents/states.py) whose value means no is dropped; one whose value means only yes is "unnamed".
Only a key "pmid" shows that an id of digits is a PMID; without it "id_of" is "other".

Source of BEIR's form: Thakur and others 2021, "BEIR"; the rest is ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, BinaryIO, cast

import msgspec

from anagnosis.documents.bibliography import JOINT, join_values, listed_people
from anagnosis.documents.dates import iso_day, written_date
from anagnosis.documents.document import UNLINKED, Document, Mention, Relation, Section
from anagnosis.documents.identifiers import NO_PMID, bare_doi, plain_pmcid, plain_pmid
from anagnosis.documents.io.malformed import FETCH_AGAIN, MalformedError, empty_file, is_cut, until_malformed
from anagnosis.documents.io.whole import demand_single_keys
from anagnosis.documents.page_map import read_page_map
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import STATES, UNNAMED, unified, with_states
from anagnosis.errors import TruncatedError

SUFFIXES = (".jsonl", ".ndjson")
LONGEST_LINE = 64 << 20
_FIRST_KEYS = re.compile(rb'\{\s*"_?id"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)\s*,\s*"(?:title|text|sections)"\s*:')
_DATES = ("date", "year")
_NO = UNLINKED | {"0", "0.0", "no", "n", "false", "nan"}
_WORD = re.compile(r"\w+")
_YES = frozenset(("1", "1.0", "yes", "y", "true"))
_READ_AS: dict[str, Callable[[str], str]] = {
    "doi": bare_doi,
    "pmid": plain_pmid,
    "pmcid": plain_pmcid,
    "types": unified,
}


class _Section(msgspec.Struct, gc=False, kw_only=True, omit_defaults=True):
    kind: str | None = None
    title: str | None = ""
    label: str | None = ""
    category: str | None = ""
    nlm: str | None = ""
    text: str
    page_map: str = ""


class _Line(msgspec.Struct, gc=False, omit_defaults=True):
    """A line; its other keys are facts unless "facts" stands there."""

    id: int | str | None = None
    title: str | None = None
    text: str | None = None
    sections: list[_Section] | None = None
    facts: dict[str, str] | None = None
    mentions: tuple[Mention, ...] = ()
    relations: tuple[Relation, ...] = ()
    beir_id: int | str | None = msgspec.field(default=None, name="_id")
    metadata: Any = None


_NO_FACTS = frozenset(_Line.__struct_encode_fields__)
_KEYS_OF_SECTIONS = frozenset(_Section.__struct_encode_fields__)


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is documents as JSON lines.

    The first keys decide for a line that is longer than `head`. BEIR's queries, which have no title, are no documents.
    """
    line, ended, _ = head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")
    if not line.startswith(b"{"):
        return False
    try:
        record = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return not ended and _FIRST_KEYS.match(line) is not None
    if not isinstance(record, dict) or not {"text", "sections", "facts"} & record.keys():
        return False
    return "id" in record or ("_id" in record and "title" in record)


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by a line.

    repairs: gets key_left_out (a value that is no fact, another key of a section), date_unreadable,
    mention_beyond_text (left out), page_map_left_out (none, or of another text), and the refused lines by "name:line".
    A line longer than 64 MiB, or a last line that breaks off, ends the file.
    """
    return until_malformed(_documents(stream, repairs, name), repairs)


def write(documents: Iterable[Document], stream: BinaryIO) -> dict[str, int]:
    """Write documents, one a line; returns counts, by name, of what a line cannot express ("document": all of it).

    A line can express everything except an empty id, and half of a surrogate pair.
    """
    lost = 0
    for document in documents:
        try:
            line = _line(document) if document.id.strip() else b""
        except UnicodeError:
            line = b""
        if line:
            stream.write(line + b"\n")
        lost += not line
    return {"document": lost} if lost else {}


def _documents(stream: BinaryIO, repairs: Repairs, name: str) -> Iterator[Document]:
    number = 0
    for number, line in enumerate(iter(partial(stream.readline, LONGEST_LINE + 1), b""), 1):
        where = f"{name}:{number}"
        if len(line) > LONGEST_LINE:
            what = f"a line longer than {LONGEST_LINE >> 20} MiB"
            raise MalformedError(what, where, "write one document a line")
        if not line.strip():
            continue
        try:
            decoded = msgspec.json.decode(line := line.removeprefix(b"\xef\xbb\xbf"))
            demand_single_keys(line, decoded)
            yield _document(decoded, repairs)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as fault:
            if not line.endswith(b"\n") and is_cut(fault):
                raise TruncatedError("the file ends inside a line", where, FETCH_AGAIN) from fault
            repairs.refuse(where, f"no document: {fault}")
    if not number:
        raise empty_file(name)


def _document(decoded: Any, repairs: Repairs) -> Document:
    """The document of a decoded line; raises msgspec.ValidationError if it is no document."""
    line = msgspec.convert(decoded, _Line)
    ident = str(next((each for each in (line.id, line.beir_id) if each is not None), ""))
    if not ident.strip():
        raise msgspec.ValidationError("it has no id")
    if line.title is None and line.text is None and line.sections is None:
        raise msgspec.ValidationError("it has neither title nor text nor sections")
    facts = line.facts
    if facts is None:
        values = dict(line.metadata) if isinstance(line.metadata, dict) else {}
        values |= {key: value for key, value in decoded.items() if key not in _NO_FACTS}
        facts = with_states(_facts(values, ident, repairs), line.title or "")
    elif facts.get("date"):
        facts["date"] = _plain_date(facts["date"], repairs)
        facts = {name: fact for name, fact in facts.items() if fact or name != "date"}
    for section in decoded.get("sections") or ():
        repairs.count("key_left_out", len(section.keys() - _KEYS_OF_SECTIONS))
    document = Document(ident, tuple(_sections(line, repairs)), line.mentions, line.relations, facts)
    if not line.mentions:
        return document
    length = len(document.text)
    inside = tuple(
        mention
        for mention in line.mentions
        if mention.spans and all(0 <= start <= end <= length for start, end in mention.spans)
    )
    repairs.count("mention_beyond_text", len(line.mentions) - len(inside))
    return msgspec.structs.replace(document, mentions=inside)


def _sections(line: _Line, repairs: Repairs) -> Iterator[Section]:
    if line.title is not None:
        yield Section("title", line.title)
    if line.text:
        yield Section("abstract", line.text)
    for each in line.sections or ():
        page_map = each.page_map if _is_map_of(each.page_map, each.text) else ""
        repairs.count("page_map_left_out", page_map != each.page_map)
        kind = "abstract" if each.kind is None else each.kind
        title, category = each.title or each.label or "", each.category or each.nlm or ""
        yield Section(kind, each.text, title, category, page_map)


def _is_map_of(written: str, text: str) -> bool:
    runs = written.count(" ")  # each of a character or more, and perhaps behind its page
    found = read_page_map(written) if 0 < runs <= 2 * len(text) + 1 else None
    return found is not None and found.runs[-1].end == len(text) and bool(found.pages)


def _line(document: Document) -> bytes:
    line = _Line(document.id, facts=document.facts, mentions=document.mentions, relations=document.relations)
    sections = document.sections
    if sections and sections[0] == Section("title", sections[0].text):
        line.title = sections[0].text
        sections = sections[1:]
    if len(sections) == 1 and sections[0].text and sections[0] == Section("abstract", sections[0].text):
        line.text = sections[0].text
    elif sections or not document.sections:
        line.sections = [
            _Section(kind=s.label, title=s.title, category=s.category, text=s.text, page_map=s.page_map)
            for s in sections
        ]
    return msgspec.json.encode(line)


def _facts(values: Mapping[str, Any], ident: str, repairs: Repairs) -> dict[str, str]:
    """The facts in these keys of the document with this id.

    Counted: key_left_out, date_unreadable, and value_left_out (bibliography.py).
    """
    facts: dict[str, str] = {}
    for name, value in values.items():
        words = _words(value)
        if words and name == "authors":
            words = join_values(listed_people(words), repairs, "author")
        elif words and name in _DATES:
            words = _plain_date(words, repairs)
        elif words and name in STATES:
            notices = [each.strip() for each in words.split(JOINT) if each.strip().lower() not in _NO]
            words = JOINT.join(UNNAMED if each.lower() in _YES else each for each in notices)
        elif words and name in _READ_AS:
            words = _READ_AS[name](words) or None
        if words:
            facts.setdefault(name, words)
        repairs.count("key_left_out", words is None)
    if "year" in facts:
        facts.setdefault("date", facts["year"])
        facts["year"] = facts["year"][:4]
    elif "date" in facts:
        facts["year"] = facts["date"][:4]
    return facts if "pmid" in facts or not ident.isdecimal() else {**NO_PMID, **facts}


def _plain_date(words: str, repairs: Repairs) -> str:
    """An ISO date, as exact as known; "" for no date. Counted: date_unreadable, if a part is unreadable."""
    parts = _WORD.findall(iso_day(words).removesuffix(".0"))
    date, _ = written_date(" ".join(parts))
    if date.startswith("0000"):
        date = ""
    repairs.count("date_unreadable", not date or len(date.split("-")) < len(parts))
    return date


def _words(value: Any) -> str | None:
    """A value as the text of a fact: "" for an empty value, None for a value of another type."""
    if isinstance(value, list):
        each = [None if isinstance(item, list) else _words(item) for item in cast("list[Any]", value)]
        return None if None in each else JOINT.join(filter(None, each))
    if value is None or isinstance(value, bool):
        return "yes" if value else ""
    return str(value).strip() if isinstance(value, str | int | float) else None
