"""What holds for every entry of READERS that learns; a new one is tried here before it has a test of its own."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any, cast

import pytest
from tests import damage
from tests.readers.tiny_readers import TINY, chance, data_of, dataset, tiny, tiny_models
from tests.training.bags import facts

from anagnosis import readers
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.predictions import Prediction
from anagnosis.training.loop.checkpoint import load_weights
from anagnosis.training.loop.loop import TrainingLoop
from anagnosis.training.run_files import foreign
from anagnosis.training.runs import predicting
from anagnosis.training.runs.predicting import predict
from anagnosis.training.runs.run import Run, load_run
from anagnosis.training.train import train

LEARNING = [name for name in readers.READERS if hasattr(readers.find(name), "prepare")]
KINDS = [(name, kind) for name in LEARNING for kind in (TINY[name].kinds if name in TINY else ["any"])]
each_kind = pytest.mark.parametrize(("name", "kind"), KINDS, ids=[" ".join(case) for case in KINDS])

# The first kind of each reader; its others are slow.
first_kind = pytest.mark.parametrize(
    ("name", "kind"),
    [
        pytest.param(*case, marks=[] if n == 0 else pytest.mark.slow, id=" ".join(case))
        for _, cases in groupby(KINDS, key=lambda case: case[0])
        for n, case in enumerate(cases)
    ],
)


Recipe = Callable[..., dict[str, Any]]
Trained = Callable[[str], Run]
Cued = Callable[[str], Dataset]


def shown(line: Prediction, off: float) -> Any:
    """What a line says, to be compared with another's: scores by candidate, or exact answers, within `off`."""
    answers = line.answers or []
    scores = {str((a.text, a.snippet, a.begin, a.end)): a.score for a in answers} or line.scores or {}
    return pytest.approx(scores, abs=off, rel=off)


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAGNOSIS_QUIET", "1")


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return tiny_models(tmp_path_factory.mktemp("places"))


@pytest.fixture(scope="module")
def cued(tmp_path_factory: pytest.TempPathFactory) -> Cued:
    """A dataset for each reader, of its kind, whose answers the cue gives away."""
    made: dict[str, Dataset] = {}

    def of(name: str) -> Dataset:
        of_reader = data_of(name)
        key = str(of_reader)
        if key not in made:
            folder = tmp_path_factory.mktemp("cued")
            made[key] = dataset(folder, signal=True, train=240, dev=40, test=300, **of_reader)
        return made[key]

    return of


@pytest.fixture(scope="module")
def recipe(places: dict[str, str]) -> Recipe:
    """A recipe of the reader with its tiny settings, those of a kind, and what a test wants."""

    def make(name: str, kind: str = "", **changed: Any) -> dict[str, Any]:
        given = tiny(name)
        values = {
            "batch": 16,
            "epochs": 4,
            "patience": 9,
            **given.settings,
            **given.kinds.get(kind, {}),
            **changed,
        }
        values = {
            key: places.get(value, value) if isinstance(value, str) else value
            for key, value in values.items()
        }
        return {"reader": name, **values}

    return make


