"""Which records are one paper: the rules by hand, and as one simple specification."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.searching.papers.partition import ID, MOST, PMID, Keys, name_of, papers_of


def keys(ident: str, *others: str) -> Keys:
    pmid = next((one for one in others if one.startswith(PMID)), "")
    return Keys(ident, pmid, frozenset((ID + ident, *others)))


def grouped(records: list[Keys]) -> set[frozenset[str]]:
    """The papers as sets of ids of records, each with its number where an id stands twice."""
    return {frozenset(records[number].id for number in one.records) for one in papers_of(records)}


BY_HAND = {
    "a shared PMC number": ([keys("1", "pmid:1", "pmcid:pmc7"), keys("PMC7", "pmcid:pmc7")], {"1 PMC7"}),
    "a shared DOI without a PMID": ([keys("a", "doi:10.1/x"), keys("b", "doi:10.1/x")], {"a b"}),
    "nothing shared": ([keys("a", "doi:10.1/x"), keys("b", "doi:10.1/y")], {"a", "b"}),
    "two PMIDs under one DOI": (
        [keys("1", "pmid:1", "doi:10.1/x"), keys("2", "pmid:2", "doi:10.1/x")],
        {"1", "2"},
    ),
    "one without a PMID under the DOI of two": (
        [keys("1", "pmid:1", "doi:10.1/x"), keys("2", "pmid:2", "doi:10.1/x"), keys("c", "doi:10.1/x")],
        {"1", "2", "c"},
    ),
    "one that two PMIDs claim by different keys": (
        [
            keys("1", "pmid:1", "pmcid:pmc7"),
            keys("2", "pmid:2", "doi:10.1/x"),
            keys("c", "pmcid:pmc7", "doi:10.1/x"),
        ],
        {"1", "2", "c"},
    ),
    "its PMC number is of one, although that one's DOI is of two": (
        [
            *(keys("1", "pmid:1", "pmcid:pmc7", "doi:10.1/x"), keys("2", "pmid:2", "doi:10.1/x")),
            keys("c", "pmcid:pmc7"),
        ],
        {"1 c", "2"},
    ),
    "through a record without a PMID": (
        [keys("1", "pmid:1", "pmcid:pmc7"), keys("b", "pmcid:pmc7", "doi:10.1/x"), keys("c", "doi:10.1/x")],
        {"1 b c"},
    ),
    "between two chains": (
        [
            *(keys("1", "pmid:1", "pmcid:pmc7"), keys("b", "pmcid:pmc7", "doi:10.1/x")),
            *(keys("2", "pmid:2", "pmcid:pmc8"), keys("d", "pmcid:pmc8", "doi:10.1/x")),
            keys("c", "doi:10.1/x"),
        ],
        {"1 b", "2 d", "c"},
    ),
    "a record that leads to several PMIDs leads nobody": (
        [
            *(keys("1", "pmid:1", "doi:10.1/x"), keys("2", "pmid:2", "doi:10.1/x")),
            *(keys("c", "doi:10.1/x", "pmcid:pmc7"), keys("d", "pmcid:pmc7")),
        ],
        {"1", "2", "c", "d"},
    ),
}


@each_row("case", list(BY_HAND))
@each_row("backwards", [False, True])
def test_records_are_divided_as_by_hand(case: str, backwards: bool) -> None:
    records, expected = BY_HAND[case]
    given_records = records[::-1] if backwards else records
    assert grouped(given_records) == {frozenset(one.split()) for one in expected}


def test_the_keys_for_which_a_record_joins_none_are_named() -> None:
    records, _ = BY_HAND["one without a PMID under the DOI of two"]
    assert [one.shared for one in papers_of(records)] == [(), (), ("doi:10.1/x",)]


def test_an_identifier_of_too_many_records_joins_none() -> None:
    few = [keys(f"a{number}", "doi:10.1/x") for number in range(MOST)]
    assert len(papers_of(few)) == 1
    assert len(papers_of([*few, keys("b", "doi:10.1/x")])) == MOST + 1
    assert len(papers_of(few[:3], {"doi:10.1/x"})) == 3


def test_an_identifier_of_very_many_records_takes_no_longer_for_each() -> None:
    begun = time.process_time()
    assert len(papers_of([keys(f"a{number}", "doi:n/a") for number in range(20_000)])) == 20_000
    assert time.process_time() - begun < 5


def test_a_paper_is_named_by_its_pmid_then_its_pmc_number_then_its_first_id() -> None:
    assert name_of([keys("PMC7", "pmcid:pmc7"), keys("31", "pmid:31"), keys("a")], set()) == "31"
    assert name_of([keys("a"), keys("PMC7")], set()) == "PMC7"
    assert name_of([keys("b"), keys("a")], set()) == "a"
    assert name_of([keys("5", "pmid:31")], {"5"}) == "pmid:31"
    assert name_of([keys("5")], {"5"}) == "5"


def specified(records: list[Keys]) -> set[frozenset[int]]:
    """The rules once more, by repeated passes over pairs of records."""
    groups = {number: one.pmid or ID + one.id for number, one in enumerate(records)}
    labels = set(groups.values())
    keys_of = {
        label: frozenset[str]().union(*(records[n].all for n in groups if groups[n] == label))
        for label in labels
    }
    with_pmid = {label for label in labels if label.startswith(PMID)}
    direct = {
        label: {pmid for pmid in with_pmid if keys_of[pmid] & keys_of[label]} for label in labels - with_pmid
    }
    far = {label for label in direct if not direct[label]}
    target = {label: next(iter(pmids)) for label, pmids in direct.items() if len(pmids) == 1}
    component = {label: {label} for label in far}
    for _ in far:
        for one in far:
            component[one] |= {
                two for two in far if any(keys_of[two] & keys_of[three] for three in component[one])
            }
    for label in far:
        members = component[label]
        near = {one for one in target if any(keys_of[one] & keys_of[member] for member in members)}
        pmids = {target[one] for one in near}
        if not pmids:
            groups |= {n: min(members) for n in groups if groups[n] == label}
        elif len(pmids) == 1:
            groups |= {n: pmids.copy().pop() for n in groups if groups[n] == label}
    for label, pmid in target.items():
        groups |= {n: pmid for n in groups if groups[n] == label}
    return {frozenset(n for n in groups if groups[n] == name) for name in set(groups.values())}


@st.composite
def records(draw: st.DrawFn) -> Keys:
    pmid = draw(st.sampled_from(["", "", "pmid:1", "pmid:2", "pmid:3"]))
    pool = [f"{kind}{number}" for kind in ("doi:10.1/", "pmcid:pmc") for number in range(4)]
    others = draw(st.sets(st.sampled_from(pool), max_size=2))
    return keys(draw(st.sampled_from("abcdefgh")), *([pmid] if pmid else []), *others)


@given(st.lists(records(), max_size=12), st.randoms())
def test_the_papers_are_those_of_the_specification_in_any_order(
    given_records: list[Keys], random: object
) -> None:
    papers = papers_of(given_records)
    assert {frozenset(one.records) for one in papers} == specified(given_records)
    assert all(len({given_records[n].pmid for n in one.records} - {""}) <= 1 for one in papers)
    order = list(range(len(given_records)))
    random.shuffle(order)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    shuffled = papers_of([given_records[n] for n in order])
    assert {frozenset(order[n] for n in one.records) for one in shuffled} == specified(given_records)
    assert all(name_of([given_records[n] for n in one.records], set()) for one in papers)
