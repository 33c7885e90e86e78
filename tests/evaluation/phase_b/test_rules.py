"""The table of protocols: what each reads, leaves out and refuses."""

from __future__ import annotations

import pytest
from tests.rows import each_row

from anagnosis.datasets.kinds.question import KIND
from anagnosis.errors import InputError
from anagnosis.evaluation.phase_b.questions import ABSENT, Given, GoldAnswer, OrganisersProgramError
from anagnosis.evaluation.phase_b.rules import LONGEST_FUZZY, RULES, rules_of
from anagnosis.language.fuzzy import SIMILARITIES

EARLY = ("organisers-2", "organisers-3", "organisers-5", "organisers-8")
FACTOID = GoldAnswer("q1", "factoid", (("a", "b"),))


def test_the_kind_names_the_protocols_and_the_others_name_a_function() -> None:
    others = [name for name in RULES if name not in KIND.free_protocols]
    assert [name for name in RULES if name in KIND.free_protocols] == [*KIND.free_protocols]
    assert {f"fuzzy-90-{name}" for name in SIMILARITIES if name != "WRatio"} == {*others}
    with pytest.raises(InputError, match="unknown protocol of exact answers 'organisers-4'"):
        rules_of("organisers-4")


@each_row("protocol", RULES)
def test_a_line_of_texts_has_the_shape_that_each_edition_reads(protocol: str) -> None:
    rules = rules_of(protocol)
    pair = rules.pair(FACTOID, Given(("B",)))
    assert pair is not None
    assert rules.factoid(pair).lenient == 1
    listed = rules.pair(GoldAnswer("q2", "list", (("a",), ("b",))), Given(("b", "a")))
    assert listed is not None
    assert rules.listed(listed).f1 == 1
    decision = rules.pair(GoldAnswer("q3", "yesno", (("yes",),)), Given(("No",)))
    assert decision is not None
    assert (decision.entries, decision.answers) == ((("yes",),), (("No",),))


@pytest.mark.parametrize("protocol", EARLY)
def test_a_missing_question_stops_the_program_but_an_unanswered_one_is_wrong(protocol: str) -> None:
    rules = rules_of(protocol)
    stops = rf"question q1: .* edition {protocol[-1]} stops: .*lacks it; answer it, or take"
    with pytest.raises(OrganisersProgramError, match=stops):
        rules.pair(FACTOID, None)
    pair = rules.pair(FACTOID, Given())
    assert pair is not None
    assert pair.answers == ()


@pytest.mark.parametrize("protocol", EARLY)
def test_a_question_without_gold_answer_stops_the_program_where_it_is_answered(protocol: str) -> None:
    rules = rules_of(protocol)
    unknown = GoldAnswer("q1", "factoid", None)
    with pytest.raises(OrganisersProgramError, match="no gold answer, and the submission answers it"):
        rules.pair(unknown, Given(("a",)))
    pair = rules.pair(unknown, Given())
    assert pair is not None
    assert rules.factoid(pair).lenient == 0
    with pytest.raises(OrganisersProgramError, match="a yes/no question has no gold answer"):
        rules.pair(GoldAnswer("q1", "yesno", None), Given(("yes",)))
    with pytest.raises(OrganisersProgramError, match="a yes/no question has no gold answer"):
        rules.pair(GoldAnswer("q1", "yesno", ()), Given(("yes",)))


def test_edition_9_leaves_both_out() -> None:
    rules = rules_of("organisers-9")
    assert rules.pair(FACTOID, None) is None
    assert rules.pair(GoldAnswer("q1", "factoid", None), Given(("a",))) is None
    assert rules.pair(GoldAnswer("q1", "list", None, []), Given(("a",))) is None
    assert rules.pair(GoldAnswer("q1", "list", None, [[]]), Given(("a",))) is None


def test_the_thesis_counts_a_missing_question_as_wrong_and_leaves_out_one_without_gold() -> None:
    rules = rules_of("thesis")
    pair = rules.pair(FACTOID, None)
    assert pair is not None
    assert pair.answers == ()
    assert rules.pair(GoldAnswer("q1", "factoid", None), Given(("a",))) is None


