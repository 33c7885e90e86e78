"""The docs name everything that a user can meet: formats, readers, measures, options, recipe keys, counters, rules."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

import click
from tests.rows import each_row

from anagnosis.cli import COMMANDS, cli
from anagnosis.datasets import DATASETS
from anagnosis.datasets.biomrc import build
from anagnosis.datasets.biomrc.rules import BioMRCRecipe
from anagnosis.datasets.bioread import build as bioread
from anagnosis.datasets.bioread.article import BioReadRecipe
from anagnosis.datasets.clicr import build as clicr
from anagnosis.datasets.clicr.report import CliCRRecipe
from anagnosis.documents import bibliography, offsets
from anagnosis.documents.formats import FORMATS
from anagnosis.evaluation.measures import MEASURES
from anagnosis.evaluation.retrieval import RETRIEVAL_MEASURES
from anagnosis.evaluation.retrieval.judgements import RETRIEVAL_PROBLEMS
from anagnosis.labelling import SHEET_KINDS
from anagnosis.predictions import PROBLEMS
from anagnosis.readers import READERS
from anagnosis.recipes import load as recipes

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "anagnosis"


def page(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text("utf-8")


def counters() -> set[str]:
    """Every name under which the source counts a repair."""
    found: set[str] = set()
    for file in SOURCE.rglob("*.py"):
        text = file.read_text("utf-8")
        found |= set(re.findall(r'repairs\.count\(\s*"([a-z_0-9]+)"', text))
    return found


def fields(record: str) -> set[str]:
    """The names in the JSON of a record."""
    described = json.loads((ROOT / "docs" / "schemas" / f"{record}.json").read_text("utf-8"))
    return {name for each in described["$defs"].values() for name in each.get("properties", {})}


@each_row(
    ("names", "where"),
    [
        (FORMATS, "formats"),
        (READERS, "readers"),
        (MEASURES, "measures"),
        (PROBLEMS, "measures"),
        (RETRIEVAL_MEASURES, "search_evaluation"),
        (RETRIEVAL_PROBLEMS, "search_evaluation"),
        (DATASETS, "recipes"),
        (SHEET_KINDS, "glossary"),
        (fields("results"), "glossary"),
        (build.RULES, "receipts"),
        (build.BUILDER.instance_rules, "receipts"),
        (counters(), "receipts"),
        (bibliography.COUNTED, "receipts"),
        (offsets.COUNTED, "receipts"),
        (bioread.RULES, "receipts"),
        (bioread.BUILDER.instance_rules, "receipts"),
        (clicr.RULES, "receipts"),
        (clicr.INSTANCE_RULES, "receipts"),
        (CliCRRecipe.__struct_fields__, "clicr"),
        (BioMRCRecipe.__struct_fields__, "recipes"),
        (BioReadRecipe.__struct_fields__, "bioread"),
        (recipes.names(), "recipes"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_page_names_all_of_them(names: Iterable[str], where: str) -> None:
    text = page(where)
    missing = [
        name for name in names if f"`{name}`" not in text and name not in re.findall(r"[\w.+-]+", text)
    ]
    assert not missing, f"docs/{where}.md does not name {', '.join(sorted(missing))}"


@each_row("name", COMMANDS)
def test_every_option_is_on_the_commands_page(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    text = page("commands")
    for parameter in command.params:
        for option in parameter.opts:
            if option.startswith("--"):
                assert option in text
