r"""Exported references: RIS, BibTeX, CSV and JSON lines, a piece of text a paper.

RIS, which reference managers import, is a tag, two blanks, a hyphen, the value; a record begins with TY and ends with
ER. Source: "RIS Format Specifications", Research Information Systems 2011; PubMed's export (AN is the PMID, C2 the
PMCID); EndNote's help on names of groups.

BibTeX is for LaTeX: text in Unicode with LaTeX's own characters escaped. An entry's key is the user's, else the first
author's family name, the year and the document's id, in ASCII. Words with capitals behind the first letter of the title
stand in braces, since styles would write them small. DOI and URL stay raw, as packages expect them; characters that
would end their field are percent-encoded. Source: Patashnik 1988, "BibTeXing"; names: "von Last, Jr, First", a name in
braces is one name.

    TY  - JOUR                                  @article{hellinger2016-27000083,
    AU  - Hellinger, Frank R, Jr                  author = {Hellinger, Jr, Frank R and {STRATIS Investigators}},
    TI  - Does aspirin prevent stroke?            title = {Does aspirin prevent stroke in {USA}?},
    ER  -                                       }

CSV (RFC 4180) is UTF-8 with a byte order mark, by which Excel reads it. A cell that begins like a formula gets an
apostrophe in front, which spreadsheets do not show. JSON lines are documents of the format jsonl: text is the abstract,
unknown fields are left out, and a notice is a key of its kind.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator
from string import ascii_letters as ascii_alphabet
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec

from anagnosis.documents.bibliography import NO_BREAK, is_group, name_parts, printed_name
from anagnosis.documents.states import UNNAMED
from anagnosis.errors import unknown_name
from anagnosis.searching.citing.reference import Reference, ascii_letters
from anagnosis.showing import without_formula

_JOINT = "; "
# Type of publication, in lower case → the type of a reference in RIS; all others are papers of a journal.
_RIS_TYPES = {"preprint": "UNPB", "dataset": "DATA"}
_JOURNAL = "JOUR"
# LaTeX's own characters → how they are written. Braces are commands, since BibTeX counts escaped braces too.
ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{each: f"\\{each}" for each in "&%$#_"},
}
_ESCAPED = str.maketrans(ESCAPES)
# Between signs that LaTeX would join to one.
_JOINED = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=`)(?=`)|(?<=[!?])(?=`)")
# Characters of a DOI or an address that would end or break its field.
_RAW = re.compile(r"[{}\\\s%]")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NOT_IN_KEY = re.compile(r'[\s,{}"=\\#%~]')
_DIVIDED = re.compile("[ ,].*")  # what BibTeX would divide a name at, and all behind it
_KEY = 40  # most letters of an id in a key
_BOM = "\ufeff"
# "817-20", "S12-S19", "817–820": the first page and what of the last one is printed.
_SPAN = re.compile(r"([A-Za-z]{0,4}\d{1,9})\s*[-\u2010-\u2015]+\s*([A-Za-z]{0,4}\d{1,9})")
COLUMNS = (
    *("id", "pmid", "pmcid", "doi", "title", "authors", "journal", "date", "year", "volume", "issue"),
    *("pages", "types", "keywords", "mesh", "language", "licence", "notices", "address", "abstract"),
)


def pages_span(pages: str) -> tuple[str, str]:
    """("817", "820") of "817-20"; all of the pages and "" where they are no simple span."""
    if (span := _SPAN.fullmatch(pages)) is None:
        return pages, ""
    first, last = span.groups()
    letters = len(first) - len(first.lstrip(ascii_alphabet))
    digits = last.removeprefix(first[:letters])
    completed = first[: max(letters, len(first) - len(digits))] + digits
    return first, completed if digits.isdecimal() else last


def _slashed_date(date: str) -> str:
    """As RIS writes it, "2016/03/23/": always three slashes."""
    year, month, day, *_ = (*date.split("-"), "", "", "")
    return f"{year}/{month}/{day}/" if year else ""


def _notes(one: Reference) -> list[str]:
    """The notices in words, and what was read from the first page."""
    found = ", ".join(one.from_page)
    return [*one.notice_words, f"read from page 1: {found}"] if found else one.notice_words


def _terms(one: Reference) -> list[str]:
    """Keywords and MeSH, each once."""
    return list(dict.fromkeys((*one.keywords, *one.mesh)))


# Tag of RIS, field of BibTeX ("" where the format has none), what stands there of a reference.
FIELDS: tuple[tuple[str, str, Callable[[Reference], str | list[str]]], ...] = (
    ("TI", "title", lambda one: one.title),
    ("T2", "journal", lambda one: one.journal),
    ("PY", "year", lambda one: one.year),
    ("DA", "", lambda one: _slashed_date(one.date)),
    ("", "month", lambda one: one.date[5:7]),
    ("", "day", lambda one: one.date[8:10]),
    ("VL", "volume", lambda one: one.volume),
    ("IS", "number", lambda one: one.issue),
    ("SP", "", lambda one: pages_span(one.pages)[0]),
    ("EP", "", lambda one: pages_span(one.pages)[1]),
    ("", "pages", lambda one: "--".join(filter(None, pages_span(one.pages)))),
    ("DO", "doi", lambda one: one.doi),
    ("AN", "pmid", lambda one: one.pmid),
    ("C2", "pmcid", lambda one: one.pmcid),
    ("LA", "language", lambda one: one.language),
    ("KW", "keywords", _terms),
    ("AB", "abstract", lambda one: one.abstract),
    ("N1", "note", _notes),
    ("UR", "url", lambda one: one.address),
)


def _ris(references: Iterable[Reference]) -> Iterator[str]:
    for one in references:
        kind = next((_RIS_TYPES[each.lower()] for each in one.types if each.lower() in _RIS_TYPES), _JOURNAL)
        fields = [("TY", kind), *(("AU", ris_author(author)) for author in one.authors)]
        for tag, _, values in FIELDS:
            value = values(one)
            fields += [(tag, each) for each in ([value] if isinstance(value, str) else value) if tag and each]
        fields += [("ID", one.citation_key or one.id), ("ER", "")]
        yield "".join(f"{tag}  - {value}\r\n" for tag, value in fields) + "\r\n"


def ris_author(author: str) -> str:
    """ "Hellinger, Frank R, Jr"; a group ends in a comma, and the first inside is two: "Salt,, Soup Group,"."""
    if is_group(author):
        return printed_name(author.replace(f",{NO_BREAK}", ",, ", 1)) + ","
    return ", ".join(filter(None, name_parts(author)))


def _bibtex(references: Iterable[Reference]) -> Iterator[str]:
    """An entry a piece. Memory: the keys."""
    keys: dict[str, int] = {}
    for one in references:
        fields = {"author": f"{{{' and '.join(map(_bibtex_author, one.authors))}}}" if one.authors else ""}
        for _, field, values in FIELDS:
            value = values(one)
            if field and value:
                fields[field] = _bibtex_value(field, value if isinstance(value, str) else _JOINT.join(value))
        lines = "".join(f"  {field} = {value},\n" for field, value in fields.items() if value)
        yield f"@{'article' if one.journal else 'misc'}{{{_key(one, keys)},\n{lines}}}\n\n"


def _bibtex_value(field: str, value: str) -> str:
    """A value as its field has it; "" for what is no month."""
    if field == "month":
        return _MONTHS[int(value) - 1] if value.isdecimal() and 1 <= int(value) <= len(_MONTHS) else ""
    if field == "title":
        value = " ".join(_word(word, at) for at, word in enumerate(value.split(" ")))
    elif field == "pages":
        value = "--".join(map(_escaped, value.split("--")))
    elif field in ("doi", "url"):
        value = _RAW.sub(lambda match: match[0] if match[0] == "%" else quote(match[0]), value)
    else:
        value = _escaped(value)
    return f"{{{value}}}"


def _key(one: Reference, keys: dict[str, int]) -> str:
    """The key of an entry, which joins `keys`: key → the last number behind it."""
    family = ascii_letters(one.authors[0].partition(",")[0])[:_KEY] if one.authors else ""
    made_up = "-".join(filter(None, (family + ascii_letters(one.year), ascii_letters(one.id)[:_KEY])))
    numbered = key = _NOT_IN_KEY.sub("", one.citation_key) or made_up
    while numbered in keys:
        keys[key] += 1
        numbered = f"{key}-{keys[key]}"
    keys[numbered] = 1
    return numbered


def _escaped(text: str) -> str:
    """The text with LaTeX's own characters escaped, and signs apart that it would join to one."""
    return _JOINED.sub("{}", text.translate(_ESCAPED))


