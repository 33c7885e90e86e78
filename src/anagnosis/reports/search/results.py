"""What a search found and what answers a question, as blocks of a report.

Sentences and titles stand as in their source, those that fit best strong; a paper that was retracted says so first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from anagnosis.language.question_kinds import FACTOID, LIST, YESNO
from anagnosis.reports.report import Block, Heading, Item, Listing, Report, Run, Text, item
from anagnosis.searching.answers.asking import Answered
from anagnosis.searching.engines import Counts
from anagnosis.searching.near_names import NOTHING_LEFT_OUT, LeftOut
from anagnosis.searching.passages import Passage, notices
from anagnosis.searching.rank.ranking import DENSE, HYBRID, LEXICAL, RERANKED
from anagnosis.searching.sentences.highlighting import TURNED_ON, UNTRAINED, Scorer
from anagnosis.searching.sentences.sentences import TEXT, TITLE, Found, Sentence

if TYPE_CHECKING:
    from anagnosis.calibration.held_out import HeldOut
    from anagnosis.searching.answers.deciding import Decision, Verdict
    from anagnosis.searching.entities.name_answers import Exact

# A long passage is shown around its best sentence.
LONGEST_SHOWN = 900
CUT = "[…]"
ASKED = "anagnosis ask INDEX_FOLDER QUESTION --readers readers --answers"
# Without "--readers" sentences are scored untrained.
HINT = "{} makes a reader for --readers readers; `anagnosis calibrate … --index` fits it to a collection."
# Above what comes nearest to a question that no sentence seems to answer; and where nothing does.
NO_SENTENCE_FITS = (
    "No sure answer: no sentence here has a word of the question. `anagnosis search` shows the sections."
)
NOT_SURE = "No sure answer. Closest:"
NOTHING_FITS = "Nothing in this collection fits the question."
WITHHELD = "Papers whose verdict is withheld: it contradicts the sentence, which is negated"
# Where readers of that kind of answer found nothing to read.
NOTHING_READ = {
    YESNO: "No section fits well enough to be read for yes or no.",
    FACTOID: "No name that could be the answer stands in the sections that fit.",
    LIST: "No names that could be the answer stand in the sections that fit.",
}
_NAMED = {TEXT: "sentence", TITLE: "title"}
_RANKED = {
    LEXICAL: "their words",
    DENSE: "their meaning (dense vectors)",
    HYBRID: "words and meaning",
    RERANKED: "reading the best once more",
}
NOTICE_WORDS = {
    "retracted": "RETRACTED",
    "expression_of_concern": "EXPRESSION OF CONCERN",
    "erratum": "has an erratum",
    "notice_of": "is a notice about another paper",
}
_LINKS = {
    "pmid": ("PubMed", "https://pubmed.ncbi.nlm.nih.gov/{}/"),
    "pmcid": ("PMC", "https://www.ncbi.nlm.nih.gov/pmc/articles/{}/"),
    "doi": ("DOI", "https://doi.org/{}"),
}
_KEPT = "/:;()._-"  # of a DOI, in an address


def search_report(
    question: str,
    found: Sequence[Found],
    counts: Counts,
    ranking: str = LEXICAL,
    left_out: LeftOut = NOTHING_LEFT_OUT,
) -> Report:
    """Ranked passages. left_out: by filters."""
    blocks: list[Block] = [_collection(counts, ranking), *_left_out(left_out)]
    if not found:
        blocks.append(Text("Nothing found. Other words, or fewer filters, may find more."))
    for place, each in enumerate(found, 1):
        passage = each.hit.passage
        told = [
            *_warned(passage),
            Item("title", tuple(titled(passage, each.title))),
            item("in", _where(passage)),
            Item("text", tuple(shown(passage.text, each.sentences))),
        ]
        blocks.append(Listing(tuple(told), f"{place}. score {each.hit.score:.2f}"))
    if found:
        blocks.append(_scored(UNTRAINED.about))
    return Report(f"Search: {question}", tuple(blocks))


def ask_report(
    answered: Answered,
    counts: Counts,
    ranking: str = LEXICAL,
    left_out: LeftOut = NOTHING_LEFT_OUT,
    again: str = ASKED,
) -> Report:
    """The sentences that answer, or those that come closest; and what was not tried.

    left_out: by filters. again: how one asks for answers.
    """
    blocks: list[Block] = [_collection(counts, ranking), *_left_out(left_out)]
    if answered.decision is not None:
        blocks += _decided(answered.decision)
    if answered.exact is not None:
        blocks += _named(answered.exact)
    if not answered.evidence and not answered.sure:
        blocks.append(Text(NOTHING_FITS if not answered.found else NO_SENTENCE_FITS))
    elif (
        answered.sure
        and answered.kind in NOTHING_READ
        and not (answered.off or answered.decision or answered.exact)
    ):
        blocks.append(Text(NOTHING_READ[answered.kind]))
    if answered.evidence:
        blocks.append(Heading("Evidence" if answered.sure else NOT_SURE))
    for place, evidence in enumerate(answered.evidence, 1):
        passage = evidence.passage
        told = [*_warned(passage), Item(_NAMED[evidence.stands_in], (Run(evidence.text, strong=True),))]
        told += [item("from", f"{_title(passage)} – {_where(passage)}")]
        blocks.append(Listing(tuple(told), f"{place}. score {evidence.sentence.score:.2f}"))
    if answered.off is not None:
        off = f"An exact answer ({answered.off.what}) is off: {answered.off.why}."
        on = ", then ".join(f"`{command}`" for command in answered.off.commands(again))
        blocks.append(Text(f"{off} To turn it on: {on}." if on else off, "note"))
    blocks.append(_scored(answered.scorer))
    if answered.scorer == UNTRAINED.about:
        blocks.append(Text(HINT.format(f"`{TURNED_ON}`"), "note"))
    return Report(f"Question: {answered.question}", tuple(blocks))


def _decided(decision: Decision) -> Iterator[Block]:
    """The answer, then papers that say yes, those that say no, and the rest, each with its sentence."""
    percent = ", ".join(f"{label} {value:.0%}" for label, value in decision.means().items())
    yield Heading("Answer")
    fitted = "calibrated" if decision.calibrated else "its probabilities as they come"
    if decision.label:
        yield Text(f"{decision.label} ({percent}; {decision.reader}, {fitted})")
    else:
        yield Text(f"No decision: {decision.undecided} ({decision.reader}, {fitted})")
    yield _held_out(decision.reader, decision.held_out)
    others = [one for one in decision.verdicts if one not in (*decision.supports, *decision.contradicts)]
    groups = (
        ("Papers read as saying yes", decision.supports),
        ("Papers read as saying no", decision.contradicts),
        ("Papers read as saying maybe", others),
    )
    for name, own in groups:
        if own:
            yield Listing(tuple(told for verdict in own for told in _said(verdict)), name)
    if decision.withheld:
        told = (one for verdict in decision.withheld for one in _without_verdict(verdict))
        yield Listing(tuple(told), WITHHELD)


def _named(exact: Exact) -> Iterator[Block]:
    """The names that answer, each with the sentence that it stands in."""
    yield Heading("Answer")
    for place, answer in enumerate(exact.answers, 1):
        passage = answer.evidence.passage
        told = [item("also", ", ".join(answer.names))] if answer.names else []
        told += [item("marked as", ", ".join(answer.concepts))] if answer.concepts else []
        told += [*_warned(passage), item("in", answer.evidence.text), item("from", _title(passage))]
        yield Listing(tuple(told), f"{place}. {answer.text} ({answer.confidence:.0%})")
    fitted = "" if exact.calibrated else ", whose confidences were not calibrated"
    yield Text(f"Names were scored by {exact.reader}{fitted}.", "note")
    yield _held_out(exact.reader, exact.held_out)


def _held_out(reader: str, reached: HeldOut) -> Text:
    return Text(f"What {reader} reaches elsewhere: {reached.says}.")


def _without_verdict(verdict: Verdict) -> Iterator[Item]:
    warned = "".join(f"{NOTICE_WORDS[name]}: " for name in verdict.notices)
    yield item("paper", f"{warned}{verdict.title or verdict.document}")
    if verdict.evidence is not None:
        yield Item("sentence", (Run(verdict.evidence.text, strong=True),))


def _said(verdict: Verdict) -> Iterator[Item]:
    warned = "".join(f"{NOTICE_WORDS[name]}: " for name in verdict.notices)
    counted = "" if verdict.counted else ", not counted"
    yield item(f"{max(verdict.probabilities):.0%}{counted}", f"{warned}{verdict.title or verdict.document}")
    if verdict.evidence is not None:
        yield Item("sentence", (Run(verdict.evidence.text, strong=True),))


def shown(text: str, sentences: Sequence[Sentence], longest: int = LONGEST_SHOWN) -> Iterator[Run]:
    """The text, or as much as fits around its best sentence, with the sentences that fit strong."""
    begin, end = part(text, sentences, longest)
    if begin:
        yield Run(f"{CUT} ")
    at = begin
    for sentence in sentences:
        if not sentence.strength or sentence.begin < begin or sentence.end > end:
            continue
        if sentence.begin > at:
            yield Run(text[at : sentence.begin])
        yield Run(text[sentence.begin : sentence.end], strong=True)
        at = sentence.end
    if at < end:
        yield Run(text[at:end])
    if end < len(text):
        yield Run(f" {CUT}")


def titled(passage: Passage, title: Sentence | None) -> Iterator[Run]:
    """The title, strong where it fits; where there is none the document's id."""
    if title is None or not title.strength:
        yield Run(_title(passage))
        return
    around = passage.title[: title.begin], passage.title[title.end :]
    runs = Run(around[0]), Run(passage.title[title.begin : title.end], strong=True), Run(around[1])
    yield from (run for run in runs if run.text)


