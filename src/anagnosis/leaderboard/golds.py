"""The datasets of a board, to which of their splits a predictions file belongs, and what the board calls them.

A dataset is called as its maintainer does (`TITLE=FOLDER`), else by its own name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from anagnosis.datasets.definition import definition_of
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.fingerprint import short
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold, Ids, ids_of
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.results import Settings
from anagnosis.io.input_files import display_names
from anagnosis.io.paths import PathLike
from anagnosis.showing import masked_line
from anagnosis.wording import counted

SplitKey = tuple[int, str]  # of a dataset among those of the board, and a split


@dataclass(frozen=True)
class Golds:
    """Datasets with the gold side of each split, read when first asked for.

    measures: names, by which all are scored that they judge; empty: the usual ones of what the lines hold, and those of
    the dataset's paper.
    """

    datasets: tuple[Dataset, ...]
    measures: tuple[str, ...] = ()
    _golds: dict[SplitKey, Gold] = field(default_factory=dict[SplitKey, Gold])

    @cached_property
    def ids(self) -> dict[SplitKey, Ids]:
        """(place of the dataset, split) → its ids."""
        return {
            (place, split): ids_of(dataset, split)
            for place, dataset in enumerate(self.datasets)
            for split in dataset.sizes
        }

    @cached_property
    def fingerprints(self) -> dict[str, SplitKey]:
        """Fingerprint → the first dataset and split that has it."""
        found: dict[str, SplitKey] = {}
        for place, dataset in enumerate(self.datasets):
            for split in dataset.sizes:
                found.setdefault(store.fingerprint(dataset, split), (place, split))
        return found

    def called(self, place: int, split: str) -> str:
        """A dataset and split in messages; empty where the place is none."""
        return f"{self.datasets[place].folder.resolve().name} {split}" if place >= 0 else ""

    def named_measures(self, place: int) -> tuple[str, ...]:
        """Of the measures asked for those that judge the dataset; where none was asked for, those of its paper."""
        dataset = self.datasets[place]
        if not self.measures:
            return definition_of(dataset.name).measures
        kind = dataset.kind
        return tuple(
            name for name in self.measures if kind.name in named(name).kinds or name in kind.measures
        )

    def gold(self, place: int, split: str) -> Gold:
        """The gold side of a split, with the texts that its measures read."""
        if (place, split) not in self._golds:
            dataset = self.datasets[place]
            chosen = not self.measures and bool(dataset.kind.free_protocols)
            free = chosen or Settings.on(dataset, measures=self.named_measures(place)).free
            self._golds[place, split] = Gold.of(dataset, split, tokens=True, free=free)
        return self._golds[place, split]

    def elsewhere(self, place: int, split: str) -> Mapping[str, Ids]:
        """The ids of the dataset's other splits."""
        return {other: ids for (own, other), ids in self.ids.items() if own == place and other != split}

    def place_of(self, ids: Sequence[str], made_for: Sequence[str], where: str) -> SplitKey:
        """The dataset and split of a file whose first lines have these ids, and are made for these fingerprints.

        Refused (InputError): none or several fit.
        """
        known = {self.fingerprints[each] for each in made_for if each in self.fingerprints}
        if len(known) == 1:
            return next(iter(known))
        if made_for and not known:
            raise InputError(
                f"made for another dataset or split ({short(made_for[0])}; here: {self._listed()})",
                where,
                "predict on the dataset of this board",
            )
        counts = {key: int((index.rows(ids) >= 0).sum()) for key, index in self.ids.items()}
        most = max(counts.values(), default=0)
        best = [key for key, count in counts.items() if count == most]
        if not most:
            what = f"none of its ids is in a dataset of this board (the first is {ids[0][:80]!r})"
            raise InputError(what, where, "predict on the dataset of this board")
        if len(best) > 1:
            listed = ", ".join(self.called(*each) for each in best)
            what = f"its ids lie in several splits ({listed})"
            raise InputError(what, where, 'write the fingerprint of one into each line, as "dataset"')
        return best[0]

    def _listed(self) -> str:
        shown = [
            f"{self.called(place, split)} {short(each)}" for each, (place, split) in self.fingerprints.items()
        ]
        return ", ".join(shown[:6]) + (f" and {counted(len(shown) - 6, 'more')}" if len(shown) > 6 else "")


LONGEST = 80
_OPTION = "--gold"


def title_and_folder(given: PathLike | Dataset) -> tuple[str, PathLike | Dataset]:
    """(title, folder) of `TITLE=FOLDER`, where the title is empty in any other argument.

    A path that exists is that path, also with `=` in it. Refused (InputError): a title that is no visible line.
    """
    if not isinstance(given, str) or "=" not in given or Path(given).exists():
        return "", given
    title, _, folder = given.partition("=")
    if "/" in title:
        return "", given
    if not title.isprintable() or not title.strip() or len(title) > LONGEST:
        what = f"a title is one visible line of 1 to {LONGEST} characters"
        raise InputError(what, f"{_OPTION} {masked_line(given)}", "write TITLE=FOLDER")
    return title, folder


def dataset_titles(datasets: Sequence[Dataset], given: Sequence[str] = ()) -> list[str]:
    """A title for each dataset, all different. given: those of the maintainer, empty where there is none.

    The others have the title of what they are (`BioMRC`), with the folder where two are the same (`BioMRC (lite)`).
    Refused (InputError): a title twice.
    """
    given = given or [""] * len(datasets)
    usual = [
        title or masked_line(definition_of(dataset.name).title)
        for title, dataset in zip(given, datasets, strict=True)
    ]
    folders = display_names([dataset.folder.resolve() for dataset in datasets])
    titles = [
        title if own or usual.count(title) == 1 else f"{title} ({folder})"
        for own, title, folder in zip(given, usual, folders, strict=True)
    ]
    for title in titles:
        if titles.count(title) > 1:
            raise InputError(
                f"two datasets have the title {title!r}", _OPTION, "give each its own: TITLE=FOLDER"
            )
    return titles
