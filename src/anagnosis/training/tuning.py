"""Random search: train with values drawn from the recipe's ranges, and keep the best run on the development part.

    OUT/search.journal   every trial (optuna's format), from which an interrupted search resumes
    OUT/trial-7          the best run so far, and an unfinished one
    OUT/best.toml        the recipe with the best values, once a trial has succeeded

A trial's values depend only on the search's seed and the trial's number, so an interrupted search draws the values that
it would have drawn, and repeats nothing.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from anagnosis.datasets.folder import store
from anagnosis.errors import DamagedError, InputError, missing_extra
from anagnosis.files import write_text
from anagnosis.folder_names import JOURNAL
from anagnosis.folders import refuse_other_files
from anagnosis.locks import locked
from anagnosis.paths import PathLike, reason_of
from anagnosis.progress import tell
from anagnosis.readers.learning import ACCURACY, EPOCHS, LOSS
from anagnosis.recipes import load as recipes
from anagnosis.training.loop.dev_measure import selecting_measure
from anagnosis.training.loop.devices import TrialError, processes
from anagnosis.training.loop.stopping import worth
from anagnosis.training.run_files import WORK, remove_whole
from anagnosis.training.runs.run import configured, read_facts
from anagnosis.training.search_space import MEASURE, TUNE, Range, checked_space, distribution
from anagnosis.training.train import train
from anagnosis.training.training_splits import viewed_split

if TYPE_CHECKING:
    from optuna import Study
    from optuna.trial import FrozenTrial, TrialState

BEST = "best.toml"
STOP = "stop"
_OF = "of"  # the study's attribute with the digest of recipe, ranges, seed and data


@dataclass(frozen=True, slots=True)
class Trial:
    """A finished trial. values: as drawn. value: of the measure on the development part, None if `fault` ended it."""

    number: int
    values: dict[str, Any]
    value: float | None
    epochs: int | None
    seconds: float | None
    fault: str | None


@dataclass(frozen=True, slots=True)
class Search:
    """A search and its results. trials: the ended ones, in their order. measure: compares them."""

    folder: Path
    trials: tuple[Trial, ...]
    measure: str = ACCURACY

    @property
    def best(self) -> Trial | None:
        """The first trial with the best value; None if every trial failed."""
        ended = [trial for trial in self.trials if trial.value is not None]
        return max(ended, key=lambda trial: worth(self.measure, trial.value), default=None)

    @property
    def levels(self) -> dict[str, float]:
        """Accuracies without learning on the best trial's development part; empty for any other measure."""
        if self.measure != ACCURACY:
            return {}
        facts = read_facts(self.folder / f"trial-{self.best.number}") if self.best else None
        return facts.levels if facts else {}


def tune_recipe(
    recipe: Mapping[str, Any],
    dataset: store.Dataset,
    out: PathLike,
    *,
    trials: int,
    space: Mapping[str, Any] | None = None,
    measure: str | None = None,
    seed: int = 0,
    where: str = "recipe",
    dev: store.Dataset | None = None,
    kept: Path | None = None,
    **options: Any,
) -> Search:
    """Search until so many trials have ended, counting those of earlier calls.

    space: key → Range as plain data (None: the recipe's `tune` table). measure: compares the trials (None: that of the
    `tune` table, else the one that the recipe stops by, else accuracy); it also replaces another measure that the
    recipe stops by. dev, kept, options:
    those of `train`. A trial that runs out of memory or diverges, or whose values the reader refuses, counts as ended;
    any other fault ends the search.
    """
    recipe, measure = _measured(recipe, measure, where)
    ranges = checked_space(recipe, space, where)
    if STOP in ranges and not {LOSS, EPOCHS, measure}.issuperset(ranges[STOP].choice or ()):
        raise InputError(f"stop is searched beyond {measure}", where, "compare the trials by one measure")
    if processes() > 1:
        raise InputError("a search runs in one process", where, "start it without a launcher")
    folder = Path(out)
    view = str(recipes.spelled_out({}, configured(recipe, where)[1])["view"])
    limit, steps = options.get("limit"), options.get("steps")
    parts = [
        viewed_split(dataset, "train", view, limit=limit),
        viewed_split(dev or dataset, "dev", view, limit=limit),
    ]
    base = {key: value for key, value in recipe.items() if key not in (TUNE, recipes.EXPECTED)}
    digests = [part.digest for part in parts]
    compared = () if measure == ACCURACY else (measure,)
    study = _study(folder, (sorted(base.items()), sorted(ranges.items()), seed, digests, steps, *compared))
    given: dict[str, Any] = {
        "dev": dev,
        "kept": kept or folder / WORK / "kept",
        "where": where,
        "measure": measure,
        **options,
    }
    # A kill may have come between the end of the last trial and this step.
    _keep_best(_search(folder, study, measure), base)
    while len(_ended(study)) < trials:
        trial = _unfinished(study) or _drawn(study, ranges, seed)
        tell(f"trial {trial.number}: {', '.join(f'{key} {value}' for key, value in trial.params.items())}")
        _try(study, trial, base, dataset, folder, given)
        search = _search(folder, study, measure)
        _keep_best(search, base)
    shutil.rmtree(folder / WORK, ignore_errors=True)
    return _search(folder, study, measure)