def _bibtex_author(author: str) -> str:
    """ "Hellinger, Jr, Frank R"; a group's name in braces; "Ibn{ Sina}" is a family name alone."""
    if is_group(author):
        return f"{{{_escaped(printed_name(author))}}}"
    family, given, suffix = name_parts(author)
    if not given:
        return _DIVIDED.sub(r"{\g<0>}", _escaped(family))
    return ", ".join(map(_in_a_name, filter(None, (family, suffix, given))))


def _in_a_name(part: str) -> str:
    """A part of a name, in braces where a comma or the word "and" would divide it."""
    divides = "," in part or "and" in part.lower().split()
    return f"{{{_escaped(part)}}}" if divides else _escaped(part)


def _word(word: str, at: int) -> str:
    """A word of a title, the first at 0."""
    is_kept = any(each.isupper() for each in (word if at else word[1:]))
    return f"{{{_escaped(word)}}}" if is_kept else _escaped(word)


def _csv(references: Iterable[Reference]) -> Iterator[str]:
    """The header, then a row a piece."""
    yield _BOM + _row(COLUMNS)
    for one in references:
        fields: dict[str, Any] = msgspec.structs.asdict(one) | {"notices": _notes(one), "year": one.year}
        fields["authors"] = _without_marks(one.authors)
        cells = {name: each if isinstance(each, str) else _JOINT.join(each) for name, each in fields.items()}
        yield _row([without_formula(cells.get(name, "")) for name in COLUMNS])


