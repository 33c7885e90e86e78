"""The verb check_quotes, and check_quote, which an assistant calls."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from anagnosis.api import shared
from anagnosis.api.options import Option
from anagnosis.api.searching import open_collection
from anagnosis.errors import ArgumentError, InputError
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.quotations.checking import CheckedQuotation, QuotationCheck
    from anagnosis.searching.index.index import Index

_LARGEST = 16 << 20  # bytes of a draft
_LATEX = re.compile(r"\\(?:documentclass|begin\{|\w*cite\w*\*?[\[{]|enquote)")


def check_quotes(
    draft: Annotated[PathLike, Option(metavar="DRAFT|-")],
    *,
    index: Annotated[PathLike | Index, Option("The papers that the draft quotes.", metavar="INDEX_FOLDER")],
    bib: Annotated[
        PathLike | None,
        Option("The bibliography whose keys the draft names (@key).", metavar="FILE"),
    ] = None,
) -> QuotationCheck:
    """Check each quotation of a draft: is it there, word for word, in the paper named beside it?

    A quotation has five words or more, between quotation marks or in a block quote. Its paper is named by PMID, PMC
    number, DOI or bibliography key. The verdict is "word for word", "nearly" (at most one word in five differs),
    "elsewhere", "not here" (said only of a paper whose full text is in the index) or "cannot tell".
    Ends with exit code 1 if a quotation is nearly there, elsewhere or not here, or a paper is retracted.
    \f
    InputError: the draft is no text, or larger than 16 MiB; the bibliography cannot be read.
    """
    from anagnosis.documents.io.whole import whole_text
    from anagnosis.io.files import display_name, open_input
    from anagnosis.progress import print_note
    from anagnosis.quotations.checking import QuotationChecker
    from anagnosis.quotations.draft import KEY, read_draft

    name = display_name(draft)
    with open_input(draft) as stream:
        text = whole_text(stream, name, _LARGEST)
    if "\0" in text:
        raise InputError("is no text", name, "give a draft in Markdown or plain text")
    if _LATEX.search(text):
        raise InputError("is LaTeX", name, "convert it: pandoc draft.tex -t markdown -o draft.md")
    identifiers = _bibliography(Path(bib)) if bib is not None else {}
    opened = open_collection(index) if isinstance(index, PathLike) else index
    draft_read = read_draft(text)
    if keys := [one for one in draft_read.named if one[:1] == KEY and one[1:] not in identifiers]:
        print_note(f"{name} names papers by keys that no bibliography (--bib) has, such as {keys[0]}")
    return QuotationChecker(opened.engine, identifiers).check(draft_read, name)


def check_quote(
    folder: shared.IndexFolder,
    quotation: Annotated[str, Option("The quotation, without its marks.")],
    *,
    paper: Annotated[str, Option("The PMID, PMC number, DOI or id of its paper (default: any).")] = "",
) -> CheckedQuotation:
    """Whether a quotation stands in a paper word for word, and where.

    The verdict is "word for word", "nearly", "elsewhere" (another paper has it), "not here" or "cannot tell".
    """
    from anagnosis.quotations.checking import QuotationChecker
    from anagnosis.quotations.draft import LONGEST, Quotation
    from anagnosis.quotations.matching import parts

    if not parts(quotation):
        raise ArgumentError("has no word", "quotation", "give the words that are quoted")
    if len(quotation) > LONGEST:
        raise ArgumentError(f"has more than {LONGEST:,} characters", "quotation", "check it in pieces")
    opened = open_collection(folder) if isinstance(folder, PathLike) else folder
    named = (paper,) if paper else ()
    return QuotationChecker(opened.engine).verdict(Quotation(quotation, 0, named))


def _bibliography(path: Path) -> Mapping[str, Sequence[str]]:
    """Key → the identifiers of its paper, and the id that an index has for it. InputError: no bibliography."""
    from anagnosis.documents.library_reading import library_at
    from anagnosis.documents.repairs import Repairs
    from anagnosis.io.files import display_name
    from anagnosis.progress import print_note

    name, repairs = display_name(path), Repairs()
    library = library_at(name, path)
    if library is None:
        raise InputError("is no bibliography", name, "give a file of BibTeX, RIS or CSL JSON")
    found = dict[str, Sequence[str]]()
    for each in library.entries(repairs):
        own = each.document
        named = [f"{kind}:{own.facts[kind]}" for kind in ("pmid", "pmcid", "doi") if kind in own.facts]
        found[own.facts.get("citation_key", each.key)] = [own.id, *named]
    for where, why in repairs.refusals[:3]:
        print_note(f"{where}: {why}; its key names no paper")
    return found
