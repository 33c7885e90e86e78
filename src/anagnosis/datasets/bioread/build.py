"""Documents in, BioRead-like instances out: the paper's section 2.

The article's sentences and mentions are made in article.py, the rules are in rules.py, the numbers in
recipes/bioread.toml, what the paper leaves open in design/bioread.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from anagnosis.datasets.bioread import rules
from anagnosis.datasets.bioread.article import GIVEN, Article, BioReadRecipe, Entity, article
from anagnosis.datasets.bioread.rules import Window
from anagnosis.datasets.build.screening import Screening, text_hash
from anagnosis.datasets.definition import Builder
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER, SECTION, outside
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


def judge(document: Document, recipe: BioReadRecipe, screening: Screening[ClozeColumns]) -> None:
    """Gather the instances of a document in the screening's columns, or count the rule that drops it."""
    if rules.not_drawn(document, recipe):
        return screening.drop(document.id, rules.not_drawn.__name__)
    whole = article(document, recipe, screening.repairs)
    if rules.too_few_sentences(whole, recipe):
        return screening.drop(document.id, rules.too_few_sentences.__name__)
    before = len(screening.columns)
    candidate_of = _add_instances(whole, recipe, screening)
    count = len(screening.columns) - before
    if not count:
        return screening.drop(document.id, "no_instance_left")
    digest = text_hash(whole.text) if recipe.drop_repeated_text else 0
    date = document.facts.get("date", "")
    return screening.article(document.id, digest, count, candidate_of, date, candidate_of.values())


class Windows:
    """Sums over an article's sentences, from which every position of the window is known in constant time."""

    def __init__(self, whole: Article) -> None:
        self.article = whole
        text = whole.text
        lengths = [
            _tokens(text, *sentence, entities)
            for sentence, entities in zip(whole.sentences, whole.entities, strict=True)
        ]
        self.lengths = lengths
        self._tokens = [0, *accumulate(lengths)]
        glued = [_are_glued(whole, place) for place in range(len(lengths) - 1)]
        self._glued = [0, *accumulate(glued)]
        reserved = [rules.holds_reserved_word(text[start:end]) for start, end in whole.sentences]
        self._reserved = [0, *accumulate(reserved)]

    def at(self, first: int, asked: int, candidates: int, shared: int) -> Window:
        """The window whose passage begins with sentence `first` and whose question is sentence `asked`."""
        # Two sentences without a blank between them share a token.
        shared_tokens = self._glued[asked - 1] - self._glued[first]
        return Window(
            self._tokens[asked] - self._tokens[first] - shared_tokens,
            self.lengths[asked],
            candidates,
            shared,
            (min(self.article.sections[first : asked + 1]), max(self.article.sections[first : asked + 1])),
            self._reserved[asked + 1] > self._reserved[first],
        )


def _tokens(text: str, start: int, end: int, entities: Sequence[Entity]) -> int:
    """White-space tokens of a sentence in which each entity is one, with a blank on each side."""
    count = len(entities)
    for entity in entities:
        count += len(text[start : entity.start].split())
        start = entity.end
    return count + len(text[start:end].split())


def _are_glued(whole: Article, place: int) -> bool:
    """Whether the last token of a sentence and the first of the next are one."""
    end, begin = whole.sentences[place][1], whole.sentences[place + 1][0]
    left, right = whole.entities[place], whole.entities[place + 1]
    return end == begin and not (left and left[-1].end == end) and not (right and right[0].start == begin)


def _add_instances(
    whole: Article, recipe: BioReadRecipe, screening: Screening[ClozeColumns]
) -> dict[int, int]:
    """Every position's instances; {number of the entity: instances of which it is a candidate}, in their order."""
    windows = Windows(whole)
    uses: dict[int, int] = {}
    for asked in range(recipe.passage_sentences, len(whole.sentences)):
        first = asked - recipe.passage_sentences
        in_passage = [entity for group in whole.entities[first:asked] for entity in group]
        in_question = whole.entities[asked]
        places = {key: place for place, key in enumerate(dict.fromkeys([e.key for e in in_passage]))}
        hidden = list(_hidden(in_question, places, recipe))
        window = windows.at(first, asked, len(places), len(hidden))
        broken = next((rule for rule in rules.WINDOW_RULES if rule(window, recipe)), None)
        if broken is not None:
            for start in [entity.original_start for entity in hidden] or [whole.sentences[asked][0]]:
                screening.drop_instance(f"{whole.id}:{start}", broken.__name__)
            continue
        _add_position(whole, first, asked, in_passage, places, hidden, recipe, screening, uses)
    return uses


def _hidden(in_question: Sequence[Entity], places: dict[str, int], recipe: BioReadRecipe) -> Iterator[Entity]:
    """The mentions that are hidden, each in a question: the first of every shared entity, or all of them."""
    seen: set[str] = set()
    for entity in in_question:
        if entity.key in places and (recipe.per == "mention" or entity.key not in seen):
            seen.add(entity.key)
            yield entity


def _add_position(
    whole: Article,
    first: int,
    asked: int,
    in_passage: Sequence[Entity],
    places: dict[str, int],
    hidden: Sequence[Entity],
    recipe: BioReadRecipe,
    screening: Screening[ClozeColumns],
    uses: dict[int, int],
) -> None:
    columns = screening.columns
    begin, end = whole.sentences[first][0], whole.sentences[asked - 1][1]
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
    numbers: list[int] | None = None
    in_question = whole.entities[asked]
    for answer in hidden:
        others = [entity for entity in in_question if entity is not answer]
        if rules.answer_visible_in_question(answer.key, [entity.key for entity in others], recipe):
            screening.drop_instance(f"{whole.id}:{answer.original_start}", "answer_visible_in_question")
            continue
        if numbers is None:
            numbers = [screening.number(key, e.type, e.identifier) for key, e in firsts.items()]
        for number in numbers:
            uses[number] = uses.get(number, 0) + 1
        place = places[answer.key]
        columns.add_row(
            f"{whole.id}:{answer.original_start}",
            whole.id,
            "",
            passage,
            _question(whole, asked, answer),
            place,
            list(dict.fromkeys((answer.surface, *listed[place]))),
            (f"{SECTION}{whole.labels[asked]}",),
        )
        columns.mentions.add(starts, ends, candidates)
        columns.question_mentions.add(*_moved(whole, asked, answer, others, places, screening, uses))
        columns.candidates.add([*places], [e.type for e in firsts.values()], numbers, listed)


def _question(whole: Article, asked: int, answer: Entity) -> str:
    start, end = whole.sentences[asked]
    return whole.text[start : answer.start] + PLACEHOLDER + whole.text[answer.end : end]


def _moved(
    whole: Article,
    asked: int,
    answer: Entity,
    others: Sequence[Entity],
    places: dict[str, int],
    screening: Screening[ClozeColumns],
    uses: dict[int, int],
) -> tuple[list[int], list[int], list[int]]:
    """Starts, ends and candidates of the question's other mentions, as they stand once XXXX is in it."""
    begin = whole.sentences[asked][0]
    shift = len(PLACEHOLDER) - (answer.end - answer.start)
    moves = [(shift if entity.start >= answer.end else 0) - begin for entity in others]
    starts = [entity.start + move for entity, move in zip(others, moves, strict=True)]
    ends = [entity.end + move for entity, move in zip(others, moves, strict=True)]
    of_each: list[int] = []
    for entity in others:
        place = places.get(entity.key)
        if place is None:
            number = screening.number(entity.key, entity.type, entity.identifier)
            uses.setdefault(number, 0)
            place = outside(number)
        of_each.append(place)
    return starts, ends, of_each


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
