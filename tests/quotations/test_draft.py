"""What a draft quotes and names: forms of quotations, of names, and hostile drafts."""

from __future__ import annotations

import time

from tests.rows import each_row

from anagnosis.quotations.draft import LONGEST, read_draft

Q = "five words of a paper"


@each_row(
    "draft, quoted, named",
    [
        # Marks.
        (f"“{Q}” (PMID 31)", [Q], [("pmid:31",)]),
        (f'"{Q}" (PMID: 31)', [Q], [("pmid:31",)]),
        (f"„{Q}“ 10.1000/x.", [Q], [("10.1000/x",)]),
        (f"«{Q}» and ‘{Q}’ PMC7", [Q, Q], [("PMC7",), ("PMC7",)]),
        (f"'{Q} don't' @smith2020", [f"{Q} don't"], [("@smith2020",)]),
        (f"”{Q}” and »{Q}» @a, a 5” pipe and a 6” pipe", [Q, Q], [("@a",), ("@a",)]),
        (f"“{Q}\n\fand \n\xa0more” @a", [f"{Q}\n\fand \n\xa0more"], [("@a",)]),
        ('He said "only four words here", PMID 3', [], []),
        # Block quotes.
        (f"> {Q}\n> and more\n\n— Smith, PMID 31", [f"{Q}\nand more"], [("pmid:31",)]),
        (f"As PMID 30 has it:\n\n> {Q}\n\nThen we say more, PMID 31.", [Q], [("pmid:30",)]),
        (f"> {Q}\n> — Smith 2020, doi: 10.1000/x", [Q], [("10.1000/x",)]),
        (f"> {Q}\n\n(PMC7)", [Q], [("PMC7",)]),
        (f"1. One\n\n    > > {Q} (PMC7)", [Q], [("PMC7",)]),
        # A citation at the end of a quotation is no part of it; a DOI within it is.
        (f"> {Q} [@a; @b]", [Q], [("@a", "@b")]),
        (f'"{Q} (Smith 2020, PMID 31)."', [Q], [("pmid:31",)]),
        (f"“{Q} https://doi.org/10.1000/x”", [Q], [("10.1000/x",)]),
        ("“see 10.1000/x for five words” (PMID 3)", ["see 10.1000/x for five words"], [("pmid:3",)]),
        (f"“{Q} (10.1000/x)” (PMID 3)", [Q], [("pmid:3",)]),
        (f"PMID 2:\n\n> {Q} [@a]", [Q], [("@a",)]),
        (f"> {Q} 10.1000/x.\n\n— PMID 3", [Q], [("pmid:3",)]),
        ("> see 10.1000/x for five words\n\n— PMID 3", ["see 10.1000/x for five words"], [("pmid:3",)]),
        # Which of several papers.
        (f'PMID 1 says "{Q}". PMID 2 does not.', [Q], [("pmid:1",)]),
        (f'"{Q}" (PMID 1), "{Q}" (PMID 2)', [Q, Q], [("pmid:1",), ("pmid:2",)]),
        (f'"{Q}" and "{Q}" (PMID 1; PMC2)', [Q, Q], [("pmid:1", "PMC2"), ("pmid:1", "PMC2")]),
        (f'PMID 1 says "{Q}" and PMID 2 says "{Q}".', [Q, Q], [("pmid:2", "pmid:1"), ("pmid:2",)]),
        (f'By PMID 1 "{Q}" and "{Q}" (PMID 2).', [Q, Q], [("pmid:1",), ("pmid:2",)]),
        (f'As to PMID 1, "{Q}" (Smith, PMID 2).', [Q], [("pmid:2",)]),
        (f'"{Q}" (PMIDs 31000, 32000; 2019)', [Q], [("pmid:31000", "pmid:32000")]),
        (f'"{Q}" https://www.ncbi.nlm.nih.gov/pubmed/31', [Q], [("pmid:31",)]),
        (f'By PMID 9. "{Q}". We agree.', [Q], [("pmid:9",)]),
        (f'PMID 9{" far" * 700} "{Q}"', [Q], [()]),
        (f'"{Q}"\n\nPMID 9', [Q], [()]),
        # The number of a note names no paper, and ends no word.
        (f"“{Q}”² [1]\n\n1. PMID 31", [Q], [()]),
        (f'12. Smith. "{Q}". J Tea. https://doi.org/10.1000/x', [Q], [("10.1000/x",)]),
        # What is no quotation, and line ends of Windows.
        (f"```\n“{Q}”\n```\n`“{Q}”` ``“{Q}”`` <!-- “{Q}” -->", [], []),
        (f'“{Q}”\r\n\r\n"{Q}" PMC7\r\n', [Q, Q], [(), ("PMC7",)]),
        (f'mail x@y.z, 5" wide, {Q}', [], []),
    ],
)
def test_a_draft_is_read_as_its_author_means_it(
    draft: str, quoted: list[str], named: list[tuple[str, ...]]
) -> None:
    found = read_draft(draft).quotations
    assert [one.text.rstrip(".") for one in found] == quoted
    assert [one.named for one in found] == named


def test_lines_and_marks_that_nothing_closes_are_known() -> None:
    long = "> " + "far too long " * (LONGEST // 10)
    found = read_draft(f'One.\n\n“open and so on\n\n"{Q}"\n\n{long}\n\n"never closed')
    assert [one.line for one in found.quotations] == [5]
    assert sorted(found.unclosed) == [3, 7, 9]


@each_row(
    "unit",
    [
        *('“', ' "a', " 'a b c", "„", "``a ", "«»", "```\n", "``` x\n", "`a", "<!-- ", ">", "> a b c d e f\n"),
        *("PMID: 1 ", "10.1000/a ", " @a:", "10.1000/", "doi:https://", "PMID 3\n", "PMC1,", "”²", "(", "; "),
        *("> [@a; @b; \n", '"a b c d e" ', '"a b c d e" PMID 31 '),
        *("\f", "\n\xa0", "PMIDs 31000, 32000, ", ", 31000", " ”a", "> > "),
        *("\r\n", "\n—", "\n>—", "\n> ", " ", "x", '"a b c d e (" ', "“a b c d e” ("),
    ],
)  # fmt: skip
def test_time_is_linear_on_hostile_drafts(unit: str) -> None:
    """In square time four times the draft takes sixteen times as long. The best of three counts."""

    def seconds(characters: int) -> float:
        draft, taken = "PMID 31 " + unit * (characters // len(unit)), list[float]()
        for _ in range(3):
            begin = time.process_time()
            read_draft(draft)
            taken.append(time.process_time() - begin)
        return min(taken)

    assert seconds(160_000) < 8 * max(seconds(40_000), 0.004)
