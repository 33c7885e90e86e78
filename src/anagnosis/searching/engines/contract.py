"""The contract of engines, as checks for an author's tests. They work without pytest.

    from anagnosis.searching.engines import contract
    contract.check(my_engine, folder)

A failed check raises AssertionError with the expected and the actual result. For an engine with a settings file, pass a
function from a place to that file.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError
from anagnosis.searching.engines import Engine, EngineModule
from anagnosis.searching.filters import Filters
from anagnosis.searching.passages import passages
from anagnosis.searching.queries.plain_words import words_query
from anagnosis.searching.queries.tree import InField, Phrase, Prefix, Query, Word
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.words import words_of

PAPERS = (
    Document(
        "1",
        (
            Section("title", "Cold tea and sleep"),
            Section("abstract", "Cold tea was given to forty adults. Sleep was not longer.", "RESULTS", "RESULTS"),
            Section("abstract", "Cold tea does not change sleep.", "CONCLUSION", "CONCLUSIONS"),
        ),
        facts={"date": "2019-05-02", "journal": "Journal of Tea", "types": "Journal Article; Clinical Trial"},
    ),
    Document(
        "2",
        (
            Section("title", "TGF-β1 and IL-2 in fever"),
            Section("abstract", "TGF-β1 rose to 0.5 mg in fever. IL2 did not."),
        ),
        facts={"date": "2020-03", "journal": "Fever Letters", "retracted": "9"},
    ),
    Document("3", (Section("title", "A title and nothing else about salt"),), facts={"date": "2021"}),
    Document("4", (Section("title", "Undated walks"), Section("abstract", "A walk before breakfast helps sleep."))),
)  # fmt: skip
NEW = Passage("9", 0, "abstract", "", "New", "Cold tea again.")
FILTERED = (
    ("tea", Filters(sections=("conclusion",)), {"1#1"}),
    ("tea", Filters(sections=("results", "conclusion")), {"1#0", "1#1"}),
    ("sleep", Filters(journals=("journal of tea",)), {"1#0", "1#1"}),
    ("sleep", Filters(types=("Clinical trial",)), {"1#0", "1#1"}),
    ("sleep", Filters(since="2019-06"), set[str]()),
    ("fever", Filters(since="2020-03"), {"2#0"}),
    ("fever", Filters(since="2020", until="2020"), {"2#0"}),
    ("fever", Filters(until="2020-02"), set[str]()),
    ("salt", Filters(until="2021"), {"3#0"}),
    ("sleep", Filters(since="1900"), {"1#0", "1#1"}),
    ("sleep", Filters(documents=("4",)), {"4#0"}),
    ("sleep", Filters(sections=("results",), documents=("4",)), set[str]()),
)
# Characters with a meaning in the query language of some library.
SIGNS = ("", "]} AND (", '"', "\x00", "* ? ~", "title:tea AND NOT", "-", "zzzz")
NAMED = ("IL-2", "IL2", "TGF-beta1", "TGF-β1", "0.5 mg", "FEVERS")
JOURNALS = (
    ("journal of TEA", ["Journal of Tea"]),
    ("Journal of Teas", ["Journal of Tea"]),
    ("fever", ["Fever Letters"]),
    ("zzz", list[str]()),
    ("", list[str]()),
)
TYPES = (
    ("clinical TRIAL", ["Clinical Trial"]),
    ("Clinical Trials", ["Clinical Trial"]),
    ("review", list[str]()),
)
SettingsOf = Callable[[Path], Path]


@dataclass(frozen=True, slots=True)
class EngineTrial:
    """An engine under test, with all PAPERS committed. place: of its files."""

    module: EngineModule
    place: Path
    engine: Engine

    def ids(self, question: str, limit: int = 10, filters: Filters | None = None) -> list[str]:
        """Ids of the passages for a question."""
        hits = self.engine.search(words_query(question), filters or Filters(), limit)
        return [hit.passage.id for hit in hits]


def check(module: EngineModule, folder: Path, settings_of: SettingsOf | None = None) -> None:
    """Run every check, each with a new engine below `folder`."""
    for each in CHECKS:
        place = folder / each.__name__
        place.parent.mkdir(parents=True, exist_ok=True)
        with trial(module, place, settings_of) as made:
            each(made)


@contextmanager
def trial(module: EngineModule, place: Path, settings_of: SettingsOf | None = None) -> Generator[EngineTrial]:
    """A new engine with all PAPERS, closed at the end."""
    engine = module.create(place, settings_of(place) if settings_of is not None else None)
    try:
        for paper in PAPERS:
            engine.add(passages(paper), f"mark of {paper.id}")
        engine.commit()
        yield EngineTrial(module, place, engine)
    finally:
        engine.close()


def passages_come_back_as_they_were(trial: EngineTrial) -> None:
    engine = trial.engine
    for paper in PAPERS:
        _same(engine.document(paper.id), passages(paper), f"document({paper.id!r})")
        _same(engine.mark(paper.id), f"mark of {paper.id}", f"mark({paper.id!r})")
    _same((engine.document("5"), engine.mark("5")), ([], None), "document and mark of what is not there")
    (first, second), (salt,) = passages(PAPERS[0]), passages(PAPERS[2])
    places = [("1", 1), ("3", 0), ("1", 0), ("1", 2), ("9", 0)]
    _same(engine.passages(places), [second, salt, first, None, None], "passages")
    _same(dict(engine.marks()), {paper.id: f"mark of {paper.id}" for paper in PAPERS}, "marks")


def counts_are_of_what_is_there(trial: EngineTrial) -> None:
    engine = trial.engine
    _same(tuple(engine.count()), (4, 5), "count")
    _same(engine.undated(), 1, "undated")
    _same(engine.frequency([*words_of("sleep TGF-β1"), "unknown"]), [3, 1, 1, 1, 0], "frequency")
    engine.delete("4")
    engine.commit()
    _same(tuple(engine.count()), (3, 4), "count after a deletion")
    _same(engine.undated(), 0, "undated after a deletion")


def the_best_come_first_and_no_more_than_asked(trial: EngineTrial) -> None:
    words = words_query("Does cold tea change sleep?")
    hits = trial.engine.search(words, Filters(), 10)
    _same({hit.passage.id for hit in hits}, {"1#0", "1#1", "4#0"}, "hits")
    _same(hits, sorted(hits, key=lambda hit: (-hit.score, hit.passage.id)), "the order of hits")
    _same(hits[0].passage.document, "1", "the best document")
    _same(trial.engine.search(words, Filters(), 1), hits[:1], "the best hit alone")
    _same(trial.engine.search(words, Filters(), 0), [], "no hit")


def equal_scores_are_in_the_order_of_ids(trial: EngineTrial) -> None:
    for ident in ("c", "a", "b"):
        trial.engine.add([Passage(ident, 0, "abstract", "", "", "A kettle.")], "")
    trial.engine.commit()
    _same(trial.ids("kettle"), ["a#0", "b#0", "c#0"], "ids of equal scores")
    _same(trial.ids("kettle", 2), ["a#0", "b#0"], "the first ids of equal scores")


def filters_let_through_what_they_say(trial: EngineTrial) -> None:
    for question, filters, expected in FILTERED:
        _same(set(trial.ids(question, filters=filters)), expected, f"{question} under {filters}")


def a_filter_changes_no_score(trial: EngineTrial) -> None:
    words = words_query("cold tea")
    every = {hit.passage.id: hit.score for hit in trial.engine.search(words, Filters(), 10)}
    (one,) = trial.engine.search(words, Filters(sections=("conclusion",)), 10)
    if abs(one.score - every["1#1"]) > 1e-3 * every["1#1"]:
        raise AssertionError(f"score under a filter: expected {every['1#1']}, found {one.score}")


def any_words_can_be_searched(trial: EngineTrial) -> None:
    for text in SIGNS:
        parts = Word(text), Prefix(text), Phrase((text, text)), InField("title", Prefix(text))
        for words in (words_query(text), *(Query((), (part,)) for part in parts)):
            ids = {hit.passage.id for hit in trial.engine.search(words, Filters(), 10)}
            if not ids <= {"1#0", "1#1", "2#0", "3#0", "4#0"}:
                raise AssertionError(f"hits for {text!r}: found {ids}")
    many = "cold tea " + " ".join(f"word{number}" for number in range(5_000))
    _same(len(trial.ids(many, 1)), 1, "hits for five thousand words")


def names_are_found_however_they_are_written(trial: EngineTrial) -> None:
    for name in NAMED:
        _same(trial.ids(name, 1), ["2#0"], f"hits for {name}")


def nothing_is_seen_before_a_commit_and_all_of_it_after(trial: EngineTrial) -> None:
    before = trial.engine.version()
    trial.engine.delete("1")
    trial.engine.add([NEW], "m")
    _same(set(trial.ids("cold tea")), {"1#0", "1#1"}, "hits before a commit")
    _same(trial.engine.version(), before, "version before a commit")
    trial.engine.commit()
    _same(trial.ids("cold tea"), ["9#0"], "hits after a commit")
    _same(tuple(trial.engine.count()), (4, 4), "count after a commit")
    if trial.engine.version() == before:
        raise AssertionError("version after a commit: expected another one")


def what_was_not_committed_is_lost(trial: EngineTrial) -> None:
    trial.engine.delete("1")
    trial.engine.close()
    _same(set(trial.ids("cold tea")), {"1#0", "1#1"}, "hits after what was not committed")
    trial.engine.delete("1")
    trial.engine.commit()
    _same(trial.ids("cold tea"), [], "hits after a commit")


def a_reader_sees_the_commit_of_another(trial: EngineTrial) -> None:
    reader = trial.module.open(trial.place)
    _same(reader.version(), trial.engine.version(), "version of a reader")
    trial.engine.delete("1")
    trial.engine.commit()
    _same(reader.search(words_query("cold tea"), Filters(), 10), [], "hits of a reader after a commit")
    _same(tuple(reader.count()), (3, 3), "count of a reader after a commit")
    reader.close()


def a_second_writer_is_refused(trial: EngineTrial) -> None:
    trial.engine.delete("1")
    other = trial.module.open(trial.place)
    try:
        other.begin()
    except InputError:
        trial.engine.close()
        other.begin()
        other.close()
        return
    raise AssertionError("begin of a second writer: expected an InputError")


def names_are_there_or_others_near_them(trial: EngineTrial) -> None:
    for name, expected in JOURNALS:
        _same(trial.engine.journals(name, 1), expected, f"journals({name!r})")
    for name, expected in TYPES:
        _same(trial.engine.types(name, 1), expected, f"types({name!r})")
    for paper in ("1", "2"):
        trial.engine.delete(paper)
    trial.engine.commit()
    _same(trial.engine.journals("journal of tea", 3), [], "journals after deletions")


def the_module_knows_what_is_there(trial: EngineTrial) -> None:
    _same(trial.module.is_empty(trial.place), False, "is_empty with papers")
    faults = {name: fault for name, fault in trial.module.check(trial.place) if fault}
    _same(faults, {}, "faults of a sound engine")
    trial.engine.close()
    trial.module.remove(trial.place)
    _same(trial.place.exists(), False, "whether something is left after remove")
    _same(trial.module.is_empty(trial.place), True, "is_empty after remove")


CHECKS: tuple[Callable[[EngineTrial], None], ...] = (
    passages_come_back_as_they_were,
    counts_are_of_what_is_there,
    the_best_come_first_and_no_more_than_asked,
    equal_scores_are_in_the_order_of_ids,
    filters_let_through_what_they_say,
    a_filter_changes_no_score,
    any_words_can_be_searched,
    names_are_found_however_they_are_written,
    nothing_is_seen_before_a_commit_and_all_of_it_after,
    what_was_not_committed_is_lost,
    a_reader_sees_the_commit_of_another,
    a_second_writer_is_refused,
    names_are_there_or_others_near_them,
    the_module_knows_what_is_there,
)


def _same(actual: Any, expected: Any, what: str) -> None:
    if actual != expected:
        raise AssertionError(f"{what}: expected {expected!r}, found {actual!r}")