def _measured(recipe: Mapping[str, Any], measure: str | None, where: str) -> tuple[Mapping[str, Any], str]:
    """The recipe of the trials, and the measure by which they are compared."""
    measure = measure or recipe.get(TUNE, {}).get(MEASURE)
    stop = configured(recipe, where)[1].stop
    if stop not in (LOSS, EPOCHS):
        stop = measure or stop
        recipe = {**recipe, STOP: stop} if measure else recipe
        measure = stop
    selecting = selecting_measure(configured(recipe, where)[1], where, measure)
    return recipe, selecting.name if selecting else ACCURACY


def _study(folder: Path, of: object) -> Study:
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
        _drop_unfinished_line(folder / JOURNAL)
        lock = cast(Any, _JournalLock(folder / JOURNAL))
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


class _JournalLock:
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


def _drop_unfinished_line(journal: Path) -> None:
    """Remove an incomplete last line, which a full disk leaves, so that the next line does not continue it."""
    if not journal.exists():
        return
    with journal.open("rb+") as stream:
        stream.truncate(stream.read().rfind(b"\n") + 1)


def _drawn(study: Study, ranges: Mapping[str, Range], seed: int) -> FrozenTrial:
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


def _try(
    study: Study,
    trial: FrozenTrial,
    base: Mapping[str, Any],
    dataset: store.Dataset,
    folder: Path,
    given: Mapping[str, Any],
) -> None:
    """Train with a trial's values, or copy the result of an earlier trial with the same values."""
    same = next((one for one in _ended(study) if one.params == trial.params), None)
    if same is not None:
        _end(study, trial, same.value, same.user_attrs)
        return
    recipe = {**base, **trial.params}
    try:
        _refuse_together(recipe, given["where"])
        run = train(recipe, dataset, folder / f"trial-{trial.number}", **given)
    except TrialError as fault:
        tell(f"trial {trial.number}: {fault}")
        _end(study, trial, None, {"fault": str(fault)})
        return
    facts = run.facts
    if facts.measure is not None and facts.dev_value is None:
        _end(study, trial, None, {"fault": f"{facts.measure} has no value on the development part"})
        return
    value = facts.dev_accuracy if facts.measure is None else facts.dev_value
    _end(study, trial, value, {"epochs": facts.epochs, "seconds": facts.total_seconds})


def _refuse_together(recipe: Mapping[str, Any], where: str) -> None:
    """TrialError: each value is allowed, but not their combination."""
    try:
        configured(recipe, where)
    except InputError as fault:
        raise TrialError(fault.what, fault.where, fault.remedy) from fault


def _end(study: Study, trial: FrozenTrial, value: float | None, attributes: Mapping[str, Any]) -> None:
    from optuna.trial import TrialState

    for key, attribute in attributes.items():
        study._storage.set_trial_user_attr(trial._trial_id, key, attribute)  # pyright: ignore[reportPrivateUsage]  (a trial that another process began has no public way)
    if value is None:
        study.tell(trial.number, state=TrialState.FAIL)
    else:
        study.tell(trial.number, value)


def _ended(study: Study) -> list[FrozenTrial]:
    from optuna.trial import TrialState

    return _in(study, TrialState.COMPLETE, TrialState.FAIL)


def _unfinished(study: Study) -> FrozenTrial | None:
    from optuna.trial import TrialState

    return next(iter(_in(study, TrialState.RUNNING)), None)


def _in(study: Study, *states: TrialState) -> list[FrozenTrial]:
    return study.get_trials(deepcopy=False, states=states)


def _search(folder: Path, study: Study, measure: str) -> Search:
    return Search(
        folder,
        tuple(
            Trial(
                one.number,
                dict(one.params),
                one.value,
                one.user_attrs.get("epochs"),
                one.user_attrs.get("seconds"),
                one.user_attrs.get("fault"),
            )
            for one in _ended(study)
        ),
        measure,
    )


def _keep_best(search: Search, base: Mapping[str, Any]) -> None:
    """Write the best recipe, and remove the runs of all other trials."""
    best = search.best
    for trial in search.trials:
        if trial is not best:
            remove_whole(search.folder / f"trial-{trial.number}")
    if best is not None:
        _, config = configured({**base, **best.values}, BEST)
        spelled = recipes.spelled_out({"reader": base["reader"]}, config)
        write_text(search.folder / BEST, recipes.dumps(spelled))