def part(text: str, sentences: Sequence[Sentence], longest: int = LONGEST_SHOWN) -> tuple[int, int]:
    """Which characters are shown: whole sentences around the best one."""
    if len(text) <= longest or not sentences:
        return 0, len(text)
    first = last = max(range(len(sentences)), key=lambda place: sentences[place].score)
    while True:
        before = first > 0 and sentences[last].end - sentences[first - 1].begin <= longest
        if before:
            first -= 1
        after = last + 1 < len(sentences) and sentences[last + 1].end - sentences[first].begin <= longest
        if after:
            last += 1
        if not before and not after:
            return sentences[first].begin, sentences[last].end


def _collection(counts: Counts, ranking: str) -> Text:
    told = f"{counts.documents:,} documents, {counts.passages:,} passages, ranked by {_RANKED[ranking]}."
    return Text(told, "note")


def _scored(scorer: Scorer) -> Text:
    probable = "" if scorer.calibrated else ". That is no probability"
    return Text(f"Sentences were scored by {scorer.name}: {scorer.says}{probable}.", "note")


def _left_out(left_out: LeftOut) -> Iterator[Text]:
    for what, unknown in (("journal", left_out.journals), ("type of publication", left_out.types)):
        for name, near in unknown.items():
            example = f"; for example {', '.join(near)}" if near else ""
            yield Text(f"No such {what} here: {name}{example}.")
    if left_out.undated:
        one = left_out.undated == 1
        papers = (
            "1 document without a date is" if one else f"{left_out.undated:,} documents without a date are"
        )
        yield Text(f"{papers} left out by the filter of dates.", "note")


