"""What was found, as the typed answers of answers.py."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, cast

from anagnosis.reports.search.records import (
    AskAnswer,
    Decision,
    Entity,
    Evidence,
    Exact,
    ExactAnswer,
    HeldOut,
    Hit,
    Label,
    LeftOut,
    Link,
    Notice,
    Off,
    Passage,
    Probabilities,
    SearchAnswer,
    Sentence,
    UnknownName,
    Verdict,
    Withheld,
)
from anagnosis.reports.search.results import ASKED, NOTICE_WORDS, links
from anagnosis.searching.answers.asking import Answered
from anagnosis.searching.near_names import NOTHING_LEFT_OUT
from anagnosis.searching.near_names import LeftOut as Missed
from anagnosis.searching.passages import Entity as Marked
from anagnosis.searching.passages import Passage as Stored
from anagnosis.searching.passages import notices
from anagnosis.searching.sentences.highlighting import Scorer
from anagnosis.searching.sentences.sentences import Evidence as Quoted
from anagnosis.searching.sentences.sentences import Found
from anagnosis.searching.sentences.sentences import Sentence as Scored

if TYPE_CHECKING:
    from anagnosis.calibration.held_out import HeldOut as Measured
    from anagnosis.searching.answers import deciding
    from anagnosis.searching.entities import name_answers as names

# (document, number) of each passage that was found → its rank, since readers see only those that fit.
Ranks = dict[tuple[str, int], int]


def told(passage: Stored) -> Passage:
    """A passage with what its paper's facts say."""
    facts = passage.facts
    return Passage(
        document=passage.document,
        number=passage.number,
        section=passage.section,
        heading=passage.heading,
        title=passage.title or passage.document,
        date=facts.get("date", ""),
        journal=facts.get("journal", ""),
        types=facts["types"].split("; ") if "types" in facts else [],
        notices=[
            Notice(kind=kind, says=NOTICE_WORDS[kind], about="" if facts[kind] == "unnamed" else facts[kind])
            for kind in notices(passage)
        ],
        links=[Link(name=name, address=address) for name, address in links(passage)],
        text=passage.text,
        entities=_entities(passage.entities),
        title_entities=_entities(passage.title_entities),
    )


def _entities(marked: Iterable[Marked]) -> list[Entity]:
    return [Entity(begin=one.begin, end=one.end, type=one.type, identifier=one.identifier) for one in marked]


def sentences(scored: Iterable[Scored]) -> list[Sentence]:
    """With their strength."""
    return [sentence(one) for one in scored]


def sentence(one: Scored) -> Sentence:
    """With its strength."""
    return Sentence(begin=one.begin, end=one.end, score=round(one.score, 4), strength=one.strength)


def hits(found: Sequence[Found], offset: int = 0) -> list[Hit]:
    """By rank."""
    return [
        Hit(
            rank=rank,
            score=round(one.hit.score, 4),
            passage=told(one.hit.passage),
            title=sentence(one.title) if one.title is not None else None,
            sentences=sentences(one.sentences),
        )
        for rank, one in enumerate(found, offset + 1)
    ]


def evidence(quoted: Quoted, ranks: Ranks) -> Evidence:
    """One sentence."""
    one, place = quoted.sentence, (quoted.passage.document, quoted.passage.number)
    return Evidence(
        text=quoted.text,
        stands_in=cast(Literal["text", "title"], quoted.stands_in),
        begin=one.begin,
        end=one.end,
        score=round(one.score, 4),
        strength=one.strength,
        rank=ranks.get(place, quoted.rank + 1),
        passage=told(quoted.passage),
    )


