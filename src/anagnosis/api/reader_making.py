"""Verbs that make the readers of `ask` from releases, and show their cards: make_readers, reader_cards; MAKERS."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from anagnosis.api.datasets import import_dataset
from anagnosis.api.training import train
from anagnosis.encoders.cpu import ready_for_torch
from anagnosis.errors import InputError
from anagnosis.io.folders import SHOWN, kind_of, refuse_foreign, refuse_other_files, written_at_once
from anagnosis.io.input_files import ANY, input_files
from anagnosis.io.outputs import output_folder
from anagnosis.io.paths import PathLike
from anagnosis.progress import Progress, print_note
from anagnosis.searching.fit.releases import (
    BIOASQ,
    LICENCES,
    PUBMEDQA,
    SCIFACT,
    SCIFACT_ABSTRACTS,
    releases,
)

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.searching.records.reader_figures import EvidenceFigures, QuestionTypeFigures

RUN = "run"
# Without it a reader is not tested where it is used: on questions over papers on other topics.
WOULD_TEST = "a newest edition of BioASQ's golden files, with older ones,"
_TENTHS = 10  # of a second, the steps of the bar


def make_readers(data: PathLike | Sequence[PathLike], out: PathLike, *, replace: bool = False) -> None:
    """Make each reader whose release is in the files and folders of `data`, in a folder of its own in `out`.

    data: folders count with all below them. A reader that is there stays, unless replace is given. Messages name
    readers that cannot be made, with the reason, and files that no reader uses. Each reader is stored whole when it is
    finished, so that another call continues.
    InputError: no reader could be made, or a folder that is or holds `data`, or has other files.
    """
    given = [data] if isinstance(data, PathLike) else list(data)
    target = output_folder(out, inputs=given)
    files = [path for _, path in input_files(given, ANY)]
    found = releases(files)
    wanted = {role: one for role, one in MAKERS.items() if one.reads[0] in found}
    if not wanted:
        needed = ", ".join(sorted({one.reads[0] for one in MAKERS.values()}))
        raise InputError(f"no release of {needed} here", ", ".join(map(str, given)), "name their files")
    made = {role for role in wanted if _is_made(target / role, role)}
    for role in sorted(made) if replace else ():
        _refuse_users_files(target / role, role)
    used = {path for one in wanted.values() for release in one.reads for path in found.get(release, ())}
    for path in files:
        if path not in used:
            print_note(f"{path}: not used")
    for role, one in MAKERS.items():
        if role not in wanted:
            print_note(f"{role}: not made, no release of {one.reads[0]} here")
        elif role in made and not replace:
            print_note(f"{target / role}: stays as it is; --replace makes it again")
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
    print_note(f"making {', '.join(missing)}: about {max(1, round(seconds / 60))} min on one core")
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
                print_note(f"{role}: not made, {fault}")
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


class Work(NamedTuple):
    """The making of one reader. found: release → its files. scratch: for datasets. place: the reader's folder.

    date: ISO. part: a share of the reader's time → a part of the bar.
    """

    found: Mapping[str, list[Path]]
    scratch: Path
    place: Path
    date: str
    part: Callable[[float], AbstractContextManager[None]]


class Maker(NamedTuple):
    """How a reader is made. reads: releases; it cannot do without the first. used_for: what `ask` does with it.

    seconds: about, with all files of the releases, on one core. make: stores the reader. card: its folder → the card.
    """

    reads: tuple[str, ...]
    used_for: str
    seconds: int
    make: Callable[[Work], None]
    card: Callable[[Path], dict[str, Any]]


def _evidence(work: Work) -> None:
    from anagnosis.searching.fit.reader_measuring import measure, measure_on_snippets
    from anagnosis.searching.records.reader_figures import EvidenceFigures
    from anagnosis.searching.sentences.trained_highlighting import load_highlighter

    claims, golden = [*work.found[SCIFACT], *work.found.get(SCIFACT_ABSTRACTS, ())], work.found.get(BIOASQ)
    ready_for_torch("training a reader of evidence")
    with work.part(0.1):
        dataset = import_dataset(
            claims, work.scratch / "scifact", layout="scifact", setting="train", dev_share=0.1
        )
    with work.part(0.2):
        train("evidence-sentence-features", dataset, work.place, device="cpu", threads=1)
    reader = load_highlighter(work.place, "cpu", 1)
    with work.part(0.3 if golden else 0.7):
        figures = [measure(claims, reader, date=work.date)]
    on_snippets = None
    if golden:
        with work.part(0.1):
            questions = import_dataset(list(golden), work.scratch / "bioasq", layout="bioasq")
        with work.part(0.3):
            on_snippets = measure_on_snippets(questions, reader, date=work.date)
    untested = EvidenceFigures(0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, WOULD_TEST, work.date)
    _store_run_card(work.place, "SciFact, train claims", *figures, on_snippets or untested)


def _question_type(work: Work) -> None:
    from anagnosis.datasets.folder.store import ALL, instances
    from anagnosis.datasets.kinds.question import QuestionInstance
    from anagnosis.searching.answers.readers import load_kind
    from anagnosis.searching.fit.reader_measuring import measured_types, parts

    ready_for_torch("training a reader of question types")
    with work.part(0.3):
        files = work.found[BIOASQ]
        every = import_dataset(list(files), work.scratch / "every", layout="bioasq")
        _name_without_edition("question-type", every)
        chosen = parts(instances(every, ALL, of=QuestionInstance))
        outside = ",".join(sorted(chosen.newest | chosen.apart))
        dataset = import_dataset(list(files), work.scratch / "bioasq", layout="bioasq", setting=outside)
    with work.part(0.6):
        train("bioasq-question-type", dataset, work.place, device="cpu", threads=1)
    with work.part(0.1):
        test = instances(dataset, "test", of=QuestionInstance)
        newest = [one for one in test if one.file in chosen.newest]
        figures = measured_types(newest, load_kind(work.place, "cpu", 1), chosen.data, work.date)
    _store_run_card(work.place, "BioASQ, golden files of older editions", figures)


def _name_without_edition(role: str, dataset: Dataset) -> None:
    """Report the files of questions that train no reader because nobody knows whether they are kept apart."""
    from anagnosis.datasets.bioasq.held_out import without_edition
    from anagnosis.datasets.folder.store import ALL, instances
    from anagnosis.datasets.kinds.question import QuestionInstance

    if files := without_edition(instances(dataset, ALL, of=QuestionInstance)):
        more = f" and {len(files) - SHOWN:,} more" if len(files) > SHOWN else ""
        names = ", ".join(sorted(files)[:SHOWN])
        print_note(
            f"{role}: {names}{more}: no edition, such as 8B1, in the name; {files.total():,} questions are not used"
        )


def _store_run_card(place: Path, data: str, *figures: EvidenceFigures | QuestionTypeFigures) -> None:
    from anagnosis.searching.answers.readers import store_card
    from anagnosis.searching.records.reader_figures import FORMAT, RunCard
    from anagnosis.training.runs.run import forget_times

    forget_times(place)
    store_card(place, RunCard(FORMAT, data, figures))


def _run_card(place: Path) -> dict[str, Any]:
    from anagnosis.searching.answers.readers import load_card

    if (card := load_card(place)) is not None:
        return _figures(card.data, card)
    return {"data": "a dataset of yours", "date": "", "earned": None, "says": "not measured for `ask`"}


def _stance(work: Work) -> None:
    from msgspec.structs import replace

    from anagnosis.searching.conclusions.stance import StanceReader, store_stance_reader
    from anagnosis.searching.fit.stance_fitting import NO_FIGURES, fit, measure_over_collection

    golden, figures = work.found.get(BIOASQ), None
    with work.part(0.1 if golden else 0.3):
        questions = import_dataset(work.found[PUBMEDQA][0], work.scratch / "pubmedqa", layout="pubmedqa")
    claims = work.found.get(SCIFACT)
    files = [*claims, *work.found.get(SCIFACT_ABSTRACTS, ())] if claims else None
    with work.part(0.3 if golden else 0.7):
        fitted = fit(questions, files, date=work.date)
    if golden:
        with work.part(0.1):
            asked = import_dataset(list(golden), work.scratch / "bioasq", layout="bioasq")
        with work.part(0.5):
            figures = measure_over_collection(StanceReader(fitted), asked, work.date)
    figures = figures or replace(NO_FIGURES, data=WOULD_TEST, date=work.date)
    store_stance_reader(work.place, replace(fitted, over_collection=figures))


def _stance_card(place: Path) -> dict[str, Any]:
    from anagnosis.searching.conclusions.stance import load_stance_reader

    fitted = load_stance_reader(place).fitted
    card = _figures(", ".join(each.name for each in fitted.trained_on), fitted.figures)
    return {**card, "earned": fitted.earned, "says": "; ".join(one.says for one in fitted.measured)}


def _names(work: Work) -> None:
    from anagnosis.searching.entities.ranking import store_name_weights
    from anagnosis.searching.fit.name_fitting import fit

    with work.part(0.05):
        questions = import_dataset(list(work.found[BIOASQ]), work.scratch / "bioasq", layout="bioasq")
    _name_without_edition("names", questions)
    with work.part(0.95):
        store_name_weights(work.place, fit(questions, date=work.date))


def _names_card(place: Path) -> dict[str, Any]:
    from anagnosis.searching.entities.ranking import load_name_weights

    fitted = load_name_weights(place)
    return _figures(fitted.data, fitted.figures)


def _figures(data: str, figures: Any) -> dict[str, Any]:
    return {"data": data, "date": figures.date, "earned": figures.earned, "says": figures.says}


MAKERS = {
    "evidence": Maker(
        (SCIFACT, SCIFACT_ABSTRACTS, BIOASQ),
        "orders the quoted sentences and gives their levels",
        60,
        _evidence,
        _run_card,
    ),
    "stance": Maker(
        (PUBMEDQA, SCIFACT, SCIFACT_ABSTRACTS, BIOASQ),
        "says whether a paper's conclusion supports or opposes",
        40,
        _stance,
        _stance_card,
    ),
    "names": Maker((BIOASQ,), "names that answer, each with its sentence", 240, _names, _names_card),
    "question-type": Maker(
        (BIOASQ,),
        "distinguishes types of questions: yes or no, names, lists and summaries",
        20,
        _question_type,
        _run_card,
    ),
}
