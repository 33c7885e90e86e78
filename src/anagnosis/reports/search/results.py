"""What a search found, what answers a question, and what an index holds of papers, as blocks of a report.

Sentences stand as in their source, those that fit best strong; a paper that was retracted says so first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from anagnosis.language.question_kinds import is_topic
from anagnosis.reports.report import Block, ColumnOf, Heading, Report, Run, Text, listing, table
from anagnosis.searching.filters import NAME_FILTERS
from anagnosis.searching.rank.ranking import DENSE, HYBRID, LEXICAL
from anagnosis.searching.records.hits import (
    ANSWERED,
    CLOSEST,
    NOTHING,
    AskAnswer,
    Conclusion,
    Judged,
    OtherSection,
    RelatedAnswer,
    SearchAnswer,
    Sentence,
    State,
)
from anagnosis.searching.records.passage import Evidence, IndexPapers, Notice, Passage
from anagnosis.searching.sentences.sentences import plain, surrounded
from anagnosis.wording import counted

# A long passage is shown around its best sentence.
LONGEST_SHOWN = 900
HIGHLIGHTED = 2  # sentences of a passage
CUT = "[…]"
_SHOWN, _LATEST = 100, 20
_PAPERS: Sequence[ColumnOf] = (
    ("title", lambda one: one.title or one.document),
    ("year", lambda one: one.year),
    ("source", lambda one: ", ".join(one.sources)),
    ("file", lambda one: ", ".join(one.files)),
)
_Line = tuple[str, str | Run | Iterable[Run]]
_BY_WORDS = "Related by the rare words that they share."


class ShownState(NamedTuple):
    """A state of an answer, above all else of it."""

    heading: str
    says: str


# Of the 240 questions of benchmarks/questions/first_sentence.jsonl that the collection answers: 84 of 101, 52 of 124.
STATES: dict[State, ShownState] = {
    ANSWERED: ShownState("Answered here", "In our tests four of five such first sentences were right."),
    CLOSEST: ShownState("Perhaps not answered here", "In our tests two of five such first sentences were right."),
    NOTHING: ShownState("Nothing about this here", "No paper has enough of the question. These sentences are nearest."),
}  # fmt: skip
ASKS_NOTHING = "These words ask nothing: `anagnosis search INDEX WORDS` lists the papers about them."
# Where there is no sentence to quote.
NO_SENTENCE_FITS = (
    "Nothing about this here: no sentence has a word of the question. `anagnosis search INDEX QUESTION` shows the"
    " passages."
)
NOTHING_FITS = "Nothing about this here: nothing in this collection fits the question."
CONCLUDE = "What papers conclude"
SENTENCES = "Sentences that fit best"
NO_PAPER_ABOUT = "No conclusion is listed: no paper has enough of the question's words and names together."
_RANKED = {
    LEXICAL: "their words",
    DENSE: "their meaning (dense vectors)",
    HYBRID: "words and meaning",
}


def search_report(answer: SearchAnswer) -> Report:
    """Ranked papers or passages."""
    scored = any(hit.score for hit in answer.found)  # fields alone, as of a date or a paper, rank nothing
    blocks: list[Block] = [*_before(answer, is_ranked=scored or not answer.found)]
    if not answer.found:
        blocks.append(Text("Nothing found. Other words, or fewer filters, may find more."))
    for hit in answer.found:
        passage = hit.passage
        lines: list[_Line] = [
            *_warned(passage.notices),
            ("title", passage.paper),
            ("in", _where(passage, passage.pages)),
            ("page", hit.file),
            ("text", shown(passage.text, hit.sentences) if answer.question else ""),
            ("also", more_passages(hit.more) if hit.more and answer.question else ""),
        ]
        blocks.append(listing(lines, f"{hit.rank}." + (f" score {hit.score:.2f}" if scored else "")))
    if scored and answer.scorer:
        blocks.append(_scored(answer))
    if answer.found:
        latest = ", the latest first" if answer.sort == "date" else ""
        blocks.append(Text(f"In all {counted(answer.matches, 'paper')}{latest}."))
        blocks += _facets(answer)
    return Report(f"Search: {answer.question or 'all papers'}", tuple(blocks))


def more_passages(others: Sequence[OtherSection]) -> str:
    """How many other passages of a paper fit, and in which sections: "3 more passages, in methods, results"."""
    names = ", ".join(dict.fromkeys(one.section for one in others))
    return f"{counted(len(others), 'more passage')}, in {names}"


def _facets(answer: SearchAnswer) -> Iterator[Block]:
    """Of which years, names and sections the papers of the whole list are."""
    for name in (
        ("years", *(one.names for one in NAME_FILTERS), "sections") if answer.facets is not None else ()
    ):
        values = [(one.name, f"{one.papers:,}") for one in getattr(answer.facets, name)]
        if values:
            yield listing(values, f"Papers by {name.removesuffix('s')}")


def ask_report(answer: AskAnswer) -> Report:
    """The state, the sentences that answer or come closest, and conclusions."""
    blocks: list[Block] = [*_before(answer)]
    if not answer.evidence:
        blocks.append(Text(NO_SENTENCE_FITS if answer.hits else NOTHING_FITS))
    elif is_topic(answer.question):
        blocks.append(Text(ASKS_NOTHING))
    else:
        blocks += [Heading(STATES[answer.state].heading), Text(STATES[answer.state].says)]
    if answer.judged is not None:
        blocks.append(Text(f"Judged by {answer.judged.model}. {judged(answer.judged)}", "note"))
    if answer.evidence:
        blocks.append(Heading(SENTENCES))
    for place, evidence in enumerate(answer.evidence, 1):
        passage = evidence.passage
        lines: list[_Line] = [
            *_warned(passage.notices),
            ("sentence", Run(quotation(evidence), strong=True)),
            ("from", f"{passage.paper} – {_where(passage, evidence.pages)}"),
            ("page", evidence.file),
        ]
        blocks.append(listing(lines, f"{place}. score {evidence.score:.2f}"))
    if answer.conclusions is not None:
        blocks += _concluded(answer)
    return Report(f"Question: {answer.question}", (*blocks, _scored(answer)))


def judged(one: Judged) -> str:
    """What a judge did, without its name."""
    if one.chosen is None:
        return f"It did not choose: {one.fault}."
    if not one.chosen:
        return "It says that none of these sentences answers."
    return f"It put {counted(one.chosen, 'sentence')} first; our tests were without it."


def _conclusions(answer: AskAnswer) -> Sequence[Conclusion]:
    return () if answer.conclusions is None else answer.conclusions.papers


def quotation(one: Evidence) -> str:
    """A quoted text, marked where its sentence goes on."""
    before, behind = surrounded(one)
    return " ".join(filter(None, (before and CUT, one.text, behind and CUT)))


def quoted_places(answer: AskAnswer) -> dict[str, str]:
    """Where an answer quotes each sentence: its text (`plain`) → "sentence 2" or "conclusion 3".

    A sentence is shown once: the list of sentences keeps it, and other parts of the answer refer to its number.
    """
    quoted = {"sentence": answer.evidence, "conclusion": [one.evidence for one in _conclusions(answer)]}
    places: dict[str, str] = {}
    for what, evidence in quoted.items():
        for number, one in enumerate(evidence, 1):
            if one is not None:
                places.setdefault(plain(one.text), f"{what} {number}")
    return places


def _concluded(answer: AskAnswer) -> Iterator[Block]:
    """What each paper about the question concludes; a sentence that is quoted elsewhere is named by its place."""
    papers, places = _conclusions(answer), quoted_places(answer)
    yield Heading(CONCLUDE) if papers else Text(NO_PAPER_ABOUT, "note")
    for number, one in enumerate(papers, 1):
        lines: list[_Line] = [*_warned(one.notices)]
        if one.evidence is not None:
            place, text = places[plain(one.evidence.text)], quotation(one.evidence)
            here = place == f"conclusion {number}"
            lines.append(("concludes", Run(text, strong=True) if here else place))
        lines.append(("paper", ", ".join(filter(None, (described_paper(one), one.document)))))
        yield listing(lines, f"{number}. {one.title}")


def described_paper(one: Conclusion) -> str:
    """Its kind and year, joined by a comma."""
    return ", ".join(each for each in (one.kind.name, one.year) if each)


def shown(text: str, sentences: Sequence[Sentence], longest: int = LONGEST_SHOWN) -> Iterator[Run]:
    """The text, or as much as fits around its best sentence, with the best of the sentences that fit strong."""
    begin, end = part(text, sentences, longest)
    if begin:
        yield Run(f"{CUT} ")
    at = begin
    for sentence in highlights(sentences, begin, end):
        if sentence.begin > at:
            yield Run(text[at : sentence.begin])
        yield Run(text[sentence.begin : sentence.end], strong=True)
        at = sentence.end
    if at < end:
        yield Run(text[at:end])
    if end < len(text):
        yield Run(f" {CUT}")


def highlights(sentences: Sequence[Sentence], begin: int, end: int) -> list[Sentence]:
    """The best of the sentences that fit and stand in [begin, end), HIGHLIGHTED at most, in their order."""
    fitting = [one for one in sentences if one.strength and begin <= one.begin and one.end <= end]
    best = sorted(fitting, key=lambda one: -one.score)[:HIGHLIGHTED]
    return [one for one in fitting if one in best]


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


def _scored(answer: SearchAnswer | AskAnswer) -> Text:
    return Text(
        f"Sentences were scored by {answer.scorer}: {answer.scorer_says}. That is no probability.", "note"
    )


def _before(answer: SearchAnswer | AskAnswer, *, is_ranked: bool = True) -> Iterator[Text]:
    """What stands above the results: how a query was understood and repaired, what was added and left out."""
    there, understood = answer.collection, answer.understood
    ranked = f", ranked by {_RANKED[answer.ranking]}" if is_ranked else ""
    yield Text(
        f"{counted(there.documents, 'document')}, {counted(there.passages, 'passage')}{ranked}.", "note"
    )
    if understood.line:
        yield Text(f"Understood as {understood.line}.", "note")
    if understood.repairs:
        yield Text(f"Please note: {'; '.join(understood.repairs)}.", "note")
    if answer.did_you_mean:
        yield Text(f"Did you mean: {answer.did_you_mean}", "note")
    if names := [f"{one.words}: {', '.join(one.added)}" for one in answer.expanded]:
        yield Text(f"Also searched, {'; '.join(names)}.", "note")
    if answer.left_out:
        yield Text(answer.left_out, "note")


def printed_pages(pages: Sequence[int]) -> str:
    """Pages as citations have them: "p. 4", "p. 4–5"; "" for none."""
    if not pages:
        return ""
    first, last = min(pages), max(pages)
    return f"p. {first}" if first == last else f"p. {first}–{last}"


def _where(passage: Passage, pages: Sequence[int]) -> str:
    """section (heading), pages, journal, date, links, else identifiers on the first page, else the id"""
    section = passage.section if passage.heading in ("", passage.section) else passage.heading
    seen = [f"{kind.upper()} on page 1: {ident}" for kind, ident in passage.on_first_page.items()]
    addresses = [link.address for link in passage.links] or seen or [passage.document]
    return ", ".join(
        each for each in (section, printed_pages(pages), passage.journal, passage.date, *addresses) if each
    )


def _warned(notices: Sequence[Notice]) -> list[_Line]:
    return [("note", notice.says) for notice in notices]


def index_papers(papers: IndexPapers) -> Report:
    """Its numbers, the latest papers, and those that stand alone; more: the other papers."""
    there = f"{counted(papers.documents, 'document')}, {counted(papers.passages, 'passage')}"
    blocks: list[Block] = [Text(f"{there}; {papers.joined:,} joined from several records.")]
    if papers.joins_none:
        lines = [(one.document, ", ".join(one.shared)) for one in papers.joins_none[:_SHOWN]]
        caption = f"{len(papers.joins_none):,} stand alone: their identifiers belong to several papers"
        blocks.append(listing(lines, caption))
    latest, others = papers.papers[:_LATEST], papers.papers[_LATEST:]
    number = f"{len(papers.papers):,}"
    if len(papers.papers) < papers.documents:
        number = f"the first {number} of {papers.documents:,}"
    blocks.append(table(f"Papers, the latest first ({number})", _PAPERS, latest))
    more = (table("Further papers", _PAPERS, others),) if others else ()
    return Report("What the index holds", tuple(blocks), more)


def related_papers(answer: RelatedAnswer) -> Report:
    """Each paper with its place and date."""
    blocks: list[Block] = [Text(_BY_WORDS if answer.related else "Nothing here is related to it.")]
    for rank, hit in enumerate(answer.related, 1):
        one = hit.passage
        lines = [
            *((notice.kind, f"{notice.says} {notice.about}".strip()) for notice in one.notices),
            ("title", one.paper),
            ("in", ", ".join(filter(None, (one.journal, one.date)))),
            *((link.name, link.address) for link in one.links),
        ]
        blocks.append(listing(lines, f"{rank}. {one.document}"))
    return Report(f"Related to: {answer.title}", tuple(blocks))
