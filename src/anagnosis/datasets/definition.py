"""Definition of a dataset: its title, its source, and the module that builds it.

    DEFINITION = DatasetDefinition(
        title="BioMRC", what="Cloze questions …", citation="…", builder="anagnosis.datasets.biomrc.build:BUILDER",
    )

A dataset without a bundled recipe has its recipe's defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from anagnosis import registry
from anagnosis.datasets import DATASETS
from anagnosis.datasets.published_sets import PublishedSets
from anagnosis.documents.io.blocks import BLOCK
from anagnosis.errors import InputError

GROUP = "anagnosis.datasets"


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    """What makes a dataset. recipe: the class of its recipe (a msgspec.Struct).

    From documents: `judge(document, recipe, screening)` puts the instances of a document into the columns that
    `columns()` made, or drops it (build/screening.py). rules, instance_rules: their names, in the order of counting.
    choices: what the receipt states beside the recipe. needs: what documents must have, for the error of a build
    without an instance. version: gives a document's, 0 for the notice that it was deleted, where documents have
    versions. dated: the documents carry their dates. takes_records: of PubTator `judge` gets the `Record`, whose rows
    are still text. whole_articles: it gets full texts with reference lists, not titles and abstracts alone.
    takes_terms: where the user names vocabularies, it gets a `Synonyms` as fourth argument. block_bytes: how much text
    a worker gets at a time. The recipe has the keys `split`, `split_weights`, `seed`, `since` and `drop_repeated_text`.

    From other files: `make(paths, recipe) -> Imported` (export/layouts.py), whose recipe has further keys.
    """

    recipe: type[Any]
    judge: Callable[..., None] | None = None
    columns: Callable[[], Any] | None = None
    make: Callable[..., Any] | None = None
    rules: tuple[str, ...] = ()
    instance_rules: tuple[str, ...] = ()
    choices: Callable[[Any], dict[str, Any]] = lambda recipe: {}
    needs: str = ""
    version: Callable[[Any], int] | None = None
    dated: bool = False
    takes_records: bool = False
    whole_articles: bool = False
    takes_terms: bool = False
    block_bytes: int = BLOCK


@dataclass(frozen=True, slots=True)
class DatasetDefinition:
    """title: on the card of a folder. what: one line for the list of datasets. citation: a sentence for the card.

    builder: "module:attribute", "" for a dataset that is only imported. next_command: what to try on a built
    folder, with {out}, {split} and {vectors}, a file of word vectors. layout: of the authors' files, "" for the
    usual one of its kind.
    published: "module:PUBLISHED" of the sizes of its published sets (published_sets.py), "" for a dataset without.
    measures: its paper's measures beside those of its kind, by which a leaderboard ranks too.
    """

    title: str
    what: str
    citation: str = ""
    builder: str = ""
    next_command: str = "anagnosis export {out} --out out/"
    layout: str = ""
    published: str = ""
    measures: tuple[str, ...] = ()

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


def published_by(name: str) -> PublishedSets | None:
    """The published sets of a dataset; None of one that has none."""
    path = definition_of(name).published
    return registry.referenced(path) if path else None


def datasets_with_sets() -> list[str]:
    """The datasets that have published sets, ours first; a foreign package that does not load is left out."""
    return [name for name, each in _loadable(registry.known(DATASETS, GROUP)).items() if each.published]


def _loadable(names: Iterable[str]) -> dict[str, DatasetDefinition]:
    """The definitions of these names that load."""
    found: dict[str, DatasetDefinition] = {}
    for name in names:
        with suppress(InputError):
            found[name] = named(name)
    return found


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
