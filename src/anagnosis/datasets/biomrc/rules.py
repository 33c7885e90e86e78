"""The rules of BioMRC, section 2, one function each, in the paper's order.

A rule answers yes (the article, or the instance, is dropped) or no; it never counts and never changes anything.
The first rule of `TEXT_RULES` and then of `MENTION_RULES` that says yes names the drop in the receipt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from anagnosis.datasets.build.resolving import RULES_OF_THE_WHOLE
from anagnosis.datasets.splits import Since, SplitWeights, refuse_other_than_dates
from anagnosis.documents.document import Mention
from anagnosis.language.sentences import has_at_least
from anagnosis.recipes.load import Count, Seed
from anagnosis.word_vectors.namespaces import candidate_key, folded, is_composite

# A pseudo-identifier or placeholder that the text holds by itself could not be distinguished from ours.
_RESERVED = re.compile(r"XXXX|@entity\d")

# Asked after these: of an article's instances, and of the whole input once all of it is known.
INSTANCE_RULES = ("answer_most_frequent", "answer_visible_in_question")
ARTICLE_RULES_AFTER = ("no_instance_left", *RULES_OF_THE_WHOLE)


class Article(msgspec.Struct, frozen=True, gc=False):
    """What the rules see of a document.

    Mentions are ordered by start; offsets: characters of title + newline + abstract. title_keys, abstract_keys: the
    candidate key of each mention, empty where it is linked to nothing.
    """

    id: str
    title: str
    abstract: str
    in_title: Sequence[Mention] = ()
    in_abstract: Sequence[Mention] = ()
    title_keys: Sequence[str] = ()
    abstract_keys: Sequence[str] = ()


class BioMRCRecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lengths of titles and abstracts are characters or tokens as the key says; see recipes/biomrc.toml."""

    minimum_title_characters: Count = 15
    maximum_title_tokens: Count = 60
    minimum_abstract_characters: Count = 100
    minimum_sentences: Count = 10
    sentences: str = "fast"
    minimum_mentions: Count = 5
    minimum_identifiers: Count = 2
    maximum_identifiers: Count = 20
    drop_most_frequent_answer: bool = True
    drop_visible_answer: bool = False
    drop_repeated_text: bool = False
    fold_identifiers: bool = False
    split: Literal["head", "document", "date"] = "head"
    split_weights: SplitWeights = SplitWeights(700_000, 50_000, 62_707)
    seed: Seed = 0
    since: Since = ""

    def __post_init__(self) -> None:
        refuse_other_than_dates(self.since)


Rule = Callable[[Article, BioMRCRecipe], bool]


def title_too_short(article: Article, recipe: BioMRCRecipe) -> bool:
    """Section 2: titles shorter than 15 characters."""
    return len(article.title) < recipe.minimum_title_characters


def title_too_long(article: Article, recipe: BioMRCRecipe) -> bool:
    """Section 2: titles longer than 60 tokens (white space)."""
    # n tokens need at least 2n - 1 characters, so most titles need no splitting.
    limit = recipe.maximum_title_tokens
    return len(article.title) > 2 * limit and len(article.title.split()) > limit


def no_abstract(article: Article, recipe: BioMRCRecipe) -> bool:
    """Section 2: articles without abstracts."""
    return not article.abstract or article.abstract.isspace()


def abstract_too_short(article: Article, recipe: BioMRCRecipe) -> bool:
    """Section 2: abstracts shorter than 100 characters."""
    return len(article.abstract) < recipe.minimum_abstract_characters


def too_few_sentences(article: Article, recipe: BioMRCRecipe) -> bool:
    """Section 2: abstracts of fewer than 10 sentences."""
    return not has_at_least(article.abstract, recipe.minimum_sentences, recipe.sentences)


def too_few_mentions(article: Article, recipe: BioMRCRecipe) -> bool:
    """Section 2: abstracts with fewer than 5 entity annotations."""
    return len(article.in_abstract) < recipe.minimum_mentions