def _row(cells: Iterable[str]) -> str:
    stream = io.StringIO()
    csv.writer(stream).writerow(cells)
    return stream.getvalue()


def _jsonl(references: Iterable[Reference]) -> Iterator[str]:
    for one in references:
        fields = msgspec.structs.asdict(one) | {"notices": None}
        fields["authors"] = _without_marks(each for each in one.authors if not is_group(each))
        fields["corporate_authors"] = tuple(filter(is_group, one.authors))
        fields |= {notice.kind: notice.about or UNNAMED for notice in one.notices}
        known = {
            "text" if name == "abstract" else name: value
            for name, value in fields.items()
            if value not in ("", (), None) or name in ("id", "title")
        }
        yield msgspec.json.encode(known).decode() + "\n"


def _without_marks(authors: Iterable[str]) -> tuple[str, ...]:
    """The authors, of whom a person without given name has no comma."""
    return tuple(each.removesuffix(",") for each in authors)


class ExportFormat(NamedTuple):
    """A format of exported references.

    title: what people call it. suffix: of its files. lines: the text of a file in pieces: what stands before the first
    reference, and one piece a reference.
    """

    title: str
    suffix: str
    media_type: str
    lines: Callable[[Iterable[Reference]], Iterator[str]]


FORMATS = {
    "ris": ExportFormat("RIS", ".ris", "application/x-research-info-systems", _ris),
    "bibtex": ExportFormat("BibTeX", ".bib", "application/x-bibtex", _bibtex),
    "csv": ExportFormat("CSV", ".csv", "text/csv; charset=utf-8", _csv),
    "jsonl": ExportFormat("JSON lines", ".jsonl", "application/x-ndjson", _jsonl),
}


def export_format(name: str) -> ExportFormat:
    """The format of this name. InputError: an unknown name."""
    if name not in FORMATS:
        raise unknown_name("format", name, FORMATS, "--to")
    return FORMATS[name]
