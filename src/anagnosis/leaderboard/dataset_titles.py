"""What a board calls its datasets: as its maintainer does (`TITLE=FOLDER`), else by their own names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from anagnosis.datasets.definition import definition_of
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.io.input_files import display_names
from anagnosis.io.paths import PathLike
from anagnosis.showing import masked_line

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
