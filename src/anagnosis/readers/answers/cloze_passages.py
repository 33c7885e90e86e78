"""A snippet and a question with a gap as one cloze question whose candidates are the snippet's words.

    snippet     Gefitinib blocks EGFR in A549 cells.         its entities: EGFR
    viewed      Gefitinib blocks @entity0 in A549 cells.     candidates: @entity0, Gefitinib, blocks, in, A549, cells, .

A run that was trained with pseudo-identifiers reads them for entities, in the snippet and where the question names the
same entity; one of the names view reads the text as it is. All mentions of an entity are one candidate, and each of its
words has its score; every other word is a candidate with one mention. The entities of a snippet are

    none          no entities
    candidates    the noun phrases and numbers that could be names (entities/candidates.py); mentions with equal names
                  (entities/same_entity.py) are one entity
    FILE          the mentions of documents, by PMID: PubTator, BioC, or the output of `anagnosis annotate`; mentions
                  with the same identifier are one entity, those without one by their names

A snippet has the mentions of the place where its text occurs in the document: at its offset if it is there, else the
first one. A message counts the snippets without a document and those that do not occur in theirs.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER, entity_token
from anagnosis.datasets.kinds.cloze_views import MentionPlace, Viewed
from anagnosis.datasets.kinds.question import QuestionInstance, Snippet
from anagnosis.documents.document import Document, linked
from anagnosis.documents.identifiers import plain_pmid
from anagnosis.documents.reading import documents
from anagnosis.documents.repairs import Repairs
from anagnosis.entities.candidates import spans
from anagnosis.entities.same_entity import plain
from anagnosis.errors import unknown_name
from anagnosis.language.sentences import splitter
from anagnosis.progress import print_note

Token = Callable[[int, str], str]
"""How a view writes an entity: from its number in the passage and its first name there."""
Gap = Literal["end", "start"]


def _numbered(number: int, name: str) -> str:
    return f"@entity{number}"


def _marked(number: int, name: str) -> str:
    return entity_token(name)


# Views that write entities as tokens; the others show their names.
TOKENS: dict[str, Token] = {
    "global": _numbered,
    "local": _numbered,
    "anonymous": _numbered,
    "anonymous-title-last": _numbered,
    "marked": _marked,
    "marked-title-last": _marked,
}


class Entity(NamedTuple):
    """Characters [begin, end) of a snippet that name an entity. key: equal for mentions of the same entity."""

    begin: int
    end: int
    key: str


@dataclass(frozen=True, slots=True)
class ClozePassage:
    """viewed: what a run reads. candidate_of: of each word of the snippet, its candidate in `viewed`."""

    viewed: Viewed
    candidate_of: tuple[int, ...]


def cloze_passage(
    id: str,
    snippet: str,
    words: Sequence[tuple[int, int]],
    entities: Sequence[Entity],
    question: _GapQuestion,
    view: str,
) -> ClozePassage:
    """The cloze question of a snippet.

    words: (begin, end) in the snippet, ascending. entities: ascending, without overlaps. view: that of the run.
    """
    numbers: dict[str, int] = {}
    names: list[str] = []
    for entity in entities:
        if numbers.setdefault(entity.key, len(names)) == len(names):
            names.append(snippet[entity.begin : entity.end])
    owners = _owners(words, entities)
    free = [place for place, owner in zip(words, owners, strict=True) if owner is None]

    token = TOKENS.get(view)
    shown = None if token is None else [token(number, name) for number, name in enumerate(names)]
    in_snippet = [(entity.begin, entity.end, numbers[entity.key]) for entity in entities]
    passage, mentions, moved = _with_tokens(snippet, in_snippet, free, shown)
    gap = (question.gap, question.gap + len(PLACEHOLDER))
    asked = _in_question(question.text, gap, names)
    text, question_mentions, (placeholder,) = _with_tokens(question.text, asked, [gap], shown)

    following = iter(range(len(names), len(names) + len(free)))
    candidate_of = [next(following) if owner is None else numbers[owner.key] for owner in owners]
    places = [*mentions, *((*place, len(names) + number) for number, place in enumerate(moved))]
    others = [snippet[begin:end] for begin, end in free]
    viewed = Viewed(
        id=id,
        passage=passage,
        question=text,
        candidates=(*(shown or names), *others),
        answer=None,
        names=tuple((name,) for name in (*names, *others)),
        mentions=tuple(sorted(places)),
        question_mentions=tuple(question_mentions),
        placeholder=placeholder,
    )
    return ClozePassage(viewed, tuple(candidate_of))


def _owners(words: Sequence[tuple[int, int]], entities: Sequence[Entity]) -> list[Entity | None]:
    """The first entity that overlaps each word; None for none."""
    ends = [entity.end for entity in entities]
    owners: list[Entity | None] = []
    for begin, end in words:
        at = bisect_right(ends, begin)
        owners.append(entities[at] if at < len(entities) and entities[at].begin < end else None)
    return owners


def _in_question(question: str, gap: tuple[int, int], names: Sequence[str]) -> list[MentionPlace]:
    """(begin, end, number) where the question names an entity of the snippet in the same words; the longest wins."""
    occupied = [gap]
    places: list[MentionPlace] = []
    for number in sorted(range(len(names)), key=lambda each: (-len(names[each]), each)):
        pattern = re.compile(rf"(?<!\w){re.escape(names[number])}(?!\w)", re.IGNORECASE)
        for match in pattern.finditer(question):
            begin, end = match.span()
            if all(end <= first or last <= begin for first, last in occupied):
                occupied.append((begin, end))
                places.append((begin, end, number))
    return sorted(places)


def _with_tokens(
    text: str,
    entities: Sequence[MentionPlace],
    others: Sequence[tuple[int, int]],
    shown: Sequence[str] | None,
) -> tuple[str, list[MentionPlace], list[tuple[int, int]]]:
    """The text with a token for each entity, blanks around it, and where the entities and the other places are then.

    entities, others: ascending, without overlaps. shown: the token of each entity's number; None: its name stays.
    """
    if shown is None:
        return text, list(entities), list(others)
    pieces: list[str] = []
    places: list[MentionPlace] = []
    moved: list[tuple[int, int]] = []
    rest = iter(others)
    other = next(rest, None)
    done = length = 0

    def copy(until: int) -> None:
        nonlocal done, length, other
        while other is not None and other[1] <= until:
            moved.append((other[0] - done + length, other[1] - done + length))
            other = next(rest, None)
        pieces.append(text[done:until])
        length += until - done
        done = until

    def blank(needed: bool) -> None:
        nonlocal length
        if needed:
            pieces.append(" ")
            length += 1

    for begin, end, number in entities:
        copy(begin)
        blank(length > 0 and not pieces[-1].endswith(" "))
        token = shown[number]
        pieces.append(token)
        places.append((length, length + len(token), number))
        length += len(token)
        done = end
        blank(not text.startswith(" ", end))
    copy(len(text))
    return "".join(pieces), places, moved


class _GapQuestion(NamedTuple):
    """A question with one PLACEHOLDER. gap: its offset in the text, in characters."""

    text: str
    gap: int


def with_gap(question: str, gap: Gap) -> _GapQuestion:
    """The question with a gap at that place."""
    if gap == "start":
        return _GapQuestion(f"{PLACEHOLDER} {question.lstrip()}", 0)
    text = f"{question.rstrip()} "
    return _GapQuestion(text + PLACEHOLDER, len(text))


NONE, CANDIDATES = "none", "candidates"
SENTENCES = "nupunkt"

Entities = Callable[[Snippet], list[Entity]]


def entities_by(mentions: str, questions: Iterable[QuestionInstance]) -> Entities:
    """A function from a snippet to its entities, ascending and without overlaps.

    mentions: a key of RULES or a file. questions: whose documents are taken from a file; not read otherwise.
    InputError: there is no such file.
    """
    if mentions in RULES:
        return RULES[mentions]
    if "/" not in mentions and not Path(mentions).exists():
        raise unknown_name("source of mentions", mentions, (*RULES, "FILE"), "mentions")
    return DocumentMentions.read(mentions, questions)


def no_entities(snippet: Snippet) -> list[Entity]:
    """None."""
    return []


def candidate_entities(snippet: Snippet) -> list[Entity]:
    """The longest candidates for names of each sentence that are complete phrases."""
    places: list[tuple[int, int]] = []
    for start, end in splitter(SENTENCES)(snippet.text):
        places += [
            (start + each.begin, start + each.end) for each in spans(snippet.text[start:end]) if each.whole
        ]
    return without_overlaps(Entity(*place, plain(snippet.text[slice(*place)])) for place in places)


RULES: dict[str, Entities] = {NONE: no_entities, CANDIDATES: candidate_entities}


def without_overlaps(entities: Iterable[Entity]) -> list[Entity]:
    """The entities without those that overlap a longer one, or an earlier one of the same length; ascending."""
    kept: list[Entity] = []
    for entity in sorted(entities, key=lambda each: (each.begin - each.end, each.begin)):
        if all(entity.end <= other.begin or other.end <= entity.begin for other in kept):
            kept.append(entity)
    return sorted(kept)


@dataclass(slots=True)
class DocumentMentions:
    """The mentions of some documents, by PMID; called with a snippet, it gives the snippet's entities."""

    by_pmid: dict[str, Document] = field(default_factory=dict[str, Document])

    @classmethod
    def read(cls, path: str, questions: Iterable[QuestionInstance]) -> DocumentMentions:
        """Read the documents that the questions' snippets come from. Reports how many snippets have none."""
        snippets = [snippet for question in questions for snippet in question.snippets]
        wanted = {snippet.pmid for snippet in snippets}
        found: dict[str, Document] = {}
        for document in documents(path, Repairs()):
            pmid = plain_pmid(document.id)
            if pmid in wanted:
                found.setdefault(pmid, document)
        made = cls(found)
        without = sum(snippet.pmid not in found for snippet in snippets)
        elsewhere = sum(snippet.pmid in found and made.place(snippet) is None for snippet in snippets)
        if without or elsewhere:
            print_note(
                f"{path}: {without:,} of {len(snippets):,} snippets are from documents that it lacks, "
                f"{elsewhere:,} do not occur in their documents; they have no entities"
            )
        return made

    def place(self, snippet: Snippet) -> int | None:
        """Where the snippet begins in its document's text; None if it does not occur there."""
        text = self.by_pmid[snippet.pmid].text
        if snippet.begin is not None and text.startswith(snippet.text, snippet.begin):
            return snippet.begin
        begin = text.find(snippet.text)
        return begin if begin >= 0 else None

    def __call__(self, snippet: Snippet) -> list[Entity]:
        if snippet.pmid not in self.by_pmid or (start := self.place(snippet)) is None:
            return []
        end = start + len(snippet.text)
        return without_overlaps(
            Entity(
                mention.start - start, mention.end - start, linked(mention.identifier) or plain(mention.text)
            )
            for mention in self.by_pmid[snippet.pmid].mentions
            if start <= mention.start < mention.end <= end
        )
