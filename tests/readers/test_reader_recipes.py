"""The recipes of the papers' baselines name readers that exist, with options that they take."""

from __future__ import annotations

from collections.abc import Callable

from tests.rows import each_row

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.readers import ALIASES, READERS
from anagnosis.readers.predict import make_reader
from anagnosis.recipes import load as recipes

# paper's name → recipe, published accuracy in percent (train, dev, test; BioRead: dev, test), options
PUBLISHED = {
    "biomrc:BASE1": ("biomrc-first-entity", (37.58, 36.38, 37.63), {}),
    "biomrc:BASE2": ("biomrc-last-entity", (22.50, 23.10, 21.73), {}),
    "biomrc:BASE3": ("biomrc-most-frequent-entity", (10.03, 10.02, 10.53), {}),
    "biomrc:BASE3+": ("biomrc-most-frequent-unless-alone", (44.05, 43.28, 44.29), {}),
    "biomrc:BASE4": ("biomrc-neighbour-overlap", (56.48, 57.36, 56.50), {"n": 3, "counting": "set"}),
    "bioread:BASE1": ("bioread-most-frequent-entity", (26.86, 28.87), {}),
    "bioread:BASE2": ("bioread-first-entity", (8.14, 9.38), {}),
    "bioread:BASE3": ("bioread-last-entity", (16.48, 17.28), {}),
    "bioread:BASE4": ("bioread-ngram-occurrences", (40.10, 37.20), {"n": 2}),
}


@each_row("paper_name", PUBLISHED)
def test_a_recipe_holds_the_papers_reader_numbers_and_results(
    paper_name: str, replaced: Callable[..., ClozeInstance]
) -> None:
    name, published, options = PUBLISHED[paper_name]
    recipe = recipes.load(name)
    splits = ("train", "dev", "test")[-len(published) :]
    assert recipe == {
        "reader": ALIASES[paper_name],
        **options,
        "expected": dict(zip(splits, published, strict=True)),
    }
    reader = make_reader(recipe["reader"], recipe, training=lambda: ())
    assert len(reader(replaced("@entity1 @entity2", "XXXX of a kind"))) == 2


def test_every_alias_with_its_paper_has_a_recipe() -> None:
    # tests/recipes/published_cells.tsv holds those of CliCR, whose Table 4 has no accuracy.
    assert set(PUBLISHED) == {alias for alias in ALIASES if ":" in alias and not alias.startswith("clicr:")}
    for alias in (alias for alias in ALIASES if alias.startswith("clicr:")):
        assert recipes.load(alias.replace(":", "-"))["reader"] == ALIASES[alias]
    assert {recipes.load(name)["reader"] for name, *_ in PUBLISHED.values()} <= set(READERS)