def test_edition_2_sees_flat_factoids_and_nested_lists_alone() -> None:
    rules = rules_of("organisers-2")
    nested = rules.pair(GoldAnswer("q1", "factoid", None, [["a"]]), Given(value=[["a"]]))
    flat = rules.pair(GoldAnswer("q1", "factoid", None, ["a"]), Given(value=["a"]))
    assert nested is not None
    assert flat is not None
    assert (nested.entries, nested.answers) == ((), ())
    assert (flat.entries, flat.answers) == ((("a",),), (("a",),))
    listed = rules.pair(GoldAnswer("q1", "list", None, ["a"]), Given(value=[["a"]]))
    assert listed is not None
    assert (listed.entries, listed.answers) == ((), (("a",),))
    synonyms = rules.pair(GoldAnswer("q1", "list", None, [["a"]]), Given(value=[["x", "a"]]))
    assert synonyms is not None
    assert synonyms.answers == (("x", "a"),)


def test_a_yes_no_answer_that_is_a_list_stops_the_program() -> None:
    asked = GoldAnswer("q1", "yesno", None, "yes")
    for edition, value in ((2, ["yes"]), (8, [["yes"]]), (9, [])):
        with pytest.raises(OrganisersProgramError, match="the answer to a yes/no question is a list"):
            rules_of(f"organisers-{edition}").pair(asked, Given(value=value))
    pair = rules_of("organisers-8").pair(asked, Given(value=ABSENT))
    assert pair is not None
    assert pair.answers == ()


@pytest.mark.parametrize("edition", [3, 5, 8, 9])
def test_editions_after_2_stop_at_flat_lists_and_keep_one_text_of_a_group_since_5(edition: int) -> None:
    rules = rules_of(f"organisers-{edition}")
    with pytest.raises(OrganisersProgramError, match=f"edition {edition} stops: a flat list of answers"):
        rules.pair(FACTOID, Given(value=["a"]))
    with pytest.raises(OrganisersProgramError, match="a flat list of answers"):
        rules.pair(GoldAnswer("q1", "factoid", None, ["a"]), Given(("a",)))
    pair = rules.pair(FACTOID, Given(value=[["x", "b"]]))
    assert pair is not None
    assert pair.answers == ((("x", "b"),) if edition == 3 else (("x",),))
    assert pair.entries == (("a", "b"),)


def test_a_text_answers_no_factoid_and_a_list_is_no_decision() -> None:
    rules = rules_of("organisers-8")
    pair = rules.pair(GoldAnswer("q1", "factoid", None, "a"), Given(value="a"))
    assert pair is not None
    assert (pair.entries, pair.answers) == ((), ())
    with pytest.raises(OrganisersProgramError, match="a yes/no question has no gold answer"):
        rules.pair(GoldAnswer("q1", "yesno", None, [["yes"]]), Given(("yes",)))


@each_row("protocol", [name for name in RULES if name.startswith("fuzzy")])
def test_protocols_by_similarity_refuse_long_answers(protocol: str) -> None:
    rules = rules_of(protocol)
    assert rules.pair(FACTOID, Given(("a" * LONGEST_FUZZY,))) is not None
    empty = rules.pair(FACTOID, Given())
    assert empty is not None
    assert empty.answers == ()
    assert rules.pair(GoldAnswer("q1", "factoid", None), Given(("a",))) is None
    null = rules.pair(FACTOID, Given(value=[[None], ["b"]]))
    assert null is not None
    assert rules.factoid(null).reciprocal_rank == 1 / 2
    with pytest.raises(InputError, match=r"question q1: an answer of 2,001 characters"):
        rules.pair(FACTOID, Given(("a", "b" * (LONGEST_FUZZY + 1))))
    assert rules.pair(GoldAnswer("q2", "yesno", (("yes",),)), Given(("yes" * LONGEST_FUZZY,))) is not None
    assert rules_of("thesis").pair(FACTOID, Given(("b" * (LONGEST_FUZZY + 1),))) is not None
