"""The quotations of a draft and what became of them, as a report: first what is wrong, then the papers, then all."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.quotations.checking import WRONG, CheckedQuotation, QuotationCheck, Verdict
from anagnosis.quotations.draft import LONGEST
from anagnosis.reports.report import Block, Heading, Listing, Report, Text, listing, table
from anagnosis.reports.search.results import printed_pages
from anagnosis.wording import counted

# Verdict → its heading, in the order of the report.
HEADINGS: dict[Verdict, str] = {
    "not here": "Not in the paper that is named",
    "elsewhere": "In another paper than the named one",
    "nearly": "Nearly: words, or the order of parts, differ",
    "cannot tell": "Cannot tell",
    "word for word": "Word for word",
}


def report(check: QuotationCheck) -> Report:
    """The verdicts, what is wrong first."""
    counts: dict[Verdict, list[CheckedQuotation]] = {
        verdict: [one for one in check.quotations if one.verdict == verdict] for verdict in HEADINGS
    }
    said = ", ".join(f"{len(some):,} {verdict}" for verdict, some in counts.items() if some)
    noticed = sum(bool(one.notices) for one in check.quotations)
    said = f"{said}; {noticed:,} of papers with a notice" if noticed else said
    blocks: list[Block] = [
        Text(f"{counted(len(check.quotations), 'quotation')}{f': {said}' if said else ''}.")
    ]
    if check.unclosed:
        lines = ", ".join(map(str, check.unclosed[:20]))
        blocks.append(
            Text(
                f"Not checked: no quotation ends within {LONGEST:,} characters of its mark, or of the begin of its "
                f"block, in line {lines}.",
                "warning",
            )
        )
    if papers := [one for one in check.papers if one.notices]:
        columns = [
            ("paper", lambda one: one.named),
            ("title", lambda one: one.title),
            ("state", lambda one: "; ".join(notice.says for notice in one.notices)),
        ]
        blocks.append(table("Papers of the draft with a notice", columns, papers))
    for verdict, some in counts.items():
        if some:
            blocks.append(Heading(HEADINGS[verdict]))
            blocks += [_shown(one) for one in some]
    absent = [one.named for one in check.papers if not one.document]
    if absent:
        blocks.append(Text(f"Not in the collection: {', '.join(absent)}.", "note"))
    return Report(f"Quotations of {check.draft}", tuple(blocks))


def _shown(one: CheckedQuotation) -> Listing:
    """A quotation with its place."""
    lines = [("notice", "; ".join(notice.says for notice in one.notices)), ("quoted", one.quoted)]
    lines += [("paper named", ", ".join(one.named)), ("why", one.because)]
    if one.verdict in WRONG:
        lines += [("in the paper", place.text) for place in one.places]
    lines += [
        ("differs", f"{each.quoted or 'nothing'} for {each.text or 'nothing'}") for each in one.differences
    ]
    lines += [("where", where) for where in dict.fromkeys(_wheres(one))]
    return listing([*lines, ("ignored", ", ".join(one.ignored))], f"line {one.line}")


def _wheres(one: CheckedQuotation) -> Iterator[str]:
    for place in one.places:
        yield ", ".join(
            filter(None, (place.title, place.section, printed_pages(place.pages), place.document))
        )
