"""The rules of BioMRC, section 2, by name, in the paper's order.

A rule answers yes (the article, or the instance, is dropped) or no; it never counts and never changes anything.
The first rule of `TEXT_RULES` and then of `MENTION_RULES` that says yes names the drop in the receipt.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from anagnosis.datasets.build.resolving import RULES_OF_THE_WHOLE
from anagnosis.datasets.splits import Since, SplitWeights, refuse_other_than_dates
from anagnosis.documents.document import Mention
from anagnosis.language.sentences import has_at_least
from anagnosis.recipes.load import Count, Seed
from anagnosis.word_vectors.namespaces import candidate_key, folded, is_composite, namespace

# What the limits of 2 and 20 count, as the receipt states it; design/biomrc.md has the reasons.
DISTINCT_IDENTIFIERS = {
    "with-type": "pairs of type and identifier: the candidates",
    "alone": "identifiers, of whatever types",
}

# A pseudo-identifier or placeholder that the text holds by itself could not be distinguished from ours.
_RESERVED = re.compile(r"XXXX|@entity\d")

# Asked after these: of an article's instances, and of the whole input once all of it is known.
INSTANCE_RULES = ("answer_most_frequent", "answer_visible_in_question")
ARTICLE_RULES_AFTER = ("no_instance_left", *RULES_OF_THE_WHOLE)
_Treatment = Literal["drop-article", "leave-out"]


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
    distinct_identifiers: Literal["with-type", "alone"] = "with-type"
    on_unlinked: _Treatment = "drop-article"
    on_composite: _Treatment = "drop-article"
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


# Of title and abstract alone, in section 2's order.
TEXT_RULES: dict[str, Rule] = {
    # Titles shorter than 15 characters.
    "title_too_short": lambda article, recipe: len(article.title) < recipe.minimum_title_characters,
    # Titles longer than 60 tokens (white space); n tokens need at least 2n - 1 characters, so most need no splitting.
    "title_too_long": lambda article, recipe: (
        len(article.title) > 2 * recipe.maximum_title_tokens
        and len(article.title.split()) > recipe.maximum_title_tokens
    ),
    # Articles without abstracts.
    "no_abstract": lambda article, recipe: not article.abstract or article.abstract.isspace(),
    # Abstracts shorter than 100 characters.
    "abstract_too_short": lambda article, recipe: len(article.abstract) < recipe.minimum_abstract_characters,
    # Abstracts of fewer than 10 sentences.
    "too_few_sentences": lambda article, recipe: (
        not has_at_least(article.abstract, recipe.minimum_sentences, recipe.sentences)
    ),
}
# Of the mentions; the paper drops articles for what stands in title or abstract.
MENTION_RULES: dict[str, Rule] = {
    # Abstracts with fewer than 5 entity annotations.
    "too_few_mentions": lambda article, recipe: len(article.in_abstract) < recipe.minimum_mentions,
    # Fewer than 2 distinct identifiers in the abstract, or more than 20.
    "too_few_identifiers": lambda article, recipe: (
        identifier_count(article, recipe) < recipe.minimum_identifiers
    ),
    "too_many_identifiers": lambda article, recipe: (
        identifier_count(article, recipe) > recipe.maximum_identifiers
    ),
    # Entities not linked to any of the ontologies.
    "unlinked_mention": lambda article, recipe: "" in article.title_keys or "" in article.abstract_keys,
    # Entities with multiple ids.
    "composite_mention": lambda article, recipe: any(
        is_composite(m.type, m.identifier) for m in (*article.in_title, *article.in_abstract)
    ),
    # Entities whose spans overlap with those of others.
    "overlapping_mentions": lambda article, recipe: any(
        b.spans[0][0] < a.spans[-1][1]
        for a, b in (*pairwise(article.in_title), *pairwise(article.in_abstract))
    ),
    # Not in the paper (PubTator has none): a mention of several spans cannot become one token.
    "discontinuous_mention": lambda article, recipe: any(
        len(m.spans) > 1 for m in (*article.in_title, *article.in_abstract)
    ),
    # Articles with no entities in their titles.
    "no_entity_in_title": lambda article, recipe: not article.in_title,
    # Articles with no entities shared by the title and abstract.
    "no_shared_entity": lambda article, recipe: distinct_identifiers(article).isdisjoint(article.title_keys),
    # Not in the paper: the text itself holds XXXX or an @entityN.
    "reserved_word_in_text": lambda article, recipe: bool(
        _RESERVED.search(article.title) or _RESERVED.search(article.abstract)
    ),
}


def answer_most_frequent(answer: int, frequencies: Sequence[int]) -> bool:
    """Section 2: the answer is the only most frequent entity of the abstract.

    frequencies: mentions in the abstract of each candidate. If several share the top, the instance stays.
    """
    top = max(frequencies)
    return frequencies[answer] == top and frequencies.count(top) == 1


def key(mention: Mention, recipe: BioMRCRecipe) -> str:
    """The candidate key of a mention's entity; empty where it is linked to nothing."""
    if not mention.identifier:
        return ""
    if recipe.fold_identifiers:
        return candidate_key(mention.type, folded(mention.type, mention.identifier))
    return candidate_key(mention.type, mention.identifier)


def left_out(mention: Mention, recipe: BioMRCRecipe) -> bool:
    """Whether the recipe leaves this mention out, instead of dropping its article for it."""
    if not mention.identifier:
        return recipe.on_unlinked == "leave-out"
    return recipe.on_composite == "leave-out" and is_composite(mention.type, mention.identifier)


def distinct_identifiers(article: Article) -> set[str]:
    """The keys of the abstract's candidates: pairs of namespace and identifier, unlinked mentions left out."""
    return set(article.abstract_keys) - {""}


def identifier_count(article: Article, recipe: BioMRCRecipe) -> int:
    """The abstract's distinct identifiers, with or without their types as the recipe says."""
    if recipe.distinct_identifiers == "with-type":
        return len(distinct_identifiers(article))
    return len(_times(article.in_abstract, article.abstract_keys))


def identifiers_of_several_types(article: Article) -> int:
    """How many identifiers stand in title and abstract under more than one namespace, as 9606 of gene and species."""
    mentions, keys = (*article.in_title, *article.in_abstract), (*article.title_keys, *article.abstract_keys)
    return sum(count > 1 for count in _times(mentions, keys).values())


def _times(mentions: Sequence[Mention], keys: Sequence[str]) -> Counter[str]:
    """Identifier → the namespaces that it stands under."""
    of_key = {key: mention.type for mention, key in zip(mentions, keys, strict=True) if key}
    return Counter([key[len(namespace(kind)) + 1 :] for key, kind in of_key.items()])
