"""Which records are one paper: a function of the set of records alone, whatever their order.

A record has keys: "pmid:…", "pmcid:…", "doi:…" (papers.py), "id:…", its own id, and "titled:…", its title with its PMID
or DOI, or with one that stands on the first page of its file. The rules, each a function below:

    records with one PMID are one paper, and records with different PMIDs never are;
    a record without a PMID joins the PMID to which its keys lead, directly or through records without a PMID;
    without a PMID in reach, records that share a key are one paper;
    a record whose keys lead to several PMIDs joins none of them, and neither does one with a key, or an identifier in a
    key, of too many records.

An identifier on a page may be another paper's, so that it counts only together with a title. Titles alone never do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import NamedTuple

from anagnosis.documents.identifiers import is_pmcid

PMID, ID, TITLED = "pmid:", "id:", "titled:"
# An identifier of more papers than this identifies none: the DOI of a whole supplement, or "n/a" of a bad export.
MOST = 64


def identifier(key: str) -> str:
    """The identifier in a key, without a title."""
    return key.split(":", 2)[2] if key.startswith(TITLED) else key


class Keys(NamedTuple):
    """The keys of a record. pmid: its key "pmid:…", "" without one."""

    id: str
    pmid: str
    all: frozenset[str]


class OnePaper(NamedTuple):
    """The numbers of the records of one paper. shared: the keys for which it joins none of several papers."""

    records: tuple[int, ...]
    shared: tuple[str, ...] = ()


class _Unit(NamedTuple):
    """Records that are certainly one paper: those of one PMID, or those of one id without a PMID."""

    records: list[int]
    keys: set[str]


def papers_of(records: Sequence[Keys], crowded: Container[str] = ()) -> list[OnePaper]:
    """The papers of these records. crowded: keys known to have more than MOST units, here or elsewhere."""
    with_pmid, without = _units(records)
    owners = pmids_of_keys(with_pmid)
    uses = _uses(with_pmid, without)
    crowded_here = {key for key, count in uses.items() if count > MOST or key in crowded}
    joined: dict[str, list[str]] = defaultdict(list)  # PMID → ids of units without a PMID
    alone_with: dict[str, tuple[str, ...]] = {}  # id of a unit that joins none → the keys for which
    reached: dict[str, str] = {}  # id → the PMID to which its keys lead directly
    far: list[str] = []
    for ident, unit in without.items():
        direct = set[str]().union(*(owners.get(key, ()) for key in unit.keys))
        if not crowded_here.isdisjoint((*unit.keys, *map(identifier, unit.keys))) or len(direct) > 1:
            alone_with[ident] = _shared(unit.keys, owners, crowded_here)
        elif direct:
            reached[ident] = direct.pop()
            joined[reached[ident]].append(ident)
        else:
            far.append(ident)
    alone: list[list[str]] = []
    for group in sharing_keys(far, without):
        keys = set[str]().union(*(without[ident].keys for ident in group))
        through = {pmid for ident, pmid in reached.items() if without[ident].keys & keys}
        if len(through) > 1:
            alone_with |= {ident: _identifiers(without[ident].keys - {ID + ident}) for ident in group}
        elif through:
            joined[through.pop()] += group
        else:
            alone.append(group)
    result = [
        OnePaper(_sorted(unit.records, *(without[ident].records for ident in joined[pmid])))
        for pmid, unit in with_pmid.items()
    ]
    result += [OnePaper(_sorted(*(without[ident].records for ident in group))) for group in alone]
    result += [OnePaper(_sorted(without[ident].records), shared) for ident, shared in alone_with.items()]
    return sorted(result)


def pmids_of_keys(with_pmid: Mapping[str, _Unit]) -> dict[str, set[str]]:
    """key → the PMIDs whose records have it."""
    owners: dict[str, set[str]] = defaultdict(set)
    for pmid, unit in with_pmid.items():
        for key in unit.keys:
            owners[key].add(pmid)
    return owners


def sharing_keys(idents: Iterable[str], units: Mapping[str, _Unit]) -> list[list[str]]:
    """The ids in groups that share keys, directly or through others of them."""
    group_of: dict[str, list[str]] = {}
    of_key: dict[str, str] = {}
    for ident in idents:
        group_of[ident] = [ident]
        for key in units[ident].keys:
            other = of_key.setdefault(key, ident)
            large, small = group_of[other], group_of[ident]
            if large is not small:
                large += small
                for each in small:
                    group_of[each] = large
    return list({id(group): group for group in group_of.values()}.values())


def name_of(paper: Sequence[Keys], elsewhere: Container[str]) -> str:
    """The id of a paper in the index: of its records' ids the PMID, else a PMC number, else the first.

    elsewhere: ids that records of other papers have too. A paper with a PMID yields such an id to the paper without
    one, and is named "pmid:…" if it has no other.
    """
    pmid = next((one.pmid for one in paper if one.pmid), "")
    idents = {one.id for one in paper if not (pmid and one.id in elsewhere)}
    return min(idents, key=lambda ident: (PMID + ident != pmid, not is_pmcid(ident), ident), default=pmid)


def _units(records: Sequence[Keys]) -> tuple[dict[str, _Unit], dict[str, _Unit]]:
    """(PMID → its unit, id → its unit of records without a PMID)."""
    with_pmid: dict[str, _Unit] = {}
    without: dict[str, _Unit] = {}
    for number, one in enumerate(records):
        units, name = (with_pmid, one.pmid) if one.pmid else (without, one.id)
        unit = units.setdefault(name, _Unit([], set()))
        unit.records.append(number)
        unit.keys.update(one.all)
    return with_pmid, without


def _uses(with_pmid: Mapping[str, _Unit], without: Mapping[str, _Unit]) -> dict[str, int]:
    """key → the number of units that have it."""
    uses: dict[str, int] = defaultdict(int)
    for unit in (*with_pmid.values(), *without.values()):
        for key in unit.keys:
            uses[key] += 1
    return uses


def _shared(keys: Iterable[str], owners: Mapping[str, set[str]], crowded: Container[str]) -> tuple[str, ...]:
    """Of a record's keys those that lead to a PMID, or to too many records."""
    return _identifiers(
        key for key in keys if key in crowded or identifier(key) in crowded or owners.get(key)
    )


def _identifiers(keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({*map(identifier, keys)}))


def _sorted(*numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(number for some in numbers for number in some))