@pytest.fixture(scope="module")
def trained(recipe: Recipe, cued: Cued, tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """A reader's run on the data with the cue, trained once."""
    runs: dict[str, Run] = {}

    def make(name: str) -> Run:
        if name not in runs:
            folder = tmp_path_factory.mktemp("trained") / name
            runs[name] = train(recipe(name), cued(name), folder, device="cpu", threads=1)
        return runs[name]

    return make


def accuracy(lines: list[Prediction], data: Dataset) -> float:
    right = [
        first_answer(line) == right_answer(instance)
        for line, instance in zip(lines, store.instances(data, "test"), strict=True)
    ]
    return sum(right) / len(right)


def interval(data: Dataset) -> tuple[float, float, float]:
    return chance([choices(data, instance) for instance in store.instances(data, "test")])


def choices(data: Dataset, instance: Any) -> int:
    """Number of equally likely answers: of an instance with exact answers one a snippet."""
    return len(instance.snippets) if getattr(instance, "exact", None) else len(data.kind.keys(instance))


def first_answer(line: Prediction) -> str | None:
    """The label or candidate, or the first of the exact answers."""
    return line.answers[0].text if line.answers else cast("str | None", line.answer)


def right_answer(instance: Any) -> str:
    if getattr(instance, "exact", None):
        return instance.exact[0][0]
    if isinstance(instance, DecisionInstance):
        return instance.label or ""
    if isinstance(instance, EvidenceInstance):
        return str(instance.target)
    return instance.candidates[instance.answer or 0].key


def test_a_reader_without_settings_here_is_told_what_to_do() -> None:
    with pytest.raises(pytest.fail.Exception, match="the reader bags learns and is in no test: give it tiny"):
        tiny("bags")
    assert set(TINY) <= set(LEARNING), "settings of a reader that is no more"


@pytest.mark.parametrize("precise", [False, True], ids=["float32", "float64"])
@pytest.mark.parametrize("name", LEARNING)
def test_a_batch_of_one_says_what_a_batch_of_forty_says(
    name: str, precise: bool, trained: Trained, cued: Cued, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In float64, where rounding hides nothing, to the last digit of the scores, which are written as float32.

    What is computed before the batches are made, as a frozen encoder's vectors, has no neighbours in a file of one.
    """
    run = trained(name)
    real = predicting.restored
    if precise:
        monkeypatch.setattr(predicting, "restored", lambda *of: ((own := real(*of))[0], own[1].double()))
    together = list(predict(run, cued(name), device="cpu", tokens=10**9, limit=40))
    alone = list(predict(run, cued(name), device="cpu", tokens=1, limit=40))
    off = 1e-6 if precise else tiny(name).rounding
    assert len(together) == 40
    first = writing.write(
        tmp_path / "one", {"test": store.instances(cued(name), "test", 1)}, cued(name).recipe
    )
    alone += predict(run, first, device="cpu")
    for one, many in zip(alone, [*together, together[0]], strict=True):
        assert one.id == many.id
        assert shown(one, 0.0).expected == shown(many, off)


@each_kind
def test_a_restored_reader_says_what_the_trained_one_said_wherever_its_folder_lies(
    name: str,
    kind: str,
    recipe: Recipe,
    cued: Cued,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held: list[Any] = []
    real = TrainingLoop.run

    def finished(training: TrainingLoop) -> None:
        real(training)
        held.extend([training.learner, training.model, training.best])

    monkeypatch.setattr(TrainingLoop, "run", finished)
    given = recipe(name, kind, epochs=1)
    own = given.get("encoder") and shutil.copytree(given["encoder"], tmp_path / "encoder")
    if own:
        given["encoder"] = str(own)
    run = train(given, cued(name), tmp_path / "run", device="cpu", threads=1, limit=40)
    learner, model, best = held
    load_weights(model, best, run.folder)
    with monkeypatch.context() as patched:
        patched.setattr(predicting, "restored", lambda *_: (learner, model))
        before = list(predict(run, cued(name), device="cpu", limit=60))
    moved = run.folder.rename(tmp_path / "elsewhere")
    if own and not getattr(run.config, "frozen", name == "esim"):
        # Only a frozen encoder is looked for where it was.
        shutil.rmtree(own)
    assert list(predict(load_run(moved), cued(name), device="cpu", limit=60)) == before


@first_kind
def test_an_interrupted_training_ends_with_the_same_weights(
    name: str, kind: str, recipe: Recipe, cued: Cued, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = recipe(name, kind, batch=8, epochs=2)
    whole = facts(train(given, cued(name), tmp_path / "whole", device="cpu", threads=1, limit=40).folder)
    # One stop in every phase, behind its first evaluation: moments, draws and phase must all come from there.
    draw, done, stops = random.Random(name + kind), 0, set[int]()
    for _, of_phase in groupby(whole[1], key=lambda one: one[0]):
        steps = [step for _, step, *_ in of_phase]
        stops.add(draw.randrange(steps[0] if len(steps) > 1 else done, steps[-1]))
        done = steps[-1]
    real = TrainingLoop._micro_batch

    def piece(self: TrainingLoop, *words: Any) -> Any:
        found = real(self, *words)
        if self.steps in stops:
            stops.remove(self.steps)
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr(TrainingLoop, "_micro_batch", piece)
    for _ in sorted(stops):
        with pytest.raises(KeyboardInterrupt):
            train(given, cued(name), tmp_path / "cut", device="cpu", threads=1, limit=40)
        # All that a training leaves is known as its own, at any time, or --replace would refuse it.
        assert not [*foreign(tmp_path / "cut")]
    resumed = train(given, cued(name), tmp_path / "cut", device="cpu", threads=1, limit=40)
    assert not stops
    assert facts(resumed.folder) == whole
    assert not [*foreign(tmp_path / "cut")]


# Small ones of each kind of dataset always run, the rest takes longer.
QUICK = ("attention-sum", "shallow-features")


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in LEARNING]
)
def test_a_damaged_run_ends_in_one_line_or_predicts_the_same(
    name: str, trained: Trained, cued: Cued, tmp_path: Path
) -> None:
    """Sixty faults of its files."""

    def predicted(folder: Path) -> object:
        return list(predict(load_run(folder), cued(name), device="cpu", threads=1, limit=12))

    refused, unharmed = damage.check(trained(name).folder, tmp_path, predicted)
    assert refused + unharmed == damage.FAULTS
    assert refused > damage.FAULTS // 2


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNING)
def test_a_reader_stays_within_the_99_percent_interval_of_chance_where_labels_carry_no_signal(
    name: str, recipe: Recipe, tmp_path: Path
) -> None:
    """One reader in a hundred is outside by luck, another one on each kind of processor: then new data decide."""
    found: list[str] = []
    for seed in (1, 2):
        at = tmp_path / str(seed)
        data = dataset(at / "data", signal=False, seed=seed, train=200, dev=40, test=300, **data_of(name))
        run = train(recipe(name), data, at / "run", device="cpu", threads=1)
        _, low, high = interval(data)
        low = low if tiny(name).reaches_chance else 0.0
        right = accuracy(list(predict(run, data, device="cpu")), data)
        if low <= right <= high:
            return
        found.append(f"{right:.3f} is not within {low:.3f} to {high:.3f}")
    pytest.fail("; ".join(found))


@pytest.mark.parametrize("name", [name for name in LEARNING if name not in TINY or TINY[name].finds_the_cue])
def test_a_reader_goes_far_above_chance_where_there_is_a_cue(name: str, trained: Trained, cued: Cued) -> None:
    mean, _, high = interval(cued(name))
    found = accuracy(list(predict(trained(name), cued(name), device="cpu")), cued(name))
    assert found > max(high, mean + 0.2)