def _title(passage: Passage) -> str:
    return passage.title or passage.document


def _where(passage: Passage) -> str:
    """section (heading), journal, date, links"""
    facts = passage.facts
    section = passage.section if passage.heading in ("", passage.section) else passage.heading
    addresses = [address for _, address in links(passage)] or [passage.document]
    told = (section, facts.get("journal", ""), facts.get("date", ""), *addresses)
    return ", ".join(each for each in told if each)


def links(passage: Passage) -> list[tuple[str, str]]:
    """(name, address) of each place where the paper can be read; what an address must not hold is escaped."""
    facts = passage.facts
    idents = {
        "pmid": facts.get("pmid") or (passage.document if _is_pmid(passage) else ""),
        "pmcid": facts.get("pmcid", ""),
        "doi": facts.get("doi", ""),
    }
    return [
        (name, form.format(quote(idents[kind], safe=_KEPT)))
        for kind, (name, form) in _LINKS.items()
        if idents[kind]
    ]


def _is_pmid(passage: Passage) -> bool:
    """Whether the document's id is one: all digits, and no loader has said otherwise."""
    return passage.document.isdecimal() and passage.facts.get("id_of") != "other"


def _warned(passage: Passage) -> list[Item]:
    return [item("note", NOTICE_WORDS[name]) for name in notices(passage)]