def decision(found: deciding.Decision, ranks: Ranks) -> Decision:
    """With what each paper says."""
    from anagnosis.datasets.kinds.decision import LABELS

    means = found.means()
    return Decision(
        label=_label(found.label) if means else None,
        undecided=found.undecided,
        confidence=_share(found.confidence) if means else None,
        means=_probabilities(means) if means else None,
        reader=found.reader,
        held_out=held_out(found.held_out),
        calibrated=found.calibrated,
        verdicts=[
            Verdict(
                document=one.document,
                title=one.title or one.document,
                label=_label(one.label),
                probabilities=_probabilities(dict(zip(LABELS, one.probabilities, strict=True))),
                counted=one.counted,
                notices=told(one.evidence.passage).notices if one.evidence is not None else [],
                evidence=evidence(one.evidence, ranks) if one.evidence is not None else None,
            )
            for one in found.verdicts
        ],
        withheld=[
            Withheld(
                document=one.document,
                title=one.title or one.document,
                notices=told(one.evidence.passage).notices,
                evidence=evidence(one.evidence, ranks),
            )
            for one in found.withheld
            if one.evidence is not None
        ],
    )


def held_out(found: Measured) -> HeldOut:
    """What a reader reaches."""
    return HeldOut(
        measure=cast(Literal["macro-F1", "MRR"], found.measure),
        value=_share(found.value),
        low=_share(found.low),
        high=_share(found.high),
        baseline=_share(found.baseline) if found.baseline is not None else None,
        questions=found.questions,
        says=found.says,
    )


def exact(found: names.Exact, ranks: Ranks) -> Exact:
    """With the sentence of each name."""
    return Exact(
        answers=[
            ExactAnswer(
                text=one.text,
                names=list(one.names),
                concepts=list(one.concepts),
                confidence=_share(one.confidence),
                evidence=evidence(one.evidence, ranks),
            )
            for one in found.answers
        ],
        reader=found.reader,
        held_out=held_out(found.held_out),
        calibrated=found.calibrated,
    )


def left_out(found: Missed) -> LeftOut:
    """By filters."""
    return LeftOut(undated=found.undated, journals=_unknown(found.journals), types=_unknown(found.types))


def _unknown(found: Mapping[str, list[str]]) -> list[UnknownName]:
    return [UnknownName(name=name, near=near) for name, near in found.items()]


def search_answer(
    question: str,
    found: Sequence[Found],
    ranking: str,
    scorer: Scorer | None,
    missed: Missed = NOTHING_LEFT_OUT,
    *,
    more: bool = False,
    offset: int = 0,
    notes: Sequence[str] = (),
) -> SearchAnswer:
    """Ranked passages, those after the first `offset`.

    scorer: of their sentences. missed: what filters left out. notes: of the index (searching/index/settings.py).
    """
    return SearchAnswer(
        question=question,
        index_notes=list(notes),
        ranking=ranking,
        left_out=left_out(missed),
        found=hits(found, offset),
        more=more,
        scorer=scorer.name if scorer else "",
        scorer_says=scorer.says if scorer else "",
        calibrated=scorer.calibrated if scorer else False,
    )


def ask_answer(
    answered: Answered, missed: Missed = NOTHING_LEFT_OUT, again: str = ASKED, notes: Sequence[str] = ()
) -> AskAnswer:
    """Without the passages that were read for it.

    missed: what filters left out. again: how one asks with readers. notes: of the index (searching/index/settings.py).
    """
    ranks = {
        (one.hit.passage.document, one.hit.passage.number): rank for rank, one in enumerate(answered.found, 1)
    }
    off = answered.off
    return AskAnswer(
        question=answered.question,
        index_notes=list(notes),
        kind=answered.kind,
        left_out=left_out(missed),
        decision=decision(answered.decision, ranks) if answered.decision is not None else None,
        exact=exact(answered.exact, ranks) if answered.exact is not None else None,
        off=Off(what=off.what, why=off.why, turn_on=off.commands(again)) if off is not None else None,
        evidence=[evidence(one, ranks) for one in answered.evidence],
        sure=answered.sure,
        scorer=answered.scorer.name,
        scorer_says=answered.scorer.says,
        calibrated=answered.scorer.calibrated,
    )


def _label(name: str) -> Label:
    return cast(Label, name)


def _share(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 4)


def _probabilities(found: dict[str, float]) -> Probabilities:
    return Probabilities(**{label: _share(value) for label, value in found.items()})
