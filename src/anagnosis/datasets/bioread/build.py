"""Documents in, BioRead-like instances out: the paper's section 2.

The article's sentences and mentions are made in article.py, the rules are in rules.py, the numbers in
recipes/bioread.toml, what the paper leaves open in design/bioread.md.
"""

from __future__ import annotations

from itertools import accumulate

from anagnosis.datasets.bioread import rules
from anagnosis.datasets.bioread.article import GIVEN, Article, BioReadRecipe, Entity, article
from anagnosis.datasets.bioread.rules import Window
from anagnosis.datasets.build.screening import Screening, text_hash
from anagnosis.datasets.definition import Builder
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.datasets.kinds.cloze_instance import SECTION
from anagnosis.documents.document import Document
from anagnosis.language.sentences import splitter_with_version

RULES = (*rules.ARTICLE_RULES, *rules.ARTICLE_RULES_AFTER)
# A window repeats its passage, so a shard's instances need some hundred times the memory of its text.
_BLOCK_BYTES = 1 << 20


def choices(recipe: BioReadRecipe) -> dict[str, str]:
    """What the receipt states beside the recipe: the sentence splitter with its version."""
    if recipe.sentences == GIVEN:
        return {"sentence_splitter": "boundaries of the documents"}
    return {"sentence_splitter": splitter_with_version(recipe.sentences, also=(GIVEN,))}


def judge(document: Document, recipe: BioReadRecipe, screening: Screening) -> None:
    """Gather the instances of a document in the screening's columns, or count the rule that drops it."""
    if rules.not_drawn(document, recipe):
        return screening.drop(rules.not_drawn.__name__)
    whole = article(document, recipe, screening.repairs)
    if rules.too_few_sentences(whole, recipe):
        return screening.drop(rules.too_few_sentences.__name__)
    before = len(screening.columns)
    _add_instances(whole, recipe, screening)
    count = len(screening.columns) - before
    if not count:
        return screening.drop("no_instance_left")
    digest = text_hash(whole.text) if recipe.drop_repeated_text else 0
    return screening.article(document.id, digest, count, document.facts.get("date", ""))


def _add_instances(whole: Article, recipe: BioReadRecipe, screening: Screening) -> None:
    """Every position's instances."""
    sentences = whole.sentences
    # Sums over the sentences, from which every position of the window is known in constant time.
    lengths = [_tokens(whole, place) for place in range(len(sentences))]
    tokens = [0, *accumulate(lengths)]
    glued = [0, *accumulate(_are_glued(whole, place) for place in range(len(sentences) - 1))]
    reserved = [0, *accumulate(rules.holds_reserved_word(whole.text[slice(*each)]) for each in sentences)]
    for asked in range(recipe.passage_sentences, len(sentences)):
        first = asked - recipe.passage_sentences
        in_passage = [entity for group in whole.entities[first:asked] for entity in group]
        places = {key: place for place, key in enumerate(dict.fromkeys([e.key for e in in_passage]))}
        # Of each entity that the passage has the first mention is asked for.
        of_key = {e.key: e for e in reversed(whole.entities[asked]) if e.key in places}
        hidden = sorted(of_key.values(), key=lambda entity: entity.start)
        sections = whole.sections[first : asked + 1]
        window = Window(
            # Two sentences without a blank between them share a token.
            tokens[asked] - tokens[first] - (glued[asked - 1] - glued[first]),
            lengths[asked],
            len(places),
            len(hidden),
            (min(sections), max(sections)),
            reserved[asked + 1] > reserved[first],
        )
        broken = next((rule for rule in rules.WINDOW_RULES if rule(window, recipe)), None)
        if broken is not None:
            screening.drop_instances(broken.__name__, len(hidden) or 1)
            continue
        begin, end = sentences[first][0], sentences[asked - 1][1]
        passage = whole.text[begin:end]
        starts = [entity.start - begin for entity in in_passage]
        ends = [entity.end - begin for entity in in_passage]
        candidates = [places[entity.key] for entity in in_passage]
        names: list[dict[str, None]] = [{} for _ in places]
        firsts: dict[str, Entity] = {}
        for entity, place in zip(in_passage, candidates, strict=True):
            if entity.name:
                names[place].setdefault(entity.name)
            names[place].setdefault(entity.surface)
            firsts.setdefault(entity.key, entity)
        listed = [list(group) for group in names]
        types = [entity.type for entity in firsts.values()]
        numbers: list[int] = []
        start, end = sentences[asked]
        for answer in hidden:
            ident = f"{whole.id}:{answer.original_start}"
            others = [entity for entity in whole.entities[asked] if entity is not answer]
            if rules.answer_visible_in_question(answer.key, [entity.key for entity in others], recipe):
                screening.drop_instances("answer_visible_in_question")
                continue
            numbers = numbers or [screening.number(key, e.type, e.identifier) for key, e in firsts.items()]
            place = places[answer.key]
            screening.columns.add_question(
                ident,
                whole.id,
                "",
                passage,
                (starts, ends, candidates),
                whole.text[start:end],
                (answer.start - start, answer.end - start),
                [
                    (
                        e.start - start,
                        e.end - start,
                        screening.candidate(e.key, e.type, e.identifier, places),
                    )
                    for e in others
                ],
                ([*places], types, numbers, listed),
                place,
                list(dict.fromkeys((answer.surface, *listed[place]))),
                (f"{SECTION}{whole.labels[asked]}",),
            )


def _tokens(whole: Article, place: int) -> int:
    """White-space tokens of a sentence in which each entity is one, with a blank on each side."""
    start, end = whole.sentences[place]
    entities = whole.entities[place]
    count = len(entities)
    for entity in entities:
        count += len(whole.text[start : entity.start].split())
        start = entity.end
    return count + len(whole.text[start:end].split())


def _are_glued(whole: Article, place: int) -> bool:
    """Whether the last token of a sentence and the first of the next are one."""
    end, begin = whole.sentences[place][1], whole.sentences[place + 1][0]
    left, right = whole.entities[place], whole.entities[place + 1]
    return end == begin and not (left and left[-1].end == end) and not (right and right[0].start == begin)


BUILDER = Builder(
    recipe=BioReadRecipe,
    judge=judge,
    columns=ClozeColumns,
    choices=choices,
    rules=RULES,
    instance_rules=rules.INSTANCE_RULES,
    dated=True,
    whole_articles=True,
    block_bytes=_BLOCK_BYTES,
)
