"""Definition of a dataset: its title, its source, and the module that builds it.

    DEFINITION = DatasetDefinition(
        title="BioMRC", what="Cloze questions …", citation="…", builder="anagnosis.datasets.biomrc.build:BUILDER",
    )

A dataset without a bundled recipe has its recipe's defaults.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from anagnosis import registry
from anagnosis.datasets import DATASETS
from anagnosis.documents.formats.pubtator import BLOCK
from anagnosis.errors import InputError

GROUP = "anagnosis.datasets"


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    """What makes a dataset: `judge` and `columns` from documents, or `make` from other files.

    The recipe of the former has the keys `split`, `split_weights`, `seed`, `since` and `drop_repeated_text`.
    """

    recipe: type[Any]  # a msgspec.Struct
    # (document, recipe, screening): puts its instances into what `columns()` made, or drops it (build/screening.py)
    judge: Callable[..., None] | None = None
    columns: Callable[[], Any] | None = None
    # (paths, recipe) → Imported (export/layouts.py), whose recipe has further keys
    make: Callable[..., Any] | None = None
    rules: tuple[str, ...] = ()  # their names, in the order of counting
    instance_rules: tuple[str, ...] = ()
    choices: Callable[[Any], dict[str, Any]] = lambda recipe: {}  # what the receipt states beside the recipe
    version: Callable[[Any], int] | None = None  # a document's, 0 for the notice that it was deleted
    dated: bool = False  # the documents carry their dates
    takes_records: bool = False  # of PubTator `judge` gets the `Record`, whose rows are still text
    whole_articles: bool = False  # it gets full texts, not titles and abstracts alone
    takes_terms: bool = False  # where the user names vocabularies, it gets a `Synonyms` as fourth argument
    block_bytes: int = BLOCK  # how much text a worker gets at a time


@dataclass(frozen=True, slots=True)
class DatasetDefinition:
    """What a dataset is, where its rules are, and what goes with it."""

    title: str  # on the card of a folder
    what: str  # one line for the list of datasets
    citation: str = ""  # a sentence for the card
    builder: str = ""  # "module:attribute", "" for a dataset that is only imported
    layout: str = ""  # of the authors' files, "" for the usual one of its kind
    measures: tuple[str, ...] = ()  # its paper's, beside those of its kind, by which a leaderboard ranks too

    def built_by(self, name: str) -> Builder:
        """The builder; refuses (InputError) a dataset that nothing builds."""
        if not self.builder:
            remedy = f"import its files: `anagnosis import FILE --layout {name} --out FOLDER`"
            raise InputError(f"no rules build {name} from papers", "", remedy)
        return registry.referenced(self.builder)


def named(name: str) -> DatasetDefinition:
    """The definition of that name, ours or another package's."""
    definition = registry.find(DATASETS, name, "dataset", group=GROUP)
    if not isinstance(definition, DatasetDefinition):
        what = f"the dataset {name!r} has no DatasetDefinition"
        raise InputError(what, GROUP, "update or remove that package")
    return definition


def definition_of(name: str) -> DatasetDefinition:
    """The definition of a dataset; of one that nobody defines only its name as the title."""
    return named(name) if registry.is_known(DATASETS, GROUP, name) else DatasetDefinition(name, "")


def described() -> dict[str, str]:
    """Name → what each dataset is; the fault in place of a foreign package that does not load."""
    lines: dict[str, str] = {}
    for name in registry.known(DATASETS, GROUP):
        try:
            definition = named(name)
        except InputError as fault:
            lines[name] = fault.what
        else:
            lines[name] = definition.what if definition.builder else f"{definition.what} (imported)"
    return lines
