"""The protocols of exact answers: how answers are read, compared and counted under each.

    thesis         equal texts; the first five answers to a factoid question, the first ten to a list (section 4.1)
    organisers-9   edition 9 of the organisers' program: no cut, its own reading of shapes
    fuzzy-90       as thesis, with a similarity of at least 90 in place of equality, by WRatio (section 4.6)

A question without a line counts 0, but for edition 9, which leaves it out.

`pairs` joins the questions of a split with a system's answers by the rules of a protocol.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from anagnosis.datasets.bioasq.exact_answers import parsed
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import FACTOID, LIST, YESNO
from anagnosis.errors import InputError, unknown_name
from anagnosis.evaluation.phase_b import scores
from anagnosis.evaluation.phase_b.questions import (
    ABSENT,
    SCORED,
    UNKNOWN,
    GoldAnswer,
    Pair,
    SystemAnswer,
    pair_of,
    paired,
    read_leniently,
)
from anagnosis.evaluation.phase_b.scores import (
    FactoidScore,
    ListScore,
    Same,
    decided,
    equal,
    similar,
)
from anagnosis.evaluation.systems import kept_with_run
from anagnosis.language.fuzzy import USUAL
from anagnosis.predictions import Matched

FIRST_FACTOID = 5
FIRST_LIST = 10
LONGEST_FUZZY = 2_000  # characters of an answer: the time of a comparison grows with their square
EQUAL, SIMILAR = "thesis", "fuzzy-90"


@dataclass(frozen=True, slots=True)
class ExactRules:
    """One protocol. pair: the question that is scored, None where it is left out; given None: it is not answered.

    first: of a type, how many answers count; all where it is not named. unanswerable: whether an empty answer is right
    where the snippets do not answer (SQuAD 2.0), or nothing is. settings: what a signature adds to the protocol's name.
    """

    what: str
    pair: Callable[[GoldAnswer, SystemAnswer | None], Pair | None]
    same: Same = equal
    first: dict[str, int] = field(default_factory=dict[str, int])
    recall: scores.Recall = scores.over_entries
    unanswerable: bool = False
    settings: tuple[tuple[str, str], ...] = ()

    def factoid(self, pair: Pair) -> FactoidScore:
        """The scores of a factoid question."""
        answers = pair.answers[: self.first.get(FACTOID)]
        if self.unanswerable and not pair.entries:
            return scores.factoid(((),), answers or ("",), lambda _: lambda answer: not answer.strip())
        return scores.factoid(pair.entries, answers, self.same)

    def listed(self, pair: Pair) -> ListScore:
        """The scores of a list question."""
        return scores.listed(pair.entries, pair.answers[: self.first.get(LIST)], self.same, self.recall)

    def accepted(self, pair: Pair, type: str) -> list[int | None]:
        """Of each answer that counts the place of the gold entry for which it is right, None where it is wrong."""
        matchers = [self.same(entry) for entry in pair.entries]
        places = scores.taken_out if type == LIST else scores.first_entries
        return places(matchers, pair.answers[: self.first.get(type)])


def _thesis(asked: GoldAnswer, given: SystemAnswer | None) -> Pair | None:
    if asked.entries is None:
        return None
    if given is None:
        return Pair(asked.entries, (None,))
    if given.value is UNKNOWN:
        return pair_of(asked.entries, given.texts)
    return Pair(asked.entries, read_leniently(given.value))


def _fuzzy_pair(asked: GoldAnswer, given: SystemAnswer | None) -> Pair | None:
    pair = _thesis(asked, given)
    if pair is not None and asked.type in (FACTOID, LIST):
        longest = max((len(text or "") for text in pair.answers), default=0)
        if longest > LONGEST_FUZZY:
            what = f"an answer of {longest:,} characters; similarity is of at most {LONGEST_FUZZY:,}"
            raise InputError(what, f"question {asked.id}", "shorten it, or take --protocol thesis")
    return pair


def _thesis_rules(what: str, same: Same = equal) -> ExactRules:
    first = {FACTOID: FIRST_FACTOID, LIST: FIRST_LIST}
    return ExactRules(what, _thesis, same, first, unanswerable=True)


RULES: dict[str, ExactRules] = {
    EQUAL: _thesis_rules("The thesis's measures: equal texts, the first five or ten answers."),
    "organisers-9": ExactRules("Edition 9 of the organisers' program.", paired, recall=scores.over_missed),
    SIMILAR: replace(
        _thesis_rules(f"As thesis, but a similarity of at least 90 by {USUAL} is enough.", similar),
        pair=_fuzzy_pair,
        settings=(("similarity", USUAL),),
    ),
}


def rules_of(protocol: str) -> ExactRules:
    """The rules of that protocol. InputError: there are none."""
    if protocol not in RULES:
        raise unknown_name("protocol of exact answers", protocol, tuple(RULES), "--protocol")
    return RULES[protocol]


@kept_with_run
def pairs(gold: Gold, run: Matched, protocol: str) -> dict[str, list[tuple[int, Pair]]]:
    """type → (row, the question that is scored) of each question that counts.

    OrganisersProgramError: the organisers' program stops at a question.
    """
    rules = rules_of(protocol)
    found: dict[str, list[tuple[int, Pair]]] = {type: [] for type in SCORED}
    for row in np.flatnonzero(gold.answer >= 0).tolist():
        asked = _gold_answer(gold, row)
        scored = asked.type in found
        given = _given(run, row)
        pair = rules.pair(asked, given if scored or given is not None else SystemAnswer())
        if scored and pair is not None:
            found[asked.type].append((row, pair))
    return found


@kept_with_run
def factoid_scores(gold: Gold, run: Matched, protocol: str) -> list[tuple[int, FactoidScore]]:
    """(row, scores) of each factoid question that counts."""
    rules = rules_of(protocol)
    return [(row, rules.factoid(pair)) for row, pair in pairs(gold, run, protocol)[FACTOID]]


@kept_with_run
def list_scores(gold: Gold, run: Matched, protocol: str) -> list[tuple[int, ListScore]]:
    """(row, scores) of each list question that counts."""
    rules = rules_of(protocol)
    return [(row, rules.listed(pair)) for row, pair in pairs(gold, run, protocol)[LIST]]


def decisions(gold: Gold, run: Matched, protocol: str) -> list[tuple[int, str, str]]:
    """(row, gold decision, the system's) of each yes/no question that counts; "" for neither yes nor no."""
    return [
        (row, decided([text for entry in pair.entries for text in entry]), decided(pair.answers))
        for row, pair in pairs(gold, run, protocol)[YESNO]
    ]


def _gold_answer(gold: Gold, row: int) -> GoldAnswer:
    value = UNKNOWN
    if gold.exact_json is not None:
        text = gold.exact_json[row]
        value = ABSENT if text is None else parsed(text)
    entries = None if gold.exact is None else gold.exact[row]
    return GoldAnswer(gold.ids.between(row, row + 1)[0], gold.labels[gold.answer[row]], entries, value)


def _given(run: Matched, row: int) -> SystemAnswer | None:
    """None where the system has no line for the question."""
    if not run.has_line[row]:
        return None
    texts = () if run.texts is None else run.texts[row]
    text = run.spelled.get(row)
    return SystemAnswer(texts) if text is None else SystemAnswer(texts, parsed(text))
