r"""BibTeX, for LaTeX: an entry a paper, its text in Unicode with LaTeX's own characters escaped.

    @article{hellinger2016-27000083,
      author = {Hellinger, Jr, Frank R and {STRATIS Investigators}},
      title = {Does aspirin prevent stroke in {USA}?},
      month = mar,
    }

An entry's key is the user's, else the first author's family name, the year and the document's id, in ASCII. Words with
capitals behind the first letter of the title stand in braces, since styles would write them small. DOI and URL stay
raw, as packages expect them; characters that would end their field are percent-encoded.
Source: Patashnik 1988, "BibTeXing"; names: "von Last, Jr, First", a name in braces is one name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote

from anagnosis.documents.bibliography import name_parts, printed_name
from anagnosis.searching.citing.reference import Reference, ascii_letters, first_and_last_page, is_group

_ARTICLE, _OTHER = "article", "misc"
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
_JOINED = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=`)(?=`)|(?<=[!?])(?=`)")
# Characters of a DOI or an address that would end or break its field.
_RAW = re.compile(r"[{}\\\s%]")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NOT_IN_KEY = re.compile(r'[\s,{}"=\\#%~]')
_KEY = 40  # most letters of an id in a key


def lines(references: Iterable[Reference]) -> Iterator[str]:
    """One entry a piece, with an empty line behind it. Memory: the keys."""
    keys: dict[str, int] = {}
    for reference in references:
        key = _key(reference, keys)
        kind = _ARTICLE if reference.journal else _OTHER
        fields = "".join(f"  {name} = {value},\n" for name, value in _fields(reference) if value != "{}")
        yield f"@{kind}{{{key},\n{fields}}}\n\n"


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


def _fields(one: Reference) -> Iterator[tuple[str, str]]:
    """(name, value with its braces); the caller leaves out empty values."""
    yield "author", _braced(" and ".join(map(_author, one.authors)))
    yield "title", _braced(" ".join(_word(word, at) for at, word in enumerate(one.title.split(" "))))
    yield from _escaped({"journal": one.journal, "year": one.year})
    month = one.date[5:7]
    if month.isdecimal() and 1 <= int(month) <= len(_MONTHS):
        yield "month", _MONTHS[int(month) - 1]
    yield from _escaped({"volume": one.volume, "number": one.issue})
    yield "pages", _braced("--".join(map(escaped, filter(None, first_and_last_page(one.pages)))))
    yield "doi", _braced(_raw(one.doi))
    keywords = "; ".join(dict.fromkeys((*one.keywords, *one.mesh)))
    yield from _escaped({"pmid": one.pmid, "pmcid": one.pmcid, "language": one.language})
    yield from _escaped({"keywords": keywords, "abstract": one.abstract, "note": "; ".join(one.notes)})
    yield "url", _braced(_raw(one.address))


def _escaped(fields: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    return ((name, _braced(escaped(value))) for name, value in fields.items())


def escaped(text: str) -> str:
    """The text with LaTeX's own characters escaped, and signs apart that it would join to one."""
    return _JOINED.sub("{}", text.translate(_ESCAPED))


def _braced(value: str) -> str:
    return f"{{{value}}}"


def _author(author: str) -> str:
    """ "Hellinger, Jr, Frank R"; a name that would read otherwise, such as a group's, in braces."""
    if is_group(author):
        return _braced(escaped(printed_name(author)))
    family, given, suffix = map(_in_a_name, name_parts(author))
    return ", ".join((family, suffix, given) if suffix else (family, given))


def _in_a_name(part: str) -> str:
    """A part of a name, in braces where a comma or the word "and" would divide it."""
    return _braced(escaped(part)) if "," in part or "and" in part.lower().split() else escaped(part)


def _word(word: str, at: int) -> str:
    """A word of a title, the first at 0."""
    is_kept = any(each.isupper() for each in (word if at else word[1:]))
    return _braced(escaped(word)) if is_kept else escaped(word)


def _raw(value: str) -> str:
    return _RAW.sub(lambda match: match[0] if match[0] == "%" else quote(match[0]), value)
