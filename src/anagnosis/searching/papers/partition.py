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

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Sequence
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
    """Records that are certainly one paper: those of one PMID, or those of one id without a PMID ("")."""

    pmid: str
    records: list[int]
    keys: set[str]


def papers_of(records: Sequence[Keys], crowded: Container[str] = ()) -> list[OnePaper]:
    """The papers of these records. crowded: keys known to have more than MOST units, here or elsewhere."""
    units = _units(records)
    uses = Counter(key for unit in units for key in unit.keys)
    of_many = {key for key, count in uses.items() if count > MOST or key in crowded}
    pmids_of: dict[str, set[str]] = defaultdict(set)
    for unit in units:
        for key in unit.keys if unit.pmid else ():
            pmids_of[key].add(unit.pmid)
    joined = {unit.pmid: [unit] for unit in units if unit.pmid}
    direct: list[tuple[_Unit, str]] = []  # whose keys lead to one PMID
    far: list[_Unit] = []  # whose keys lead to none
    alone: list[OnePaper] = []
    for unit in (one for one in units if not one.pmid):
        to_many = {key for key in unit.keys if key in of_many or identifier(key) in of_many}
        to_pmid = unit.keys & pmids_of.keys()
        pmids = set[str]().union(*(pmids_of[key] for key in to_pmid - to_many))
        if to_many or len(pmids) > 1:
            alone.append(_alone(unit, to_many | to_pmid))
        elif pmids:
            direct += [(unit, pmid) for pmid in pmids]
        else:
            far.append(unit)
    without_pmid: list[list[_Unit]] = []
    for group in _sharing_keys(far):
        keys = set[str]().union(*(unit.keys for unit in group))
        through = {pmid for unit, pmid in direct if not unit.keys.isdisjoint(keys)}
        if len(through) > 1:
            alone += [_alone(unit, {key for key in unit.keys if not key.startswith(ID)}) for unit in group]
        elif through:
            joined[through.pop()] += group
        else:
            without_pmid.append(group)
    for unit, pmid in direct:
        joined[pmid].append(unit)
    together = (
        sorted(n for unit in some for n in unit.records) for some in (*joined.values(), *without_pmid)
    )
    return sorted([*(OnePaper(tuple(numbers)) for numbers in together), *alone])


def _units(records: Sequence[Keys]) -> list[_Unit]:
    units: dict[tuple[str, str], _Unit] = {}
    for number, one in enumerate(records):
        unit = units.setdefault((one.pmid, "" if one.pmid else one.id), _Unit(one.pmid, [], set()))
        unit.records.append(number)
        unit.keys.update(one.all)
    return [*units.values()]


def _alone(unit: _Unit, shared: Iterable[str]) -> OnePaper:
    """A unit that joins none, because of these keys."""
    return OnePaper(tuple(unit.records), tuple(sorted({*map(identifier, shared)})))


def _sharing_keys(units: Iterable[_Unit]) -> list[list[_Unit]]:
    """The units in groups that share keys, directly or through others of them."""
    of_key: dict[str, list[_Unit]] = {}
    for unit in units:
        group = [unit]
        for there in {id(some): some for key in unit.keys if (some := of_key.get(key))}.values():
            small, large = sorted((group, there), key=len)
            large += small
            of_key |= {key: large for each in small for key in each.keys}
            group = large
        of_key |= dict.fromkeys(unit.keys, group)
    return [*{id(group): group for group in of_key.values()}.values()]


def name_of(paper: Sequence[Keys], elsewhere: Container[str]) -> str:
    """The id of a paper in the index: of its records' ids the PMID, else a PMC number, else the first.

    elsewhere: ids that records of other papers have too. A paper with a PMID yields such an id to the paper without
    one, and is named "pmid:…" if it has no other.
    """
    pmid = next((one.pmid for one in paper if one.pmid), "")
    idents = {one.id for one in paper if not (pmid and one.id in elsewhere)}
    return min(idents, key=lambda ident: (PMID + ident != pmid, not is_pmcid(ident), ident), default=pmid)
