"""What a question looks up is asked in rounds, and gives what it would give if it were asked one by one."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from anagnosis.searching.index.lookups import Lookups
from anagnosis.searching.records.expansion import Defined, Definition


class Asked:
    """An engine of counts and definitions. rounds: what it was asked, each time."""

    def __init__(self, counts: dict[str, int]) -> None:
        self.counts, self.rounds = counts, list[list[object]]()

    def frequency(self, words: Sequence[str]) -> list[int]:
        self.rounds.append([*words])
        return [self.counts.get(word, 0) for word in words]

    def definitions(self, names: Sequence[Defined]) -> list[list[Definition]]:
        self.rounds.append([*names])
        return [self.of(name) for name in names]

    def of(self, name: Defined) -> list[Definition]:
        return [Definition(name.short, f"{name.short} in full", self.counts.get(name.short, 0))]


def followed(lookups: Lookups | None, engine: Asked, word: str) -> list[int]:
    """Counts, each of which decides what is looked up next. lookups: None for one by one."""
    found = list[int]()
    while len(found) < 6:
        (count,) = engine.frequency([word]) if lookups is None else lookups.frequency([word])
        name = Defined(short=word * (1 + count % 2))
        (one,) = engine.of(name) if lookups is None else lookups.definitions(name) or [Definition("", "", 0)]
        found += [count, one.papers]
        word += "ab"[(count + one.papers) % 2]
    return found


@given(st.dictionaries(st.text("ab", min_size=1, max_size=6), st.integers(0, 3)))
def test_what_depends_on_earlier_answers_is_what_it_is_one_by_one(counts: dict[str, int]) -> None:
    engine = Asked(counts)
    lookups = Lookups(engine)  # pyright: ignore[reportArgumentType]
    assert lookups.settled(lambda: followed(lookups, engine, "a")) == followed(None, Asked(counts), "a")
    every = [one for some in engine.rounds for one in some]
    assert len(every) == len(set(every)), "nothing is asked twice"


def test_what_depends_on_nothing_is_asked_at_once() -> None:
    engine = Asked({"tea": 3, "salt": 2})
    lookups = Lookups(engine)  # pyright: ignore[reportArgumentType]
    words = ["tea", "salt", "tea", "milk"]

    def read() -> object:
        return [lookups.frequency([word])[0] for word in words], lookups.definitions(Defined("tea"))

    wanted = [3, 2, 3, 0], [Definition("tea", "tea in full", 3)]
    assert lookups.settled(read) == wanted
    assert engine.rounds == [["tea", "salt", "milk"], [Defined("tea")]]
    assert lookups.settled(read) == wanted
    assert len(engine.rounds) == 2
