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

A part becomes a section (`front`, `body`, `references`, `back`), a line for each printed line; `read` leaves out
references. Only the newer front matter has a line for each element: its title is the first line of four words behind
the line with the DOI. Source: articles of the releases of 2021 and 2023; NCBI does not describe the format.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from functools import partial
from typing import BinaryIO

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


_Line = tuple[int, str]  # its number in the file, and its text


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
        where = f"{name}:{lines[0][0]}"
        header, sections = _parts(lines)
        if "body" not in sections:
            if is_last:
                raise TruncatedError("the file ends in front of an article's body", where, FETCH_AGAIN)
            repairs.refuse(where, "an article without ==== Body")
            continue
        if unreadable := next((number for number, text in lines if "\ufffd" in text), 0):
            repairs.refuse(f"{name}:{unreadable}", "not UTF-8, or an unreadable character")
            continue
        facts = _facts(header, sections["front"], name)
        ident = facts.get("pmid") or facts.get("pmcid")
        if not ident:
            repairs.refuse(where, "an article without PMID or PMCID, in the header or in the file's name")
            continue
        title, sections["front"] = _title(sections["front"], repairs)
        if not with_references:
            sections.pop("references", None)
        documented = [Section(label, "\n".join(part)) for label, part in sections.items() if part]
        titled = [Section("title", title)] if title else []
        yield Document(ident, (*titled, *documented), facts=with_states(facts, title))


def _articles(stream: BinaryIO, name: str) -> Iterator[tuple[list[_Line], bool]]:
    """(the lines of an article with its header, without empty ones; whether it is the last)."""
    lines: list[_Line] = []
    number = size = 0
    for number, raw in enumerate(iter(partial(stream.readline, LONGEST_ARTICLE + 1), b""), 1):
        size += len(raw)
        if size > LONGEST_ARTICLE:
            what = f"an article longer than {LONGEST_ARTICLE >> 20} MiB"
            raise MalformedError(what, f"{name}:{number}", "cut the file between articles")
        text = tidied(raw.removeprefix(BOM_UTF8).decode(errors="replace"))
        if _MARKER.fullmatch(text) and text.startswith("==== Front"):
            begins = len(lines)
            while begins and _HEADER.fullmatch(lines[begins - 1][1]):
                begins -= 1
            if begins:
                yield lines[:begins], False
            lines, size = lines[begins:], 0
        if text:
            lines.append((number, text))
    if not number:
        raise empty_file(name)
    if not any(_MARKER.fullmatch(text) for _, text in lines):
        raise MalformedError("no article with ==== Front", name, "check the format, or name it with --format")
    yield lines, True


def _parts(lines: list[_Line]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """(the fields of the header, label → lines). Parts of one name are one section."""
    header: dict[str, str] = {}
    sections: dict[str, list[str]] = {"front": []}
    label = ""
    for _, text in lines:
        if marker := _MARKER.fullmatch(text):
            label = _PARTS[marker[1]]
            sections.setdefault(label, [])
        elif label:
            sections[label].append(text)
        elif field := _HEADER.fullmatch(text):
            header.setdefault(field[1], field[2])
    return header, sections


def _facts(header: dict[str, str], front: list[str], name: str) -> dict[str, str]:
    journal = _CITATION.fullmatch(header.get("Citation", ""))
    date = written_date(journal[2])[0] if journal else ""
    facts = {
        "date": date,
        "year": date[:4],
        "journal": journal[1] if journal else "",
        "doi": next((line for line in front if _DOI.fullmatch(line)), ""),
        "pmid": plain_pmid(header.get("PMID", "")),
        "pmcid": plain_pmcid(header.get("Accession ID", "")) or next(reversed(_IN_NAME.findall(name)), ""),
        "licence": header.get("License", ""),
        "retracted": UNNAMED if header.get("Retracted", "").lower() == "yes" else "",
    }
    return {key: value for key, value in facts.items() if value}


def _title(front: list[str], repairs: Repairs) -> tuple[str, list[str]]:
    """(the title, the other lines); counted: title_by_position, title_unmarked (no line is known to be the title)."""
    doi = next((place for place, line in enumerate(front) if _DOI.fullmatch(line)), len(front))
    for place in range(doi + 1, len(front)):
        if len(front[place].split()) >= _FEWEST_WORDS:
            repairs.count("title_by_position")
            return front[place], front[:place] + front[place + 1 :]
    repairs.count("title_unmarked")
    return "", front
