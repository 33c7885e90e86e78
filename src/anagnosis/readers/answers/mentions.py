"""Entities in the snippets of questions, for a reader that was trained on texts with marked entities.

    none          no entities
    candidates    the noun phrases and numbers that could be names (entities/candidates.py); mentions with equal names
                  (entities/same_entity.py) are one entity
    FILE          the mentions of documents, by PMID: PubTator, BioC, or the output of `anagnosis annotate`; mentions
                  with the same identifier are one entity, those without one by their names

A snippet has the mentions of the place where its text occurs in the document: at its offset if it is there, else the
first one. A message counts the snippets without a document and those that do not occur in theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from anagnosis.datasets.kinds.question import QuestionInstance, Snippet
from anagnosis.documents.document import Document, linked
from anagnosis.documents.identifiers import plain_pmid
from anagnosis.documents.reading import documents
from anagnosis.documents.repairs import Repairs
from anagnosis.entities.candidates import spans
from anagnosis.entities.same_entity import plain
from anagnosis.errors import unknown_name
from anagnosis.language.sentences import splitter
from anagnosis.progress import tell
from anagnosis.readers.answers.cloze_passages import Entity

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
            tell(
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
