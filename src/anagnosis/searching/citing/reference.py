"""A paper as a reference: everything that a citation or a reference manager wants, in one line each, and its citation.

It is made of the paper's passages and the facts that an index stores once a paper. A citation of the paper, or of a
sentence in it, is text to paste into a manuscript:

    Hellinger FR Jr, van der Bergé J-P, Salt Study Group, et al. Does aspirin prevent stroke? J Salt
    2016;12(Suppl 1):817-20. PMID 27000083. doi:10.1000/x

    “Aspirin prevented stroke.” (results) Hellinger FR Jr, … doi:10.1000/x

Source: NLM, "Citing Medicine", 2nd edition, journal articles; at most MOST_AUTHORS names stand before "et al".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import msgspec

from anagnosis.documents.bibliography import NO_BREAK, is_group, name_parts, printed_name
from anagnosis.searching.records.passage import Notice, Paper, Passage

# Control characters, halves of surrogate pairs, and characters that make a line read otherwise than it is written.
_UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]+"
)
_BLANKS = re.compile(r"\s+")
MOST_AUTHORS = 3
# Initials as a source prints them: "FR", "F.R.", "J-P".
_INITIALS = re.compile(r"[^\W\d_]{1,3}|[^\W\d_](?:(?:\. ?|[ -])[^\W\d_])*\.?")
_ENDS = (".", "?", "!", "…")


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """A paper. All text is in one line, without control characters; "" and () where a field is unknown.

    id: of the document. authors: "Family, Given", of a group its name, with no-break spaces behind commas and
    semicolons (`bibliography.signatories`), which `printed_name` makes blanks. date: ISO, as exact as known.
    abstract: its parts, each behind its heading. notices: a retraction and the like. address: where to read
    the paper. citation_key: that the user's library has. from_page: "doi", "pmid", where only the first page of the
    paper's file says them.
    """

    id: str
    title: str = ""
    authors: tuple[str, ...] = ()
    journal: str = ""
    date: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    doi: str = ""
    pmid: str = ""
    pmcid: str = ""
    language: str = ""
    licence: str = ""
    citation_key: str = ""
    types: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    mesh: tuple[str, ...] = ()
    abstract: str = ""
    notices: tuple[Notice, ...] = ()
    address: str = ""
    from_page: tuple[str, ...] = ()

    @property
    def year(self) -> str:
        return self.date[:4]

    @property
    def notice_words(self) -> list[str]:
        """The notices in words: "RETRACTED (33370000)"."""
        return [f"{one.says} ({one.about})" if one.about else one.says for one in self.notices]


def reference(passages: Sequence[Passage], paper: Paper) -> Reference:
    """passages: of one document, in its order; at least one."""
    first = passages[0]
    on_page, links = first.on_first_page, first.links
    facts = {**first.facts, **on_page, **first.identifiers}
    texts = {
        name: facts.get(name, "") for name in ("doi", "pmid", "pmcid", "language", "licence", "citation_key")
    }
    texts |= {"id": first.document, "title": first.title, "journal": first.journal, "date": first.date}
    texts |= {"volume": paper.volume, "issue": paper.issue, "pages": paper.pages}
    return Reference(
        **{name: in_one_line(text) for name, text in texts.items()},
        authors=tuple(filter(None, map(_name_in_one_line, paper.authors))),
        types=_each_in_one_line(first.types),
        keywords=_each_in_one_line(paper.keywords),
        mesh=_each_in_one_line(paper.mesh),
        abstract=abstract(passages),
        notices=tuple(Notice(one.kind, one.says, in_one_line(one.about)) for one in first.notices),
        address=links[0].address if links else "",
        from_page=tuple(sorted(on_page)),
    )


def abstract(passages: Sequence[Passage]) -> str:
    """The abstract of a document in one line, each of its parts behind its heading."""
    parts = (one for one in passages if not one.full_text and one.section != "title")
    return " ".join(in_one_line(f"{one.heading}: {one.text}" if one.heading else one.text) for one in parts)


def _each_in_one_line(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(filter(None, map(in_one_line, values)))


def _name_in_one_line(author: str) -> str:
    return NO_BREAK.join(map(in_one_line, author.split(NO_BREAK)))


def in_one_line(text: str) -> str:
    """The text without control characters, line breaks and doubled blanks."""
    return _BLANKS.sub(" ", _UNPRINTABLE.sub(" ", text)).strip()


def ascii_letters(text: str) -> str:
    """The ASCII letters and digits of a text without its accents, in lower case."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(each for each in plain if each.isascii() and each.isalnum()).lower()


def citation(paper: Reference) -> str:
    """The paper in one line; a retraction and the like first."""
    parts = (
        *(f"[{notice}]" for notice in paper.notice_words),
        _ended(first_authors(paper.authors)),
        _ended(paper.title or paper.id),
        _ended(_place(paper)),
        _ended(f"PMID {paper.pmid}") if paper.pmid else _ended(paper.pmcid),
        f"doi:{paper.doi}" if paper.doi else "",
    )
    return " ".join(filter(None, parts))


def citation_of_sentence(paper: Reference, sentence: str, section: str) -> str:
    """A sentence, verbatim but for line breaks, with its section and its paper."""
    return f"“{in_one_line(sentence)}” ({in_one_line(section)}) {citation(paper)}"


def short_name(author: str) -> str:
    """ "Hellinger FR Jr" for "Hellinger, Frank R Jr"; a group's name stays."""
    if is_group(author):
        return printed_name(author)
    family, given, suffix = name_parts(author)
    return " ".join(filter(None, (family, _initials(given), suffix)))


def first_authors(authors: tuple[str, ...]) -> str:
    """At most MOST_AUTHORS in short, and "et al" for the others: "Hellinger FR Jr, van der Bergé J-P"."""
    names = [short_name(author) for author in authors[:MOST_AUTHORS]]
    return ", ".join(names + ["et al"] * (len(authors) > MOST_AUTHORS))


def _initials(given: str) -> str:
    """The initials of given names; initials alone stay: "FR" for "Frank R", "J-P" for "Jean-Pierre" and "J-P"."""
    if given.isupper() and _INITIALS.fullmatch(given):
        return given.replace(".", "").replace(" ", "")
    parts = ("-".join(piece[:1] for piece in name.split("-") if piece) for name in given.split())
    return "".join(parts)


def _place(paper: Reference) -> str:
    """The place in the journal, "J Salt 2016;12(Suppl 1):817-20", as far as known."""
    in_volume = paper.volume + (f"({paper.issue})" if paper.issue else "")
    journal = paper.journal.rstrip(".")
    dated = " ".join(filter(None, (journal, paper.year)))
    numbered = f"{dated};{in_volume}" if dated and in_volume else dated or in_volume
    return f"{numbered}:{paper.pages}" if numbered and paper.pages else numbered


def _ended(part: str) -> str:
    return part if not part or part.endswith(_ENDS) else f"{part}."
