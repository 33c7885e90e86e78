"""Documents in, BioMRC instances out: the paper's section 2 from its first sentence to its last.

The rules are in rules.py, the numbers in recipes/biomrc.toml, what the paper leaves open in design/biomrc.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from anagnosis.datasets.biomrc import rules
from anagnosis.datasets.biomrc.rules import Article, BioMRCRecipe
from anagnosis.datasets.build.screening import Screening, text_hash
from anagnosis.datasets.definition import Builder
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER
from anagnosis.documents.document import Document, Mention
from anagnosis.documents.formats import pubtator
from anagnosis.documents.formats.pubtator import Record
from anagnosis.documents.repairs import Repairs
from anagnosis.language.sentences import splitter, splitter_with_version
from anagnosis.word_vectors.namespaces import is_composite

# What a rule looks at.
_SEEN: dict[str, Callable[[Article, BioMRCRecipe], str | int]] = {
    "unlinked_mention": lambda article, _: _first(article, lambda mention: not mention.identifier),
    "composite_mention": lambda article, _: _first(
        article, lambda mention: is_composite(mention.type, mention.identifier)
    ),
    "overlapping_mentions": rules.overlapping_mentions,
    "no_shared_entity": lambda article, _: "; ".join(mention.text for mention in article.in_title),
    "reserved_word_in_text": rules.reserved_word_in_text,
    "title_too_short": lambda article, _: len(article.title),
    "title_too_long": lambda article, _: len(article.title.split()),
    "abstract_too_short": lambda article, _: len(article.abstract),
    "too_few_sentences": lambda article, recipe: len(splitter(recipe.sentences)(article.abstract)),
    "no_entity_in_title": lambda article, _: len(article.in_title),
    "too_few_mentions": lambda article, _: len(article.in_abstract),
    "too_few_identifiers": rules.identifier_count,
    "too_many_identifiers": rules.identifier_count,
}
RULES = (*(rule.__name__ for rule in (*rules.TEXT_RULES, *rules.MENTION_RULES)), *rules.ARTICLE_RULES_AFTER)


def choices(recipe: BioMRCRecipe) -> dict[str, str]:
    """What the receipt states beside the recipe: the sentence splitter with its version, what the limits count."""
    return {
        "sentence_splitter": splitter_with_version(recipe.sentences),
        "distinct_identifiers": rules.DISTINCT_IDENTIFIERS[recipe.distinct_identifiers],
    }


def article(source: Record | Document, name: str, recipe: BioMRCRecipe, repairs: Repairs) -> Article:
    """The article with its mentions read, those that the recipe leaves out counted."""
    title, abstract = texts(source)
    found = (
        pubtator.mentions(source, repairs, name)
        if isinstance(source, Record)
        else sorted(source.mentions, key=lambda m: (m.start, m.end))
    )
    border, last = len(title), len(title) + 1 + len(abstract)
    in_title: list[Mention] = []
    in_abstract: list[Mention] = []
    if "leave-out" in (recipe.on_unlinked, recipe.on_composite):
        stays = [mention for mention in found if not rules.left_out(mention, recipe)]
        repairs.count("mention_left_out_by_recipe", len(found) - len(stays))
        found = stays
    for mention in found:
        # Not the properties: this loop sees every mention of a whole PubMed.
        start, end = mention.spans[0][0], mention.spans[-1][1]
        if end <= border:
            in_title.append(mention)
        elif start <= border:
            repairs.count("mention_across_sections")
        elif end <= last:
            in_abstract.append(mention)
        else:
            repairs.count("mention_outside_abstract")
    title_keys = [rules.key(mention, recipe) for mention in in_title]
    abstract_keys = [rules.key(mention, recipe) for mention in in_abstract]
    whole = Article(source.id, title, abstract, in_title, in_abstract, title_keys, abstract_keys)
    repairs.count("one_identifier_several_types", rules.identifiers_of_several_types(whole))
    return whole


def texts(source: Record | Document) -> tuple[str, str]:
    """(title, abstract). Of a structured document: everything labelled abstract, joined as in its text."""
    if isinstance(source, Record):
        return source.title, source.abstract
    title = source.sections[0].text if source.sections and source.sections[0].label == "title" else ""
    sections = source.sections[1:] if title else source.sections
    body = [s for s in sections if s.label.startswith("abstract")]
    # Offsets stay true only while the abstract's sections follow the title without a gap.
    gapless = body == list(sections[: len(body)])
    return title, "\n".join(
        line for s in body for line in ((s.title, s.text) if s.title else (s.text,))
    ) if gapless else ""


def judge(source: Record | Document, recipe: BioMRCRecipe, screening: Screening[ClozeColumns]) -> None:
    """Gather the instances of an article in the screening's columns, or count the rule that drops it."""
    title, abstract = texts(source)
    bare = Article(source.id, title, abstract)

    def drop(rule: str, seen: Article) -> None:
        screening.drop(source.id, rule, lambda: _SEEN[rule](seen, recipe) if rule in _SEEN else "")

    for rule in rules.TEXT_RULES:
        if rule(bare, recipe):
            return drop(rule.__name__, bare)
    whole = article(source, screening.name, recipe, screening.repairs)
    for rule in rules.MENTION_RULES:
        if rule(whole, recipe):
            return drop(rule.__name__, whole)
    candidates = Candidates(whole)
    count = _add_instances(whole, candidates, recipe, screening)
    if not count:
        return drop("no_instance_left", whole)
    numbers = [screening.number(*entity) for entity in candidates.entities]
    digest = text_hash(abstract) if recipe.drop_repeated_text else 0
    return screening.article(source.id, digest, count, numbers)


