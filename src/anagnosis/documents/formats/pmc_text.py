"""The plain text of PMC's open access articles (oa_bulk, `txt`), from which BioRead was made.

    PMID: 12929205                 header, only in newer releases; without it the file's name gives the PMCID
    Accession ID: PMC176545
    ==== Front
    J Clin Med …                   journal, title, authors and abstract, not told apart
    ==== Body
    Introduction                   headings, paragraphs, captions and tables, a line each
    Human malaria is caused by …
    ==== Refs
    1 Ng A. Salt. J. 2001;3:1.

A part becomes a section (`front`, `body`, `references`, `back`), a line for each of its printed lines. `read` leaves
out references; `read_with_references` gives them. Only the newer front matter has a line for each element: its title is
the first line of four words behind the line with the DOI. Several articles in one file follow each other.

Source: articles of the releases of 2021 and 2023; NCBI does not describe the format.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from anagnosis.documents.dates import written_date
from anagnosis.documents.document import Document, Section
from anagnosis.documents.identifiers import plain_pmcid, plain_pmid
from anagnosis.documents.io.malformed import FETCH_AGAIN, MalformedError, empty_file, until_malformed
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import UNNAMED, with_states
from anagnosis.documents.text import tidied
from anagnosis.errors import TruncatedError

SUFFIXES = (".txt",)
LONGEST_ARTICLE = 64 << 20
_PARTS = {"Front": "front", "Body": "body", "Refs": "references", "Back": "back"}
_MARKER = re.compile(rf"==== ({'|'.join(_PARTS)})\s*")
_HEADER = re.compile(r"(PMID|Accession ID|License|Last Updated|Retracted|Citation): *(.*)")
_FIRST_LINES = re.compile(
    rb"(?:(?:PMID|Accession ID|License|Last Updated|Retracted|Citation):[^\n]*\n)*==== Front\s*\n"
)
_IN_NAME = re.compile(r"PMC\d+")
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_CITATION = re.compile(r"(.+?)\. (\d{4}.*)")
_FEWEST_WORDS = 4  # of a title; kinds of articles and names of authors have fewer


class _Line(NamedTuple):
    """number: in the file, from 1."""

    number: int
    text: str


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is such an article."""
    return _FIRST_LINES.match(head.removeprefix(BOM_UTF8).lstrip().replace(b"\r", b"")) is not None


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, without its references, in memory bounded by an article.

    repairs: gets title_by_position, title_unmarked, and the refused articles by "name:line". TruncatedError: the last
    article has no body.
    """
    return until_malformed(_documents(stream, repairs, name, with_references=False), repairs)


def read_with_references(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """The documents of `read`, with their references."""
    return until_malformed(_documents(stream, repairs, name, with_references=True), repairs)


def _documents(stream: BinaryIO, repairs: Repairs, name: str, *, with_references: bool) -> Iterator[Document]:
    for lines, is_last in _articles(stream, name):
        where = f"{name}:{lines[0].number}"
        sections = _sections(lines)
        if "body" not in sections:
            if is_last:
                raise TruncatedError("the file ends in front of an article's body", where, FETCH_AGAIN)
            repairs.refuse(where, "an article without ==== Body")
            continue
        unreadable = next((line.number for line in lines if "\ufffd" in line.text), 0)
        if unreadable:
            repairs.refuse(f"{name}:{unreadable}", "not UTF-8, or an unreadable character")
            continue
        facts = _facts(lines, sections["front"], name)
        ident = facts.get("pmid") or facts.get("pmcid")
        if not ident:
            repairs.refuse(where, "an article without PMID or PMCID, in the header or in the file's name")
            continue
        title, front = _title(sections.pop("front"), repairs)
        if not with_references:
            sections.pop("references", None)
        parts = [("front", front), *sections.items()]
        documented = [Section(label, "\n".join(part)) for label, part in parts if part]
        titled = [Section("title", title)] if title else []
        yield Document(ident, (*titled, *documented), facts=with_states(facts, title))


def _articles(stream: BinaryIO, name: str) -> Iterator[tuple[list[_Line], bool]]:
    """(the lines of an article with its header, without empty ones; whether it is the last)."""
    lines: list[_Line] = []
    number = size = 0
    while raw := stream.readline(LONGEST_ARTICLE + 1):
        number += 1
        size += len(raw)
        if size > LONGEST_ARTICLE:
            what = f"an article longer than {LONGEST_ARTICLE >> 20} MiB"
            raise MalformedError(what, f"{name}:{number}", "cut the file between articles")
        text = tidied(raw.removeprefix(BOM_UTF8).decode(errors="replace"))
        if not text:
            continue
        if _MARKER.fullmatch(text) and text.startswith("==== Front"):
            begins = len(lines)
            while begins and _HEADER.fullmatch(lines[begins - 1].text):
                begins -= 1
            if begins:
                yield lines[:begins], False
            lines = lines[begins:]
            size = 0
        lines.append(_Line(number, text))
    if not number:
        raise empty_file(name)
    if not any(_MARKER.fullmatch(line.text) for line in lines):
        raise MalformedError("no article with ==== Front", name, "check the format, or name it with --format")
    yield lines, True


def _sections(lines: list[_Line]) -> dict[str, list[str]]:
    """Label → lines. Parts of one name are one section; header lines are in none."""
    sections: dict[str, list[str]] = {"front": []}
    label = ""
    for line in lines:
        marker = _MARKER.fullmatch(line.text)
        if marker:
            label = _PARTS[marker[1]]
            sections.setdefault(label, [])
        elif label:
            sections[label].append(line.text)
    return sections


def _facts(lines: list[_Line], front: list[str], name: str) -> dict[str, str]:
    header: dict[str, str] = {}
    for line in lines:
        match = _HEADER.fullmatch(line.text)
        if match is None:
            break
        header.setdefault(match[1], match[2])
    in_name = _IN_NAME.findall(name)
    journal = _CITATION.fullmatch(header.get("Citation", ""))
    date = written_date(journal[2])[0] if journal else ""
    facts = {
        "date": date,
        "year": date[:4],
        "journal": journal[1] if journal else "",
        "doi": next((line for line in front if _DOI.fullmatch(line)), ""),
        "pmid": plain_pmid(header.get("PMID", "")),
        "pmcid": plain_pmcid(header.get("Accession ID", "")) or (in_name[-1] if in_name else ""),
        "licence": header.get("License", ""),
        "retracted": UNNAMED if header.get("Retracted", "").lower() == "yes" else "",
    }
    return {key: value for key, value in facts.items() if value}


def _title(front: list[str], repairs: Repairs) -> tuple[str, list[str]]:
    """(the title, the other lines); counted: title_by_position, title_unmarked (no line is known to be the title)."""
    doi = next((place for place, line in enumerate(front) if _DOI.fullmatch(line)), len(front))
    behind = range(doi + 1, len(front))
    place = next((place for place in behind if len(front[place].split()) >= _FEWEST_WORDS), None)
    if place is None:
        repairs.count("title_unmarked")
        return "", front
    repairs.count("title_by_position")
    return front[place], front[:place] + front[place + 1 :]
