"""The ranges of a search for settings, and its journal, from which it can be resumed.

The ranges are `[tune]` of a recipe, checked against the reader's keys:

[tune]
measure = "f1"                                what compares the trials, unless the user names a measure
hidden = {low = 50, high = 160, log = true}
dropout = {low = 0.1, high = 0.6}
rate = {choice = [0.001, 0.003]}

A trial's values depend only on the search's seed and the trial's number. The journal is optuna's; a line is written at
once, so that a kill leaves no trial with half of its values.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

import msgspec

from anagnosis.errors import DamagedError, InputError, missing_extra
from anagnosis.io.files import locked
from anagnosis.io.folders import JOURNAL, refuse_other_files
from anagnosis.io.paths import reason_of
from anagnosis.progress import print_note
from anagnosis.training.loop.endings import TrialError
from anagnosis.training.runs.run import configured
from anagnosis.wording import reworded

if TYPE_CHECKING:
    from optuna import Study
    from optuna.distributions import BaseDistribution
    from optuna.trial import FrozenTrial

TUNE = "tune"
MEASURE = "measure"
_OF = "of"  # the study's attribute with the digest of recipe, ranges, seed and data


class Range(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The range that a key's values are drawn from: one of `choice`, or evenly from low to high, both included.

    Values are whole numbers if both ends are. log: draw evenly on a logarithmic scale.
    """

    choice: list[str | int | float | bool] | None = None
    low: int | float | None = None
    high: int | float | None = None
    log: bool = False


Configure = Callable[[Mapping[str, Any], str], msgspec.Struct]  # (recipe, where) → its checked settings


def checked_space(
    recipe: Mapping[str, Any],
    space: Mapping[str, Any] | None,
    where: str,
    configure: Configure = lambda recipe, where: configured(recipe, where)[1],
) -> dict[str, Range]:
    """The ranges of a search. InputError: lists all problems of the table."""
    given: Mapping[str, Any] = space if space is not None else recipe.get(TUNE, {})
    if not given.keys() - {MEASURE}:
        raise InputError("has no ranges to search", where, "add a table [tune], as docs/recipes.md shows")
    known = [field.name for field in msgspec.structs.fields(configure(recipe, where))]
    ranges: dict[str, Range] = {}
    faults: list[str] = []
    for key, value in given.items():
        if key == MEASURE:
            continue
        if key not in known:
            near = difflib.get_close_matches(key, known, n=2, cutoff=0.5)
            faults.append(f"unknown key {key!r}" + (f" (did you mean {' or '.join(near)}?)" if near else ""))
            continue
        try:
            ranges[key] = msgspec.convert(value, Range)
            faults.extend(
                f"{key}: {fault}" for fault in _problems(recipe, key, ranges[key], where, configure)
            )
        except msgspec.ValidationError as fault:
            faults.append(f"{key}: {reworded(fault)}")
    if faults:
        raise InputError(
            f"{len(faults)} problem{'s' if len(faults) > 1 else ''} in [tune]: {'; '.join(faults)}",
            where,
            "a range is {low = 1, high = 9}, {low = 1, high = 9, log = true} or {choice = [1, 3]}",
        )
    return ranges


def _problems(
    recipe: Mapping[str, Any], key: str, values: Range, where: str, configure: Configure
) -> list[str]:
    if values.choice is not None:
        if not values.choice or values.low is not None or values.high is not None or values.log:
            return ["a choice has values and nothing else"]
        ends = values.choice
    elif values.low is None or values.high is None:
        return ["low or high is missing"]
    elif values.low >= values.high or (values.log and values.low <= 0):
        return [f"no range from {values.low} to {values.high}"]
    else:
        ends = [values.low, values.high]
    faults: list[str] = []
    for value in ends:
        try:
            configure({**recipe, key: value}, where)
        except InputError as fault:
            faults.append(f"{value} will not do ({fault.what})")
    return faults


def distribution(values: Range) -> BaseDistribution:
    """The range as optuna draws from it."""
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    if values.choice is not None:
        return CategoricalDistribution(values.choice)
    if isinstance(values.low, int) and isinstance(values.high, int):
        return IntDistribution(values.low, values.high, log=values.log)
    return FloatDistribution(cast(float, values.low), cast(float, values.high), log=values.log)


@dataclass(frozen=True, slots=True)
class Trial:
    """A finished trial. values: as drawn. value: of the measure on the development part, None if `fault` ended it."""

    number: int
    values: dict[str, Any]
    value: float | None
    epochs: int | None
    seconds: float | None
    fault: str | None