def _first(article: Article, wanted: Callable[[Mention], bool]) -> str:
    """The text of the first such mention."""
    return next(mention.text for mention in (*article.in_title, *article.in_abstract) if wanted(mention))


class Candidates:
    """The entities of an abstract in order of first appearance, and where they stand in abstract and title."""

    def __init__(self, article: Article) -> None:
        index: dict[str, int] = {}
        self.entities: list[tuple[str, str, str]] = []
        self.names: list[list[str]] = []
        self.frequencies: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.of_mention: list[int] = []
        begin = len(article.title) + 1
        for mention, key in zip(article.in_abstract, article.abstract_keys, strict=True):
            at = index.get(key)
            if at is None:
                at = index[key] = len(self.entities)
                self.entities.append((key, mention.type, mention.identifier))
                self.names.append([])
                self.frequencies.append(0)
            self.frequencies[at] += 1
            if mention.text not in self.names[at]:
                self.names[at].append(mention.text)
            ((start, end),) = mention.spans
            self.starts.append(start - begin)
            self.ends.append(end - begin)
            self.of_mention.append(at)
        titled = zip(article.in_title, article.title_keys, strict=True)
        self.in_title = [(mention, index[key]) for mention, key in titled if key in index]


def _add_instances(
    article: Article, candidates: Candidates, recipe: BioMRCRecipe, screening: Screening[ClozeColumns]
) -> int:
    """One instance for each title mention whose entity the abstract has, unless an instance rule drops it."""
    columns = screening.columns
    kept = 0
    shared: tuple[list[str], list[str], list[int]] | None = None
    for hidden, answer in candidates.in_title:
        ident = f"{article.id}:{hidden.start}"
        question = article.title[: hidden.start] + PLACEHOLDER + article.title[hidden.end :]
        others = [(m, at) for m, at in candidates.in_title if m is not hidden]
        if recipe.drop_most_frequent_answer and rules.answer_most_frequent(answer, candidates.frequencies):
            screening.drop_instance(ident, "answer_most_frequent", question)
            continue
        if recipe.drop_visible_answer and rules.answer_visible_in_question(answer, [at for _, at in others]):
            screening.drop_instance(ident, "answer_visible_in_question", question)
            continue
        if shared is None:
            keys = [entity[0] for entity in candidates.entities]
            shared = (
                keys,
                [entity[1] for entity in candidates.entities],
                [screening.number(*e) for e in candidates.entities],
            )
        kept += 1
        answers = list(dict.fromkeys((hidden.text, *candidates.names[answer])))
        columns.add_row(ident, article.id, "", article.abstract, question, answer, answers)
        columns.mentions.add(candidates.starts, candidates.ends, candidates.of_mention)
        columns.question_mentions.add(*_moved(others, hidden))
        columns.candidates.add(*shared, candidates.names)
    return kept


def _moved(others: Sequence[tuple[Mention, int]], hidden: Mention) -> tuple[list[int], list[int], list[int]]:
    """Starts, ends and candidates of the title's other mentions, as they stand once XXXX is in the title."""
    shift = len(PLACEHOLDER) - (hidden.end - hidden.start)
    moves = [shift if m.start >= hidden.end else 0 for m, _ in others]
    starts = [m.start + move for (m, _), move in zip(others, moves, strict=True)]
    ends = [m.end + move for (m, _), move in zip(others, moves, strict=True)]
    return starts, ends, [at for _, at in others]


BUILDER = Builder(
    recipe=BioMRCRecipe,
    judge=judge,
    columns=ClozeColumns,
    takes_records=True,
    choices=choices,
    rules=RULES,
    instance_rules=rules.INSTANCE_RULES,
)
