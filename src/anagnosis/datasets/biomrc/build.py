"""Documents in, BioMRC instances out: the paper's section 2 from its first sentence to its last.

The rules are in rules.py, the numbers in recipes/biomrc.toml, what the paper leaves open in design/biomrc.md.
"""

from __future__ import annotations

from anagnosis.datasets.biomrc import rules
from anagnosis.datasets.biomrc.rules import Article, BioMRCRecipe
from anagnosis.datasets.build.screening import Screening, text_hash
from anagnosis.datasets.definition import Builder
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.documents.document import Document, Mention
from anagnosis.documents.formats import pubtator
from anagnosis.documents.formats.pubtator import Record
from anagnosis.documents.repairs import Repairs
from anagnosis.language.sentences import splitter_with_version

RULES = (*(rule.__name__ for rule in (*rules.TEXT_RULES, *rules.MENTION_RULES)), *rules.ARTICLE_RULES_AFTER)


def choices(recipe: BioMRCRecipe) -> dict[str, str]:
    """What the receipt states beside the recipe: the sentence splitter with its version."""
    return {"sentence_splitter": splitter_with_version(recipe.sentences)}


def article(source: Record | Document, name: str, recipe: BioMRCRecipe, repairs: Repairs) -> Article:
    """The article with its mentions read."""
    title, abstract = texts(source)
    found = (
        pubtator.mentions(source, repairs, name)
        if isinstance(source, Record)
        else sorted(source.mentions, key=lambda m: (m.start, m.end))
    )
    border, last = len(title), len(title) + 1 + len(abstract)
    in_title: list[Mention] = []
    in_abstract: list[Mention] = []
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
    return Article(source.id, title, abstract, in_title, in_abstract, title_keys, abstract_keys)


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


def judge(source: Record | Document, recipe: BioMRCRecipe, screening: Screening) -> None:
    """Gather the instances of an article in the screening's columns, or count the rule that drops it."""
    title, abstract = texts(source)
    whole = Article(source.id, title, abstract)
    for rule in rules.TEXT_RULES:
        if rule(whole, recipe):
            return screening.drop(rule.__name__)
    whole = article(source, screening.name, recipe, screening.repairs)
    for rule in rules.MENTION_RULES:
        if rule(whole, recipe):
            return screening.drop(rule.__name__)
    before = len(screening.columns)
    _add_instances(whole, recipe, screening)
    count = len(screening.columns) - before
    if not count:
        return screening.drop("no_instance_left")
    digest = text_hash(abstract) if recipe.drop_repeated_text else 0
    return screening.article(source.id, digest, count)


def _add_instances(article: Article, recipe: BioMRCRecipe, screening: Screening) -> None:
    """One instance for each title mention whose entity the abstract has, unless an instance rule drops it.

    Its candidates are the abstract's entities in order of first appearance.
    """
    place: dict[str, int] = {}
    types: list[str] = []
    identifiers: list[str] = []
    names: list[list[str]] = []
    of_mention: list[int] = []
    for mention, key in zip(article.in_abstract, article.abstract_keys, strict=True):
        at = place.setdefault(key, len(place))
        if at == len(names):
            types.append(mention.type)
            identifiers.append(mention.identifier)
            names.append([])
        if mention.text not in names[at]:
            names[at].append(mention.text)
        of_mention.append(at)
    titled = zip(article.in_title, article.title_keys, strict=True)
    in_title = [(m.spans[0][0], m.spans[-1][1], place[key], m) for m, key in titled if key in place]
    frequencies = [of_mention.count(at) for at in range(len(place))]
    begin = len(article.title) + 1
    starts = [mention.spans[0][0] - begin for mention in article.in_abstract]
    ends = [mention.spans[-1][1] - begin for mention in article.in_abstract]
    numbers: list[int] = []
    for start, end, answer, hidden in in_title:
        ident = f"{article.id}:{start}"
        others = [each[:3] for each in in_title if each[3] is not hidden]
        if recipe.drop_most_frequent_answer and rules.answer_most_frequent(answer, frequencies):
            screening.drop_instances("answer_most_frequent")
            continue
        if recipe.drop_visible_answer and rules.answer_visible_in_question(answer, [at for *_, at in others]):
            screening.drop_instances("answer_visible_in_question")
            continue
        numbers = numbers or [screening.number(*e) for e in zip(place, types, identifiers, strict=True)]
        screening.columns.add_question(
            ident,
            article.id,
            "",
            article.abstract,
            (starts, ends, of_mention),
            article.title,
            (start, end),
            others,
            ([*place], types, numbers, names),
            answer,
            list(dict.fromkeys((hidden.text, *names[answer]))),
        )


BUILDER = Builder(
    recipe=BioMRCRecipe,
    judge=judge,
    columns=ClozeColumns,
    takes_records=True,
    choices=choices,
    rules=RULES,
    instance_rules=rules.INSTANCE_RULES,
)
