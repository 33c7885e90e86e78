"""Papers of an index are the same whatever the order, the number of calls and of commits; removals undo additions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.documents.document import Document, Section
from anagnosis.searching.index.pending_documents import PendingDocuments
from anagnosis.searching.papers.joined import JOINS_NONE, shown
from anagnosis.searching.papers.partition import MOST, papers_of
from anagnosis.searching.papers.records import StoredPaper, record_of
from anagnosis.searching.records.passage import Paper, Passage


def paper(
    ident: str, text: str = "Tea helps.", label: str = "abstract", title: str = "", **facts: str
) -> Document:
    return Document(ident, (Section("title", title or f"Paper {ident}"), Section(label, text)), facts=facts)


class Store:
    """What the writer of an index asks of an engine. there: what is committed."""

    def __init__(self) -> None:
        self.there, self.next, self.asked = dict[str, StoredPaper](), dict[str, StoredPaper](), list[int]()

    def put(self, stored: StoredPaper) -> None:
        self.next[stored.name] = stored

    def delete(self, name: str) -> None:
        self.next.pop(name, None)

    def with_keys(self, keys: Sequence[str]) -> list[StoredPaper]:
        self.asked.append(len(keys))
        return [one for one in self.there.values() if not {*keys}.isdisjoint(shown(one).keys)]


class Written:
    """An index in memory."""

    def __init__(self) -> None:
        self.engine, self.run, self.counts = Store(), 0, Counter[str]()
        self.call()

    def call(self) -> None:
        """Begin another call of `index`."""
        self.run += 1
        self.engine.there = dict(self.engine.next)
        self.pending = PendingDocuments(self.engine, self.run)  # pyright: ignore[reportArgumentType]

    def add(self, *documents: tuple[str, Document]) -> None:
        self.pending.add(documents, self.counts)

    def commit(self) -> None:
        self.engine.there = dict(self.engine.next)
        self.pending.committed()

    @property
    def papers(self) -> dict[str, frozenset[str]]:
        """name → the labels of its records."""
        return {
            name: frozenset(one.label for one in paper.records) for name, paper in self.engine.next.items()
        }

    def delete(self, *idents: str) -> None:
        self.pending.delete(idents, self.counts)

    def shown(self, name: str) -> tuple[list[Passage], Paper]:
        return shown(self.engine.next[name])[:2]

    @property
    def everything(self) -> dict[str, StoredPaper]:
        """What is stored, without the numbers of runs."""
        return {
            name: msgspec.structs.replace(
                paper, records=tuple(msgspec.structs.replace(one, run=0) for one in paper.records)
            )
            for name, paper in self.engine.next.items()
        }


def written(*documents: tuple[str, Document]) -> Written:
    result = Written()
    result.add(*documents)
    return result


FULL = ("jats", paper("31", "The whole of the text.", "body", pmcid="PMC7", date="2020-03-04"))
ABSTRACT = ("jsonl", paper("PMC7", "An abstract of it.", mesh="Tea"))
CITATION = ("medline", paper("31", "An abstract of it.", doi="10.1/x", version="1", retracted="9"))
PARSE = ("cord19", paper("x7", "The whole of the text.", "body", doi="10.1/X"))
ALL = (FULL, ABSTRACT, CITATION, PARSE)


def test_the_fullest_text_is_shown_with_what_only_others_have() -> None:
    (passages, about) = written(*ALL).shown("31")
    assert [(one.number, one.text, one.source) for one in passages] == [
        (0, "The whole of the text.", ""),
        (1, "An abstract of it.", "medline:31"),
    ]
    assert passages[0].facts == {"date": "2020-03-04", "doi": "10.1/X", "pmcid": "PMC7", "retracted": "9"}
    assert about.aliases == ("doi:10.1/x", "id:PMC7", "id:x7", "pmcid:pmc7", "pmid:31")
    assert about.mesh == ("Tea",)
    assert about.sources == ("jats:31", "cord19:x7", "medline:31", "jsonl:PMC7")


def test_a_full_text_of_another_format_is_shown_before_the_printed_one() -> None:
    texts = (("pdf", "f7", "The whole of it, as it was printed."), ("jsonl", "7", "The whole of it."))
    there = written(*((source, paper(one, text, "body", doi="10.1/x")) for source, one, text in texts))
    assert there.shown("7")[0][0].text == "The whole of it."


def test_an_id_removes_the_records_of_all_sources() -> None:
    there = written(*ALL)
    there.delete("31", "nobody")
    assert there.papers == {"x7": {"cord19:x7"}, "PMC7": {"jsonl:PMC7"}}
    assert there.counts == {"added": 1, "joined": 3, "deleted": 1, "not_there": 1}


def test_two_pmids_of_one_doi_stay_apart_and_a_third_record_joins_none() -> None:
    one, two = (("medline", paper(pmid, doi="10.1002/14651858.CD1")) for pmid in ("1", "2"))
    third = ("jsonl", paper("c", doi="10.1002/14651858.cd1"))
    there = written(one, third)
    assert there.papers == {"1": {"medline:1", "jsonl:c"}}
    there.add(two)
    assert there.papers == {"1": {"medline:1"}, "2": {"medline:2"}, "c": {"jsonl:c"}}
    assert there.shown("c")[1].joins_none == ("doi:10.1002/14651858.cd1",)
    there.commit()
    assert [one.name for one in there.engine.with_keys([JOINS_NONE])] == ["c"]
    there.delete("2")
    assert there.papers == {"1": {"medline:1", "jsonl:c"}}
    assert there.everything == written(one, third).everything


CITED = ("medline", paper("1", title="Tea and IL-2.", doi="10.1/X", pmid="1"))
PRINTED = paper("f7", "The whole of the text.", "body", title="Tea and IL2")


@each_row(
    "facts, title, joins",
    [
        ({"page_doi": "10.1/x"}, "", True),
        ({"page_pmid": "1"}, "TEA AND IL\u20102", True),
        ({"page_doi": "10.1/x"}, "Correction: Tea and IL2", False),
        ({"page_doi": "10.1/y"}, "", False),
        ({"page_pmid": "2"}, "", False),
        ({}, "", False),
    ],
)
def test_an_identifier_of_a_page_joins_papers_of_one_title(
    facts: dict[str, str], title: str, joins: bool
) -> None:
    sections = PRINTED.sections if not title else (Section("title", title), *PRINTED.sections[1:])
    printed = ("pdf", msgspec.structs.replace(PRINTED, facts=facts, sections=sections))
    papers = {"1": {"medline:1", "pdf:f7"}} if joins else {"1": {"medline:1"}, "f7": {"pdf:f7"}}
    for order in ((printed, CITED), (CITED, printed)):
        there = written(order[0])
        there.commit()
        there.call()
        there.add(order[1])
        assert there.papers == papers
        assert there.everything == written(printed, CITED).everything
    assert not any(alias.startswith("titled:") for alias in written(CITED).shown("1")[1].aliases)


@each_row(
    "title, other, agree",
    [
        ("β-carotene in Ménière’s disease", "beta‐Carotene in Meniere's disease.", True),
        ("Me\u0301nie\u0300re", "Ménière", True),
        ("H₂O and tea*", "H2O and tea", True),
        ("Tea", "Tea: a randomised trial", False),
        ("???", "!!!", False),
        ("\u00ad", "\u00ad", False),
    ],
)
def test_titles_agree_by_their_letters_and_digits(title: str, other: str, agree: bool) -> None:
    printed = ("pdf", paper("f7", title=title, page_doi="10.1/x"))
    assert (len(written(printed, ("medline", paper("1", title=other, doi="10.1/x"))).papers) == 1) == agree


@each_row("place", [0, 10, MOST - 1, MOST, MOST + 3])
def test_an_identifier_of_too_many_papers_joins_no_page(place: int) -> None:
    """Wherever in the order the page stands."""
    cited = [
        ("medline", paper(str(number), title=f"Tea {number}", doi="10.1/x", pmid=str(number)))
        for number in range(1, MOST + 6)
    ]
    printed = ("pdf", paper("f7", title="Tea 1", page_doi="10.1/x"))
    there = written()
    for one in (*cited[:place], printed, *cited[place:]):
        there.add(one)
    assert there.papers["f7"] == {"pdf:f7"}
    assert there.shown("f7")[1].joins_none == ("doi:10.1/x",)
    few = written(*cited[:3], printed)
    assert few.papers["1"] == {"medline:1", "pdf:f7"}


def test_a_corrected_identifier_divides_what_it_joined() -> None:
    wrong, right = (("jsonl", paper("b", doi=doi)) for doi in ("10.1/x", "10.1/y"))
    there = written(("medline", paper("1", doi="10.1/x")), wrong)
    there.commit()
    there.call()
    there.add(right)
    assert there.papers == {"1": {"medline:1"}, "b": {"jsonl:b"}}
    assert there.counts == {"added": 1, "joined": 1, "replaced": 1}


def test_ids_of_several_papers_name_none_of_those_with_a_pmid() -> None:
    there = written(*((source, paper("7", pmid=pmid)) for source, pmid in (("jsonl", "1"), ("bioc", "2"))))
    assert there.papers == {"pmid:1": {"jsonl:7"}, "pmid:2": {"bioc:7"}}
    assert {one.document for one in there.shown("pmid:1")[0]} == {"pmid:1"}
    there.delete("bioc:7")
    assert there.papers == {"7": {"jsonl:7"}}


def test_a_removed_pmid_lets_a_record_join_the_other_to_which_it_leads() -> None:
    one = ("medline", paper("1", pmcid="PMC7"))
    two, between = ("medline", paper("2", doi="10.1/x")), ("jsonl", paper("b", pmcid="PMC7", doi="10.1/x"))
    there = written(one, two, between)
    assert there.papers == {"1": {"medline:1"}, "2": {"medline:2"}, "b": {"jsonl:b"}}
    there.delete("2")
    assert there.papers == {"1": {"medline:1", "jsonl:b"}}


def test_a_corrected_doi_lets_a_record_join_that_stood_alone() -> None:
    one, two = (("medline", paper(pmid, doi="10.1/x")) for pmid in ("1", "2"))
    there = written(one, two, ("jsonl", paper("c", doi="10.1/x")))
    there.commit()
    there.call()
    there.add(("medline", paper("2", doi="10.1/y")))
    assert there.papers == {"1": {"medline:1", "jsonl:c"}, "2": {"medline:2"}}


def test_a_copy_with_a_few_other_words_is_no_new_passage() -> None:
    words = "Tea was given to forty adults who could not sleep and they slept longer than before"
    there = written(("medline", paper("1", words + ".")), ("pubtator", paper("1", words[:60] + " well")))
    assert [one.source for one in there.shown("1")[0]] == [""]


POOL = st.tuples(
    st.sampled_from(["a", "b", "c", "1", "2", "PMC1"]),
    st.sampled_from(["medline", "jsonl"]),
    st.fixed_dictionaries(
        {},
        optional={
            "pmid": st.sampled_from(["1", "2", "3"]),
            "pmcid": st.sampled_from(["PMC1", "PMC2"]),
            "doi": st.sampled_from(["10.1/x", "10.1/y"]),
            "page_doi": st.sampled_from(["10.1/x", "10.1/y"]),
            "page_pmid": st.sampled_from(["1", "2"]),
            "title": st.sampled_from(["Tea", "Salt"]),
        },
    ),
)
STEPS = st.lists(
    st.tuples(st.sampled_from(["add", "add", "add", "delete", "commit", "call"]), st.integers(0, 9))
)


@given(st.lists(POOL, min_size=1, max_size=8, unique_by=lambda one: one[:2]), STEPS)
def test_any_additions_and_removals_in_any_batches_end_as_the_specification(
    pool: list[tuple[str, str, dict[str, str]]], steps: list[tuple[str, int]]
) -> None:
    documents = [(source, paper(ident, f"{ident} of {source}.", **facts)) for ident, source, facts in pool]
    there, kept = written(), dict[str, tuple[str, Document]]()
    for step, number in steps:
        source, document = documents[number % len(documents)]
        label = f"{source}:{document.id}"
        if step == "add":
            there.add((source, document))
            kept[label] = source, document
        elif step == "delete":
            there.delete(label)
            kept.pop(label, None)
        else:
            there.commit()
            there.call() if step == "call" else None
    records = [record_of(document, source, 1) for source, document in kept.values()]
    expected = {
        frozenset(records[number].label for number in one.records)
        for one in papers_of([record.keys for record in records])
    }
    assert set(there.papers.values()) == expected
    for name in there.papers:
        pmids = {one.keys.pmid for one in records if one.label in there.papers[name]} - {""}
        assert len(pmids) <= 1
    assert there.everything == written(*kept.values()).everything


def test_the_papers_of_a_list_are_looked_up_at_once() -> None:
    there = written(*(("jsonl", paper(str(number), doi=f"10.1/{number}")) for number in range(9)))
    there.commit()
    for some in ((0, 4), (4, 8), (8, 10)):
        there.add(*(("jsonl", paper(str(number), doi=f"10.1/{number}")) for number in range(*some)))
    assert (there.counts["unchanged"], there.counts["added"], len(there.engine.asked)) == (9, 10, 4)


def test_only_what_changes_is_written_and_waits() -> None:
    there = written(("jsonl", paper("1")), ("jsonl", paper("b", doi="10.1/x")))
    assert (there.pending.papers, there.pending.letters) == (2, 2 * len("Paper 1Tea helps."))
    there.commit()
    assert (there.pending.papers, there.pending.letters) == (0, 0)
    there.add(("jsonl", paper("1")), ("medline", paper("3", doi="10.1/x")))
    assert (there.pending.papers, there.papers["3"]) == (
        2,
        {"jsonl:b", "medline:3"},
    )  # and the paper b is gone
