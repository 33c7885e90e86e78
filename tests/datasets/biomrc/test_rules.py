"""Every rule of BioMRC, through the screen of a build: each number from both sides, and the order of asking."""

from __future__ import annotations

from typing import Any

import pytest
from tests.articles import TITLE, abstract, article, drug, questions, screened

from anagnosis.datasets.biomrc import build, rules
from anagnosis.datasets.biomrc.rules import BioMRCRecipe
from anagnosis.documents.document import Document, Mention
from anagnosis.documents.repairs import Repairs
from anagnosis.recipes import load as recipes

SHORT = "[[drug 1|Chemical|MESH:D1]] is good"
WORDS = " ".join(["word"] * 57)
UNLINKED = "[[a drug|Chemical|]]"
COMPOSITE = "[[both|Chemical|MESH:D1;MESH:D2]]"
OVERLAP = "[[acute [[pain|Disease|MESH:D8]]|Disease|MESH:D9]]"


def characters(count: int) -> Document:
    """An abstract of that many characters, its sentences not asked for."""
    body = f"{drug(1)} {drug(2)} {drug(2)} {drug(1)} {drug(3)} "
    return article(body=body + "x" * (count - len("drug 1 ") * 5))


def identifiers(count: int) -> Document:
    return article(body=abstract([1, 2, 2, 1, *range(3, count + 1)] if count > 1 else [1] * 5))


# rule → (just not enough or just too much, just right, what the recipe asks otherwise).
BORDERS: dict[str, tuple[Document, Document, dict[str, Any]]] = {
    "title_too_short": (article(SHORT), article(SHORT + "."), {}),
    "title_too_long": (article(f"{drug(1)} of {WORDS} end"), article(f"{drug(1)} of {WORDS}"), {}),
    "no_abstract": (article(body=" "), article(), {}),
    "abstract_too_short": (characters(99), characters(100), {"minimum_sentences": 1}),
    "too_few_sentences": (article(body=abstract(sentences=9)), article(), {}),
    "too_few_mentions": (article(body=abstract([1, 2, 2, 1])), article(body=abstract([1, 2, 2, 1, 3])), {}),
    "too_few_identifiers": (identifiers(1), identifiers(2), {"minimum_mentions": 4}),
    "too_many_identifiers": (identifiers(21), identifiers(20), {}),
    "unlinked_mention": (article(body=abstract([1, 2, 2, 1, 3, UNLINKED])), article(), {}),
    "composite_mention": (article(body=abstract([1, 2, 2, 1, 3, COMPOSITE])), article(), {}),
    "overlapping_mentions": (
        article(body=abstract([1, 2, 2, 1, 3, OVERLAP])),
        article(body=abstract([1, 2, 2, 1, 3, "[[acute|Disease|MESH:D9]] [[pain|Disease|MESH:D8]]"])),
        {},
    ),
    "no_entity_in_title": (article("A trial of ten weeks"), article(), {}),
    "no_shared_entity": (
        article(f"{drug(9)} in a trial of ten weeks"),
        article(f"{drug(9)} or {drug(1)} in a trial"),
        {},
    ),
    "reserved_word_in_text": (
        article(f"{drug(1)} and @entity7 of ten"),
        article(f"{drug(1)} and @entity, XXX"),
        {},
    ),
    "no_instance_left": (
        article(body=abstract([1, 1, 1, 2, 2])),
        article(body=abstract([1, 1, 2, 2, 3])),
        {},
    ),
}

TITLE_PARTS = {
    "unlinked_mention": article(f"{UNLINKED} beside {drug(1)}"),
    "composite_mention": article(f"{COMPOSITE} beside {drug(1)}"),
    "overlapping_mentions": article(f"{OVERLAP} under {drug(1)}"),
    "reserved_word_in_text": article(f"48,XXXX and {drug(1)}"),
}

# Articles that break two rules or more, by the one that is asked first.
FIRST = {
    "title_too_short": article(drug(1), ""),
    "title_too_long": article(f"{drug(1)} {WORDS} of many words", ""),
    "no_abstract": article(body=""),
    "abstract_too_short": article(body=drug(1)),
    "too_few_sentences": article(body=abstract([1, 1, 1], 9)),
    "too_few_mentions": article(body=abstract([1, 1, 1, UNLINKED])),
    "too_few_identifiers": article(body=abstract([1, 1, 1, 1, UNLINKED])),
    "too_many_identifiers": article(body=abstract([*range(1, 22), UNLINKED, COMPOSITE])),
    "unlinked_mention": article(body=abstract([1, 2, 2, 1, COMPOSITE, UNLINKED])),
    "composite_mention": article(body=abstract([1, 2, 2, OVERLAP, COMPOSITE])),
    "overlapping_mentions": article("A trial of ten weeks", abstract([1, 2, 2, 1, OVERLAP])),
    "no_entity_in_title": article("A trial of @entity7 in weeks"),
    "no_shared_entity": article(f"{drug(9)} and @entity7 of ten"),
    "reserved_word_in_text": article("XXXX or " + TITLE, abstract([1, 1, 1, 2, 2])),
}