def too_few_identifiers(article: Article, recipe: BioMRCRecipe) -> bool:
    """Section 2: fewer than 2 distinct identifiers in the abstract."""
    return len(distinct_identifiers(article)) < recipe.minimum_identifiers


def too_many_identifiers(article: Article, recipe: BioMRCRecipe) -> bool:
    """Section 2: more than 20 distinct identifiers in the abstract."""
    return len(distinct_identifiers(article)) > recipe.maximum_identifiers


def unlinked_mention(article: Article, recipe: BioMRCRecipe) -> bool:
    """Section 2: entities not linked to any of the ontologies, in title or abstract."""
    return "" in article.title_keys or "" in article.abstract_keys


def composite_mention(article: Article, recipe: BioMRCRecipe) -> bool:
    """Section 2: entities with multiple ids, in title or abstract."""
    return any(is_composite(m.type, m.identifier) for m in (*article.in_title, *article.in_abstract))


def overlapping_mentions(article: Article, recipe: BioMRCRecipe) -> bool:
    """Section 2: entities whose spans overlap with those of others, in title or abstract."""
    neighbours = (*pairwise(article.in_title), *pairwise(article.in_abstract))
    return any(b.spans[0][0] < a.spans[-1][1] for a, b in neighbours)


def discontinuous_mention(article: Article, recipe: BioMRCRecipe) -> bool:
    """Not in the paper (PubTator has none): a mention of several spans cannot become one token."""
    return any(len(m.spans) > 1 for m in (*article.in_title, *article.in_abstract))


def no_entity_in_title(article: Article, recipe: BioMRCRecipe) -> bool:
    """Section 2: articles with no entities in their titles."""
    return not article.in_title


def no_shared_entity(article: Article, recipe: BioMRCRecipe) -> bool:
    """Section 2: articles with no entities shared by the title and abstract."""
    return distinct_identifiers(article).isdisjoint(article.title_keys)


def reserved_word_in_text(article: Article, recipe: BioMRCRecipe) -> bool:
    """Not in the paper: the text itself holds XXXX or an @entityN."""
    return bool(_RESERVED.search(article.title) or _RESERVED.search(article.abstract))


TEXT_RULES: tuple[Rule, ...] = (
    title_too_short,
    title_too_long,
    no_abstract,
    abstract_too_short,
    too_few_sentences,
)
MENTION_RULES: tuple[Rule, ...] = (
    too_few_mentions,
    too_few_identifiers,
    too_many_identifiers,
    unlinked_mention,
    composite_mention,
    overlapping_mentions,
    discontinuous_mention,
    no_entity_in_title,
    no_shared_entity,
    reserved_word_in_text,
)


def answer_most_frequent(answer: int, frequencies: Sequence[int]) -> bool:
    """Section 2: the answer is the only most frequent entity of the abstract.

    frequencies: mentions in the abstract of each candidate. If several share the top, the instance stays.
    """
    top = max(frequencies)
    return frequencies[answer] == top and frequencies.count(top) == 1


def answer_visible_in_question(answer: int, others: Sequence[int]) -> bool:
    """Strict only: the answer's entity stands a second time in the question.

    others: the candidates of the title's other mentions.
    """
    return answer in others


def key(mention: Mention, recipe: BioMRCRecipe) -> str:
    """The candidate key of a mention's entity; empty where it is linked to nothing."""
    if not mention.identifier:
        return ""
    if recipe.fold_identifiers:
        return candidate_key(mention.type, folded(mention.type, mention.identifier))
    return candidate_key(mention.type, mention.identifier)


def distinct_identifiers(article: Article) -> set[str]:
    """The keys of the abstract's candidates: pairs of namespace and identifier, unlinked mentions left out.

    So 9606 as gene and as species is two; design/biomrc.md has the reason.
    """
    return set(article.abstract_keys) - {""}
