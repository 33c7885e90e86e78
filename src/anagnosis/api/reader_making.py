"""Verbs that make the readers of `ask` from releases, and show their cards: make_readers, reader_cards."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from anagnosis.api.answer_readers import MAKERS, Maker, Work
from anagnosis.encoders.cpu import ready_for_torch
from anagnosis.errors import InputError
from anagnosis.io.folders import kind_of, refuse_foreign, refuse_other_files, written_at_once
from anagnosis.io.outputs import output_folder
from anagnosis.io.paths import PathLike
from anagnosis.progress import Progress, tell
from anagnosis.searching.fit.releases import LICENCES, releases

RUN = "run"
_TENTHS = 10  # of a second, the steps of the bar


def make_readers(data: PathLike, out: PathLike, *, replace: bool = False) -> None:
    """Make each reader whose release is in the folder `data`, in a folder of its own in `out`.

    A reader that is there stays, unless replace is given. Messages name readers that cannot be made, with the reason,
    and files in `data` that no reader uses. Each reader is stored whole when it is finished, so that another call
    continues.
    InputError: no reader could be made, or a folder that is or holds `data`, or has other files.
    """
    folder = Path(data)
    if not folder.is_dir():
        raise InputError("is no folder", str(data), "name the folder of the releases")
    target = output_folder(out, inputs=[data])
    found = releases(folder)
    wanted = {role: one for role, one in MAKERS.items() if one.reads[0] in found}
    if not wanted:
        needed = ", ".join(sorted({one.reads[0] for one in MAKERS.values()}))
        raise InputError(f"no release of {needed} here", str(data), "put their files into it")
    made = {role for role in wanted if _is_made(target / role, role)}
    for role in sorted(made) if replace else ():
        _refuse_users_files(target / role, role)
    used = {path for one in wanted.values() for release in one.reads for path in found.get(release, ())}
    for path in sorted(set(folder.iterdir()) - used):
        tell(f"{path}: not used")
    for role, one in MAKERS.items():
        if role not in wanted:
            tell(f"{role}: not made, no release of {one.reads[0]} in {data}")
        elif role in made and not replace:
            tell(f"{target / role}: stays as it is; --replace makes it again")
    missing = {role: one for role, one in wanted.items() if replace or role not in made}
    faults = _make(missing, found, target)
    if faults and len(faults) == len(missing) and (replace or not made):
        raise next(iter(faults.values()))


def _make(
    missing: Mapping[str, Maker], found: Mapping[str, list[Path]], target: Path
) -> dict[str, InputError]:
    """Make the readers; role → why one was not made."""
    if not missing:
        return {}
    seconds = sum(one.seconds for one in missing.values())
    tell(f"making {', '.join(missing)}: about {max(1, round(seconds / 60))} min on one core")
    date, faults = datetime.now(UTC).date().isoformat(), dict[str, InputError]()
    with Progress("readers", seconds * _TENTHS, "steps") as bar:
        for role, one in missing.items():
            ends = bar.done + one.seconds * _TENTHS

            def part(share: float, role: str = role, one: Maker = one) -> AbstractContextManager[None]:
                return bar.part(round(share * one.seconds * _TENTHS), role)

            try:
                with (
                    TemporaryDirectory(prefix="anagnosis-") as scratch,
                    written_at_once(target / role) as place,
                ):
                    one.make(Work(found, Path(scratch), place, date, part))
            except InputError as fault:
                faults[role] = fault
                tell(f"{role}: not made, {fault}")
            bar.advance(ends - bar.done, note=role)
    return faults


def _is_made(place: Path, role: str) -> bool:
    """Whether a reader is there. InputError: the folder holds something else."""
    if not place.is_dir():
        return False
    if _maker_of(place, role):
        return True
    refuse_other_files(place)
    return False


def _refuse_users_files(place: Path, role: str) -> None:
    """Refuse (InputError) a reader's folder that has other files."""
    maker = _maker_of(place, role)
    if maker == RUN:
        from anagnosis.training.run_files import foreign

        refuse_foreign(place, foreign(place))
    else:
        refuse_other_files(place, lambda entry: entry.name == maker)


def _maker_of(place: Path, role: str) -> str:
    """RUN, or the file of a fitted reader; "" for no reader."""
    from anagnosis.searching.answers.readers import FITTED

    if role in FITTED:
        return FITTED[role][0] if (place / FITTED[role][0]).exists() else ""
    return RUN if kind_of(place) == RUN else ""


def reader_cards(folder: PathLike) -> dict[str, dict[str, Any]]:
    """Role → card of each reader in a folder.

    A card has what `ask` does with the reader (used_for), its data with their licence, the date and a phrase of its
    figures, and whether these have earned it to be used; null, and no figures, where nobody measured it.
    folder: of readers, or of one of them. InputError: no such reader there, or a damaged one.
    """
    from anagnosis.searching.answers.readers import no_readers

    path = Path(folder)
    places = {role: path / role for role in MAKERS if _maker_of(path / role, role)}
    places = places or {role: path for role in MAKERS if _holds(path, role)}
    if not places:
        raise no_readers(path)
    return {role: _card(role, place) for role, place in places.items()}


def _holds(place: Path, role: str) -> bool:
    """Whether a folder is a reader of this role."""
    maker = _maker_of(place, role)
    if maker != RUN:
        return bool(maker)
    from anagnosis.searching.answers.readers import role_of
    from anagnosis.training.runs.run import load

    ready_for_torch("showing a trained reader")
    return role_of(load(place).runs[0].config, str(place)).role == role


def _card(role: str, place: Path) -> dict[str, Any]:
    one = MAKERS[role]
    licences = "; ".join(f"{release}: {LICENCES[release]}" for release in one.reads)
    return {"used_for": one.used_for, **one.card(place), "licence": licences}
