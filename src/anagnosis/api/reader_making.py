"""Verbs that make the fitted readers of `ask` from releases, and show their cards: make_readers, reader_cards."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from anagnosis.api.datasets import import_dataset
from anagnosis.errors import InputError
from anagnosis.outputs import output_folder
from anagnosis.paths import PathLike
from anagnosis.searching.fit.releases import BIOASQ, PUBMEDQA, SCIFACT, SCIFACT_ABSTRACTS, releases

if TYPE_CHECKING:
    from anagnosis.searching.conclusions.stance import StanceWeights
    from anagnosis.searching.entities.ranking import NameWeights

Found = dict[str, list[Path]]


class Making(NamedTuple):
    """How a reader is made. reads: releases; it cannot do without the first. minutes: about, with all of its files.

    make: (releases, a folder for datasets, folder of the reader, date) stores the reader. card: its folder → the card.
    """

    reads: tuple[str, ...]
    minutes: int
    make: Callable[[Found, Path, Path, str], None]
    card: Callable[[Path], dict[str, Any]]


def make_readers(data: PathLike, out: PathLike, *, replace: bool = False) -> None:
    """Make each reader whose release is in the folder `data`, in a folder of its own in `out`.

    A reader that is there stays, unless replace is given; files in `data` that no reader uses are named. Each reader is
    stored whole when it is finished, so that another call continues.
    InputError: no release of any reader, or a folder that is or holds `data`, or is another of ours.
    """
    from anagnosis.progress import tell

    folder = Path(data)
    if not folder.is_dir():
        raise InputError("is no folder", str(data), "name the folder of the releases")
    target = output_folder(out, inputs=[data])
    found = releases(folder)
    wanted = {role: one for role, one in MAKINGS.items() if one.reads[0] in found}
    if not wanted:
        needed = ", ".join(sorted({one.reads[0] for one in MAKINGS.values()}))
        raise InputError(f"no release of {needed} here", str(data), "put their files into it")
    used = {path for one in wanted.values() for release in one.reads for path in found.get(release, ())}
    for path in sorted(set(folder.iterdir()) - used):
        tell(f"{path}: not used")
    missing = {role: one for role, one in wanted.items() if replace or not _holds_a_reader(target / role)}
    for role in wanted.keys() - missing.keys():
        tell(f"{target / role}: stays as it is; --replace makes it again")
    about = sum(one.minutes for one in missing.values())
    tell(f"making {', '.join(missing) or 'no reader'}: about {about} min")
    for role, one in missing.items():
        with TemporaryDirectory(prefix="anagnosis-") as scratch:
            one.make(found, Path(scratch), target / role, datetime.now(UTC).date().isoformat())


def _holds_a_reader(place: Path) -> bool:
    """Whether a reader was stored there: one that was stopped before leaves at most an empty folder."""
    return place.is_dir() and any(place.iterdir())


def reader_cards(folder: PathLike) -> dict[str, dict[str, Any]]:
    """Role → card of each fitted reader in a folder: data, date, whether it has earned to be shown, figures.

    folder: of readers, or of one of them. InputError: no such reader there, or a damaged one.
    """
    from anagnosis.searching.answers.readers import FITTED

    path = Path(folder)
    places = {role: path / role for role in MAKINGS if (path / role).is_dir()}
    places = places or {role: path for role in MAKINGS if (path / FITTED[role][0]).exists()}
    if not places:
        raise InputError(
            "no fitted readers here",
            str(folder),
            f"make them with `anagnosis readers make --data DATA --out {folder}`",
        )
    return {role: MAKINGS[role].card(place) for role, place in places.items()}


def _stance(found: Found, scratch: Path, place: Path, date: str) -> None:
    from anagnosis.searching.conclusions.stance import store_stance_reader
    from anagnosis.searching.fit.stance_fitting import fit

    questions = import_dataset(found[PUBMEDQA][0], scratch / "pubmedqa", layout="pubmedqa")
    claims = found.get(SCIFACT)
    files = [*claims, *found.get(SCIFACT_ABSTRACTS, ())] if claims else None
    store_stance_reader(place, fit(questions, files, date=date))


def _stance_card(place: Path) -> dict[str, Any]:
    from anagnosis.searching.conclusions.stance import load_stance_reader

    fitted: StanceWeights = load_stance_reader(place).fitted
    return _card(", ".join(each.name for each in fitted.trained_on), fitted.figures)


def _names(found: Found, scratch: Path, place: Path, date: str) -> None:
    from anagnosis.searching.entities.ranking import store_name_weights
    from anagnosis.searching.fit.name_fitting import fit

    questions = import_dataset(list(found[BIOASQ]), scratch / "bioasq", layout="bioasq")
    store_name_weights(place, fit(questions, date=date))


def _names_card(place: Path) -> dict[str, Any]:
    from anagnosis.searching.entities.ranking import load_name_weights

    fitted: NameWeights = load_name_weights(place)
    return _card(fitted.data, fitted.figures)


def _card(data: str, figures: Any) -> dict[str, Any]:
    return {"data": data, "date": figures.date, "earned": figures.earned, "says": figures.says}


MAKINGS = {
    "stance": Making((PUBMEDQA, SCIFACT, SCIFACT_ABSTRACTS), 1, _stance, _stance_card),
    "names": Making((BIOASQ,), 5, _names, _names_card),
}
