"""The contract of engines, as checks.

A failed check raises AssertionError with the expected and the actual result."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import astuple
from tests.searching.engines import contract_queries, contract_typed
from tests.searching.engines.contract_trial import PAPERS, EngineTrial, same

from anagnosis.errors import InputError
from anagnosis.searching.filters import Filters
from anagnosis.searching.passages import passages
from anagnosis.searching.queries.meaning import words_query
from anagnosis.searching.queries.tree import InField, Phrase, Prefix, Query, Word
from anagnosis.searching.records.expansion import Definition
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.synonyms.names import key
from anagnosis.searching.words import words_of

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


def passages_come_back_as_they_were(trial: EngineTrial) -> None:
    engine = trial.engine
    for paper in PAPERS:
        same(engine.document(paper.id), passages(paper), f"document({paper.id!r})")
        same(engine.mark(paper.id), f"mark of {paper.id}", f"mark({paper.id!r})")
    same((engine.document("5"), engine.mark("5")), ([], None), "document and mark of what is not there")
    (first, second), (salt,) = passages(PAPERS[0]), passages(PAPERS[2])
    places = [("1", 1), ("3", 0), ("1", 0), ("1", 2), ("9", 0), ("1", -1)]
    same(engine.passages(places), [second, salt, first, None, None, None], "passages")
    same(dict(engine.marks()), {paper.id: f"mark of {paper.id}" for paper in PAPERS}, "marks")


def counts_are_of_what_is_there(trial: EngineTrial) -> None:
    engine = trial.engine
    same(astuple(engine.count()), (4, 5), "count")
    same(engine.undated(), 1, "undated")
    same(engine.frequency([*words_of("sleep TGF-β1"), "unknown"]), [3, 1, 1, 1, 0], "frequency")
    engine.delete("4")
    engine.commit()
    same(astuple(engine.count()), (3, 4), "count after a deletion")
    same(engine.undated(), 0, "undated after a deletion")


def the_best_come_first_and_no_more_than_asked(trial: EngineTrial) -> None:
    words = words_query("Does cold tea change sleep?")
    hits = trial.engine.search(words, Filters(), 10)
    same({hit.passage.id for hit in hits}, {"1#0", "1#1", "4#0"}, "hits")
    same(hits, sorted(hits, key=lambda hit: (-hit.score, hit.passage.id)), "the order of hits")
    same(hits[0].passage.document, "1", "the best document")
    same(trial.engine.search(words, Filters(), 1), hits[:1], "the best hit alone")
    same(trial.engine.search(words, Filters(), 0), [], "no hit")


def equal_scores_are_in_the_order_of_ids(trial: EngineTrial) -> None:
    for ident in ("c", "a", "b"):
        trial.engine.add([Passage(ident, 0, "abstract", "", "", "A kettle.")], "")
    trial.engine.commit()
    same(trial.ids("kettle"), ["a#0", "b#0", "c#0"], "ids of equal scores")
    same(trial.ids("kettle", 2), ["a#0", "b#0"], "the first ids of equal scores")


def filters_let_through_what_they_say(trial: EngineTrial) -> None:
    for question, filters, expected in FILTERED:
        same(set(trial.ids(question, filters=filters)), expected, f"{question} under {filters}")


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
    same(len(trial.ids(many, 1)), 1, "hits for five thousand words")


def names_are_found_however_they_are_written(trial: EngineTrial) -> None:
    for name in NAMED:
        same(trial.ids(name, 1), ["2#0"], f"hits for {name}")


def nothing_is_seen_before_a_commit_and_all_of_it_after(trial: EngineTrial) -> None:
    before = trial.engine.version()
    trial.engine.delete("1")
    trial.engine.add([NEW], "m")
    same(set(trial.ids("cold tea")), {"1#0", "1#1"}, "hits before a commit")
    same(trial.engine.version(), before, "version before a commit")
    trial.engine.commit()
    same(trial.ids("cold tea"), ["9#0"], "hits after a commit")
    same(astuple(trial.engine.count()), (4, 4), "count after a commit")
    if trial.engine.version() == before:
        raise AssertionError("version after a commit: expected another one")


def what_was_not_committed_is_lost(trial: EngineTrial) -> None:
    trial.engine.delete("1")
    trial.engine.close()
    same(set(trial.ids("cold tea")), {"1#0", "1#1"}, "hits after what was not committed")
    trial.engine.delete("1")
    trial.engine.commit()
    same(trial.ids("cold tea"), [], "hits after a commit")


def a_reader_sees_the_commit_of_another(trial: EngineTrial) -> None:
    reader = trial.module.open(trial.place)
    same(reader.version(), trial.engine.version(), "version of a reader")
    trial.engine.delete("1")
    trial.engine.commit()
    same(reader.search(words_query("cold tea"), Filters(), 10), [], "hits of a reader after a commit")
    same(astuple(reader.count()), (3, 3), "count of a reader after a commit")
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
        same(trial.engine.journals(name, 1), expected, f"journals({name!r})")
    for name, expected in TYPES:
        same(trial.engine.types(name, 1), expected, f"types({name!r})")
    for paper in ("1", "2"):
        trial.engine.delete(paper)
    trial.engine.commit()
    same(trial.engine.journals("journal of tea", 3), [], "journals after deletions")


def definitions_come_and_go_with_their_papers(trial: EngineTrial) -> None:
    engine = trial.engine
    defining = {
        "5": "Chronic heart failure (CHF) and heart failures (HF).",
        "6": "In chronic heart failure (CHF) …",
        "7": "Congestive heart failure (CHF). Chronic heart  failure (CHF), again CHF.",
        "8": "Chronic  Heart Failure (CHF-1)",
    }
    for ident, text in defining.items():
        engine.add([Passage(ident, 0, "abstract", "", "Hearts", text)], "a mark")
    engine.commit()
    chronic, congestive = (
        Definition("CHF", "chronic heart failure", 3),
        Definition("CHF", "congestive heart failure", 1),
    )
    same(engine.definitions(short="CHF"), [chronic, congestive], "definitions of an abbreviation")
    same(
        engine.definitions(long=key("chronic heart failures"))[:1], [chronic], "abbreviations of a long form"
    )
    same(
        engine.definitions(long=key("Heart failure")),
        [Definition("HF", "heart failures", 1)],
        "of another one",
    )
    for absent in ("chf", "CH", "", "zzz"):
        same(engine.definitions(short=absent), [], f"definitions of {absent!r}")
        same(engine.definitions(long=absent), [], f"abbreviations of {absent!r}")
    engine.delete("7")
    engine.delete("6")
    engine.commit()
    same(engine.definitions(short="CHF"), [chronic._replace(papers=1)], "definitions after deletions")


def the_module_knows_what_is_there(trial: EngineTrial) -> None:
    same(trial.module.is_empty(trial.place), False, "is_empty with papers")
    faults = {name: fault for name, fault in trial.module.check(trial.place) if fault}
    same(faults, {}, "faults of a sound engine")
    trial.engine.close()
    trial.module.remove(trial.place)
    same(trial.place.exists(), False, "whether something is left after remove")
    same(trial.module.is_empty(trial.place), True, "is_empty after remove")


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
    *contract_queries.CHECKS,
    *contract_typed.CHECKS,
    definitions_come_and_go_with_their_papers,
    the_module_knows_what_is_there,
)