def open_study(folder: Path, of: object) -> Study:
    """The study of a folder's search. InputError: the folder holds another search. of: what identifies the search."""
    try:
        import optuna
        from optuna.storages import JournalStorage
        from optuna.storages.journal import JournalFileBackend
    except ModuleNotFoundError as fault:
        raise missing_extra("optuna", "train", "a search") from fault
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    if not (folder / JOURNAL).exists():
        refuse_other_files(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        drop_unfinished_line(folder / JOURNAL)
        lock = cast(Any, JournalLock(folder / JOURNAL))
        storage = JournalStorage(JournalFileBackend(str(folder / JOURNAL), lock_obj=lock))
        study = optuna.create_study(
            storage=storage, study_name="search", direction="maximize", load_if_exists=True
        )
    except OSError as fault:
        raise InputError(reason_of(fault), str(folder), "free some space, or choose another --out") from fault
    except (ValueError, LookupError, TypeError, AssertionError) as fault:
        raise DamagedError(
            "is damaged: not as a search writes it", str(folder / JOURNAL), "search anew, with another --out"
        ) from fault
    digest = hashlib.sha256(repr(of).encode()).hexdigest()
    of_what = study.user_attrs.get(_OF)
    if of_what is None:
        study.set_user_attr(_OF, digest)
    elif of_what != digest:
        raise InputError(
            "holds a search of another recipe, dataset, limit, measure or seed",
            str(folder),
            "choose another folder for --out",
        )
    return study


class JournalLock:
    """The lock on the journal while a process reads or writes it. The system releases it when the process ends.

    optuna's lock is a link that a kill leaves behind: the next search would wait 30 s for it, and in a relative folder
    for ever.
    """

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._opened: IO[bytes] | None = None

    def acquire(self) -> bool:
        opened = self._journal.open("ab")
        locked(opened, wait=True)
        self._opened = opened
        return True

    def release(self) -> None:
        if self._opened is not None:
            self._opened.close()


def drop_unfinished_line(journal: Path) -> None:
    """Remove an incomplete last line, which a full disk leaves, so that the next line does not continue it."""
    if not journal.exists():
        return
    with journal.open("rb+") as stream:
        stream.truncate(stream.read().rfind(b"\n") + 1)


def draw_trial(study: Study, ranges: Mapping[str, Range], seed: int) -> FrozenTrial:
    """A new trial. The search's seed and the trial's number seed the draw."""
    from optuna import create_study
    from optuna.samplers import RandomSampler
    from optuna.trial import TrialState, create_trial

    number = len(study.get_trials(deepcopy=False))
    digest = hashlib.sha256(repr((seed, number)).encode()).digest()
    distributions = {key: distribution(values) for key, values in ranges.items()}
    drawing = create_study(sampler=RandomSampler(seed=int.from_bytes(digest[:4], "big")))
    params = drawing.ask(distributions).params
    # One line of the journal: an interruption leaves no trial with half of its values.
    study.add_trial(create_trial(state=TrialState.RUNNING, params=params, distributions=distributions))
    return study.get_trials()[number]


def end_trial(study: Study, trial: FrozenTrial, value: float | None, attributes: Mapping[str, Any]) -> None:
    """Record how a trial ended. value: None for one without a value. attributes: epochs, seconds or fault."""
    from optuna.trial import TrialState

    for key, attribute in attributes.items():
        study._storage.set_trial_user_attr(trial._trial_id, key, attribute)  # pyright: ignore[reportPrivateUsage]  (a trial that another process began has no public way)
    if value is None:
        study.tell(trial.number, state=TrialState.FAIL)
    else:
        study.tell(trial.number, value)


def run_trials(
    study: Study,
    ranges: Mapping[str, Range],
    seed: int,
    trials: int,
    attempt: Callable[[int, Mapping[str, Any]], tuple[float | None, Mapping[str, Any]]],
    keep: Callable[[tuple[Trial, ...]], None],
) -> None:
    """Draw and try until so many trials have ended, beginning with one that was interrupted.

    attempt: from a trial's number and values its value, None for none, with epochs and seconds or a fault; TrialError
    ends the trial alone. A trial with the values of an earlier one has its result. keep: gets the ended trials before
    the first trial and after each.
    """
    keep(finished_trials(study))  # a kill may have come between the end of the last trial and this step
    while len(ended := _trials(study, finished=True)) < trials:
        begun = _trials(study, finished=False)
        trial = begun[0] if begun else draw_trial(study, ranges, seed)
        print_note(
            f"trial {trial.number}: {', '.join(f'{key} {value}' for key, value in trial.params.items())}"
        )
        same = next((earlier for earlier in ended if earlier.params == trial.params), None)
        if same is not None:
            print_note(f"trial {trial.number}: the values of trial {same.number}, whose result it has")
            end_trial(study, trial, same.value, same.user_attrs)
        else:
            try:
                end_trial(study, trial, *attempt(trial.number, trial.params))
            except TrialError as fault:
                print_note(f"trial {trial.number}: {fault}")
                end_trial(study, trial, None, {"fault": str(fault)})
        keep(finished_trials(study))


def finished_trials(study: Study) -> tuple[Trial, ...]:
    """The ended trials, in their order."""
    return tuple(
        Trial(
            trial.number,
            dict(trial.params),
            trial.value,
            trial.user_attrs.get("epochs"),
            trial.user_attrs.get("seconds"),
            trial.user_attrs.get("fault"),
        )
        for trial in _trials(study, finished=True)
    )


def _trials(study: Study, *, finished: bool) -> list[FrozenTrial]:
    return [each for each in study.get_trials(deepcopy=False) if each.state.is_finished() == finished]
