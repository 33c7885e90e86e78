"""What there is, by name."""

from __future__ import annotations

from tests.rows import each_row

from anagnosis import api


@each_row(
    ("table", "name", "what"),
    [
        ("formats", "pubtator", "PubTator text"),
        ("datasets", "biomrc", "BioMRC"),
        ("readers", "neighbour-overlap", "BASE4: "),
        ("measures", "accuracy", "right answer"),
        ("retrieval_measures", "ndcg", "best order"),
        (
            "recipes",
            "biomrc-strict",
            "BioMRC without repeated texts, visible answers and identifiers spelled in two ways.",
        ),
    ],
)
def test_each_table_says_what_a_name_is_in_one_line(table: str, name: str, what: str) -> None:
    described = api.described(table)
    assert what in described[name]
    assert all(line and "\n" not in line for line in described.values())


def test_a_recipe_is_data_or_its_text() -> None:
    assert api.recipe("biomrc-demo")["split_weights"] == {"train": 55, "dev": 15, "test": 30}
    assert api.recipe_text("biomrc-demo").startswith("# BioMRC's rules with larger dev and test parts")