def verdicts(document: Document, **recipe: Any) -> list[str]:
    return list(screened(document, **recipe).dropped)


@pytest.mark.parametrize("rule", BORDERS)
def test_a_rule_drops_what_lies_beyond_its_number_and_nothing_at_it(rule: str) -> None:
    beyond, right, recipe = BORDERS[rule]
    assert verdicts(beyond, **recipe) == [rule]
    assert verdicts(right, **recipe) == []


def test_the_recipe_spells_out_the_papers_numbers() -> None:
    """Those of the class, which BORDERS has from both sides."""
    spelled_out = recipes.configured(BioMRCRecipe, recipes.load("biomrc"), "biomrc", apart=("dataset",))
    assert spelled_out == BioMRCRecipe(sentences="nupunkt")


@pytest.mark.parametrize("rule", TITLE_PARTS)
def test_what_is_asked_of_title_and_abstract_is_seen_in_the_title_too(rule: str) -> None:
    assert verdicts(TITLE_PARTS[rule]) == [rule]


@pytest.mark.parametrize("rule", FIRST)
def test_the_first_rule_that_says_no_names_the_drop(rule: str) -> None:
    assert verdicts(FIRST[rule]) == [rule]


def test_the_rules_are_asked_in_the_papers_order() -> None:
    asked = [rule.__name__ for rule in (*rules.TEXT_RULES, *rules.MENTION_RULES)]
    assert [rule for rule in asked if rule != "discontinuous_mention"] == list(FIRST)
    assert build.RULES[: len(asked)] == tuple(asked)


@pytest.mark.parametrize(("tokens", "too_long"), [(61, True), (60, False)])
def test_tokens_are_counted_in_a_title_however_short_they_are(tokens: int, too_long: bool) -> None:
    of_letters = rules.Article("1", " ".join("a" * tokens), "")
    of_words = rules.Article("1", " ".join(["word"] * tokens), "")
    assert rules.title_too_long(of_letters, BioMRCRecipe()) is too_long
    assert rules.title_too_long(of_words, BioMRCRecipe()) is too_long


def test_a_mention_of_several_spans_cannot_become_one_token() -> None:
    whole, recipe = article(), BioMRCRecipe()
    apart = Mention(((35, 37), (39, 43)), "We drug", "Chemical", "MESH:D1")
    parted = Document(whole.id, whole.sections, (*whole.mentions, apart))
    assert rules.discontinuous_mention(build.article(parted, "", recipe, Repairs()), recipe)
    assert not rules.discontinuous_mention(build.article(whole, "", recipe, Repairs()), recipe)


@pytest.mark.parametrize(
    ("marks", "dropped"),
    [
        ("[[anti|Chemical|MESH:D3]][[body|Gene|3]]", []),
        ("[[[[pain|Disease|MESH:D8]]|Disease|MESH:D9]]", ["overlapping_mentions"]),
        ("[[V600E|ProteinMutation|p|SUB|V|600|E;Gene:673]]", []),
    ],
    ids=["mentions that touch", "one mention tagged twice", "the bars of a variant"],
)
def test_what_overlaps_and_what_is_composite(marks: str, dropped: list[str]) -> None:
    assert verdicts(article(body=abstract([1, 2, 2, 1, marks]))) == dropped


def test_an_unlinked_mention_counts_as_a_mention_but_not_as_an_identifier() -> None:
    unlinked = article(body=abstract([1, 1, UNLINKED, UNLINKED, UNLINKED]))
    assert verdicts(unlinked) == ["too_few_identifiers"]


def of_two_types(pairs: int) -> Document:
    """An abstract of that many pairs of type and identifier, 3 identifiers of which are a gene's and a family's."""
    twice = [f"[[tns {n}|{kind}|2424{n}]]" for n in range(3) for kind in ("Gene", "FamilyName")]
    return article(body=abstract([1, 2, 2, 1, *range(3, pairs - 5), *twice]))


@pytest.mark.parametrize(("pairs", "dropped"), [(20, []), (21, ["too_many_identifiers"])])
def test_the_upper_limit_counts_what_becomes_a_candidate(pairs: int, dropped: list[str]) -> None:
    document = of_two_types(pairs)
    of_abstract = [m for m in document.mentions if m.start > len(document.title)]
    assert len({m.identifier for m in of_abstract}) == pairs - 3
    found = screened(document)
    assert list(found.dropped) == dropped
    assert [len(question.candidates) for question in questions(found)] == [pairs] * (not dropped)


@pytest.mark.parametrize(("second", "dropped"), [("Gene", []), ("Organism", ["too_few_identifiers"])])
def test_the_lower_limit_counts_what_becomes_a_candidate(second: str, dropped: list[str]) -> None:
    """A second type is a second candidate; a second spelling of one type is none."""
    body = abstract(["[[patients|Species|9606]]", f"[[people|{second}|9606]]"] * 3)
    found = screened(article("[[patients|Species|9606]] in a trial", body))
    assert list(found.dropped) == dropped
    assert [len(question.candidates) for question in questions(found)] == [2] * (not dropped)
