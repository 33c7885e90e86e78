"""The recipes of the papers' baselines name readers that exist, with options that they take."""

from __future__ import annotations

from collections.abc import Callable

from tests.rows import each_row

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.readers import ALIASES, READERS
from anagnosis.readers.predict import make_reader
from anagnosis.recipes import load as recipes

# paper's name → recipe, options
PUBLISHED = {
    "biomrc:BASE1": ("biomrc-first-entity", {}),
    "biomrc:BASE2": ("biomrc-last-entity", {}),
    "biomrc:BASE3": ("biomrc-most-frequent-entity", {}),
    "biomrc:BASE3+": ("biomrc-most-frequent-unless-alone", {}),
    "biomrc:BASE4": ("biomrc-neighbour-overlap", {"n": 3}),
    "bioread:BASE1": ("bioread-most-frequent-entity", {}),
    "bioread:BASE2": ("bioread-first-entity", {}),
    "bioread:BASE3": ("bioread-last-entity", {}),
    "bioread:BASE4": ("bioread-ngram-occurrences", {"n": 2}),
}


@each_row("paper_name", PUBLISHED)
def test_a_recipe_holds_the_papers_reader_with_its_options(
    paper_name: str, replaced: Callable[..., ClozeInstance]
) -> None:
    name, options = PUBLISHED[paper_name]
    recipe = recipes.load(name)
    assert recipe == {"reader": ALIASES[paper_name], **options}
    reader = make_reader(recipe["reader"], recipe, training=lambda: ())
    assert len(reader(replaced("@entity1 @entity2", "XXXX of a kind"))) == 2


def test_every_alias_with_its_paper_has_a_recipe() -> None:
    assert set(PUBLISHED) == {alias for alias in ALIASES if ":" in alias and not alias.startswith("clicr:")}
    for alias in (alias for alias in ALIASES if alias.startswith("clicr:")):
        assert recipes.load(alias.replace(":", "-"))["reader"] == ALIASES[alias]
    assert {recipes.load(name)["reader"] for name, *_ in PUBLISHED.values()} <= set(READERS)
