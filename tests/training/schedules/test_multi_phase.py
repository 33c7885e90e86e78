"""PubMedQA's schedules: what each phase is trained on and begins with, resumed, refused, and told."""

from __future__ import annotations

import json
import random
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra train is not installed")

from tests.decisions import rows, written

from anagnosis import api
from anagnosis.cli import run as command
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.decision import LABELS, ContextSection, DecisionInstance
from anagnosis.datasets.pubmedqa.folds import split_of
from anagnosis.errors import InputError
from anagnosis.readers.decisions.shallow import Shallow
from anagnosis.training.loop.loop import TrainingLoop
from anagnosis.training.phases import SCHEDULES, read_phases
from anagnosis.training.runs.provenance import keys_of_training
from anagnosis.training.runs.run import Replicates, Run, load_run
from anagnosis.training.schedules.multi_phase import train_phases

RECIPE: dict[str, Any] = {
    "reader": "shallow-features",
    "phases": "multi-phase",
    "hidden": 4,
    "epochs": 2,
    "rate": 0.02,
    "dropout": 0.0,
    "stop": "epochs",
    "pseudo_answer": "over-share",
    "phase": {"bootstrap": {"epochs": 30}},
}
BY_FOLD = ("bootstrap", "pseudo-labelled", "final")
# What the long answer says is its label in other words, so that few instances teach it.
SAYS = {"yes": "It helped.", "no": "Nothing changed.", "maybe": "This stays open."}


def made(number: int, subset: str, label: str, draw: random.Random) -> DecisionInstance:
    word = draw.choice(["tea", "rest", "salt", "air"])
    return DecisionInstance(
        id=f"{subset}{number}",
        question=f"Does {word} help?",
        context=(ContextSection("", f"We gave {word} to {number} adults. {SAYS[label]}"),),
        long_answer=SAYS[label],
        label=None if subset == "U" else label,
        subset=subset,  # type: ignore[arg-type]
    )


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> store.Dataset:
    folder = tmp_path_factory.mktemp("people")
    found = rows(60, 40, 20)
    for row in found.values():
        row["LONG_ANSWER"] = SAYS[row["final_decision"]]
    return api.import_dataset(written(folder / "l.json", found), folder / "built", layout="pubmedqa")


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> store.Dataset:
    draw = random.Random(3)
    labels = ["yes"] * 6 + ["no"] * 3 + ["maybe"]
    found = [made(number, "A", draw.choice(labels[:9]), draw) for number in range(80)]
    found += [made(number, "U", draw.choice(labels), draw) for number in range(60)]
    folder = tmp_path_factory.mktemp("others")
    return writing.write(folder / "built", {"train": found}, {"dataset": "pubmedqa", "kind": "decision"})


def trained(
    people: store.Dataset,
    others: store.Dataset,
    out: Path,
    folds: int | None = 2,
    *,
    replace: bool = False,
    **changed: Any,
) -> Run | Replicates:
    given = {**RECIPE, **changed}
    return train_phases(given, [people, others], out, folds=folds, replace=replace, device="cpu", threads=1)


@pytest.fixture(scope="module")
def multi(people: store.Dataset, others: store.Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("phases") / "run"
    found = trained(people, others, out)
    assert isinstance(found, Replicates)
    assert [run.folder.parent.name for run in found.runs] == ["final", "final"]
    return out


def test_each_phase_begins_with_the_weights_and_sees_the_subset_that_the_paper_says(
    multi: Path, people: store.Dataset
) -> None:
    folders = ("artificial", "reasoning-free-artificial", *(f"{name}/fold-1" for name in BY_FOLD))
    facts = {folder.partition("/")[0]: load_run(multi / folder).facts for folder in folders}
    assert {phase: own.began for phase, own in facts.items()} == {
        "artificial": None,
        "reasoning-free-artificial": None,
        "bootstrap": facts["reasoning-free-artificial"].weights,
        "pseudo-labelled": facts["artificial"].weights,
        "final": facts["pseudo-labelled"].weights,
    }
    fold = len(split_of(people).train(1))
    seen = {phase: (own.train.split, own.view, own.train.rows) for phase, own in facts.items()}
    assert seen["artificial"] == ("A", "reasoning-required", 76)
    assert seen["bootstrap"] == ("L", "reasoning-free", fold)
    assert seen["final"] == ("L", "reasoning-required", fold)
    first, second, last, free = (
        set(keys_of_training(multi / folder).tolist())
        for folder in ("artificial", "pseudo-labelled/fold-0", "final/fold-0", "bootstrap/fold-0")
    )
    assert first < last >= second >= first, "a phase knows what the phases before it were trained on"
    assert last - second <= free


def test_pseudo_labels_have_people_s_proportions_and_are_told(multi: Path, people: store.Dataset) -> None:
    (file,) = (multi / "bootstrap" / "fold-1").glob("pseudo-labels-*.json")
    found = json.loads(file.read_text())
    labels = {i.id: i.label for i in store.instances(people, store.ALL)}
    own = [labels[ident] for ident in split_of(people).train(1)]
    total = sum(found["kept"].values())
    assert total == len(found["instances"]) > 0
    for label in LABELS:
        assert abs(found["kept"][label] - total * own.count(label) / len(own)) < 1
    facts = load_run(multi / "pseudo-labelled" / "fold-1").facts
    assert facts.dev is not None
    assert facts.train.rows + facts.dev.rows == total


def test_every_phase_is_judged_where_its_table_judges_it(multi: Path, people: store.Dataset) -> None:
    told = read_phases(multi)
    assert told.schedule == "multi-phase"
    judged = {phase.phase: (phase.reached[0].part, phase.reached[0].rows) for phase in told.phases}
    assert judged["artificial"] == ("dev of PQA-A", 4)
    assert judged["bootstrap"] == judged["final"] == ("test", people.size("test"))
    final = told.phases[-1]
    (score,) = api.score(people, [multi], split="test").on("test")
    assert fmean(one.accuracy for one in final.reached) == pytest.approx(score.estimate.value)
    assert score.classes is not None
    assert fmean(one.macro_f1 for one in final.reached) == pytest.approx(score.measures["macro_f1"].value)


@pytest.mark.parametrize("schedule", ["final", "phase-1-final", "phase-2-final", "single-phase"])
def test_every_schedule_trains_its_phases(
    schedule: str, people: store.Dataset, others: store.Dataset, tmp_path: Path
) -> None:
    found = trained(people, others, tmp_path / "run", folds=1, phases=schedule)
    names = [phase.name for phase in SCHEDULES[schedule]]
    assert [phase.phase for phase in read_phases(tmp_path / "run").phases] == names
    assert isinstance(found, Replicates)
    last = found.runs[0]
    assert last.folder == tmp_path / "run" / names[-1] / "fold-0"
    if schedule == "single-phase":
        assert last.facts.train.split == "A+U+L"
        assert last.facts.began is None


def test_an_interrupted_schedule_goes_on_to_the_same_weights(
    people: store.Dataset, others: store.Dataset, multi: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, count = Shallow.forward, [0]

    def forward(self: Shallow, batch: Any) -> Any:
        count[0] += self.training
        if self.training and count[0] in (3, 9, 14, 22):
            count[0] += 1
            raise KeyboardInterrupt
        return real(self, batch)

    monkeypatch.setattr(Shallow, "forward", forward)
    stops = 0
    while True:
        try:
            trained(people, others, tmp_path / "run")
            break
        except KeyboardInterrupt:
            stops += 1
    assert stops == 4
    assert (tmp_path / "run" / "phases.json").read_bytes() == (multi / "phases.json").read_bytes()


def test_what_is_finished_is_left_alone_also_beside_a_dataset_that_gives_a_phase_nothing(
    people: store.Dataset, others: store.Dataset, multi: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TrainingLoop, "_step", lambda *_: pytest.fail("trained again"))
    own = [made(999, "L", "yes", random.Random(5))]
    more = writing.write(tmp_path / "more", {"train": own}, {"dataset": "m", "kind": "decision"})
    for datasets in ([people, others], [people, others, more]):
        train_phases(RECIPE, datasets, multi, folds=2, device="cpu", threads=1)
    with pytest.raises(InputError, match="another train part"):
        train_phases(RECIPE, [people, others], multi, folds=2, limit=50, device="cpu", threads=1)


def test_a_folder_of_another_schedule_is_refused_or_replaced_whole(
    people: store.Dataset, others: store.Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "run"
    trained(people, others, run, folds=2, phases="phase-1-final")
    with pytest.raises(InputError, match="holds the schedule phase-1-final"):
        trained(people, others, run, folds=1, phases="final")
    with monkeypatch.context() as patch:
        patch.setattr(Shallow, "forward", interrupted)
        with pytest.raises(KeyboardInterrupt):
            trained(people, others, run, folds=1, phases="final", replace=True)
    for ask in (lambda: read_phases(run), lambda: api.score(people, [run])):
        with pytest.raises(InputError, match=r"not all of its phases are finished.*to go on"):
            ask()
    trained(people, others, run, folds=1, phases="final")
    assert sorted(entry.name for entry in run.rglob("*") if entry.name[:4] in ("fold", "phas", "fina")) == [
        *("final", "fold-0", "folds.json", "phases.json"),
    ]


def interrupted(*_: Any) -> Any:
    raise KeyboardInterrupt


def test_folds_that_hold_questions_of_the_test_part_are_refused(
    people: store.Dataset, others: store.Dataset, tmp_path: Path
) -> None:
    found = list(store.instances(people, store.ALL))
    halves = {"train": found[::2], "test": found[1::2]}
    own = writing.write(tmp_path / "own", halves, {"dataset": "pubmedqa", "kind": "decision"})
    with pytest.raises(InputError, match=r"questions of the authors' folds are not in its train part"):
        trained(own, others, tmp_path / "run")
    with pytest.raises(InputError, match=r"questions of the authors' folds are not in its train part"):
        api.train("shallow-features", own, tmp_path / "plain", folds=2)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["own"]


PATH: dict[str, Any] = {
    "phase": "../../x",
    "equation": "",
    "subsets": "L",
    "view": "v",
    "trained_on": [1],
    "began": [None],
    "weights": ["a"],
    "reached": [],
    "pseudo_labels": [],
}


@pytest.mark.parametrize("phases", [[], [PATH], None], ids=["no phase", "a path", "no JSON"])
def test_a_damaged_file_of_phases_is_one_line(phases: Any, people: store.Dataset, tmp_path: Path) -> None:
    run = tmp_path / "run"
    (run / "final").mkdir(parents=True)
    text = json.dumps({"schedule": "x", "phases": phases}) if phases is not None else "{"
    (run / "phases.json").write_text(text)
    for ask in (lambda: api.phases([run]), lambda: api.score(people, [run])):
        with pytest.raises(InputError, match=r"phases.json: cannot be read .*give the `anagnosis train` co"):
            ask()


def test_what_is_set_for_all_phases_holds_against_their_tables_and_the_page_has_the_papers_cell(
    people: store.Dataset, others: store.Dataset, tmp_path: Path
) -> None:
    name, out = "pubmedqa-shallow-features-multiphase", tmp_path / "run"
    settings = {"phases": "phase-1-final", "hidden": 4, "epochs": 1, "phase.final.epochs": 2}
    found = api.train(name, people, out, settings=settings, also=[others], threads=1)
    assert isinstance(found, Run)
    assert (found.folder, found.facts.train.rows) == (out / "final", people.size("train"))
    epochs = [load_run(out / phase).facts.epochs for phase in ("artificial", "final")]
    assert epochs == [1, 2], "the recipe's table says 3 for the first"
    record = api.phases([out])
    reached, _ = [block for block in api.report(record).blocks if hasattr(block, "rows")]
    rows = {row[1]: row for row in reached.rows}
    assert rows["artificial"][-2:] == (93.01, 54.59)
    assert rows["final"][-2:] == (57.48, 37.24)
    assert rows["final"][4] == f"{people.size('test')}"
    (phases,) = record.runs.values()
    assert [each.began for each in phases.phases] == [[None], [load_run(out / "artificial").facts.weights]]


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"phases": "multi"}, "unknown schedule 'multi'; did you mean multi-phase"),
        ({"phases": ["final"]}, "unknown schedule"),
        ({"phase": {"bootstraps": {}}}, "unknown phase 'bootstraps'; did you mean bootstrap"),
        ({"phase.final-one.epochs": 1}, "unknown phase 'final-one'"),
        ({"phase.final.epoch": 1}, "phase final: 1 problem: unknown key 'epoch'"),
        ({"phase": 3}, "phase is no table of settings"),
        ({"phase": {"artificial": 3}}, "phase is no table of settings"),
        ({"phase.final": 3}, "phase.final names no setting"),
        ({"phase.final.hidden": 8}, "hidden must be the same in all phases"),
        ({"phase": {"artificial": {"reader": "bilstm"}}}, "reader must be the same in all phases"),
        ({"phase.final.auxiliary": 0.1}, "auxiliary must be the same in all phases"),
        ({"pseudo_answer": "best"}, "unknown value of pseudo_answer 'best'"),
    ],
)
def test_what_cannot_be_is_one_line(
    changed: dict[str, Any], what: str, people: store.Dataset, others: store.Dataset, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=what):
        trained(people, others, tmp_path / "run", **changed)
    assert not (tmp_path / "run").exists()


def test_datasets_that_do_not_fit_are_one_line(
    people: store.Dataset, others: store.Dataset, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"no instance of PQA-A.*name a dataset that has some with --also"):
        train_phases(RECIPE, [people], tmp_path / "run", folds=1, device="cpu")
    with pytest.raises(InputError, match="--data is the dataset that they labelled"):
        trained(others, people, tmp_path / "run", folds=None)
    (tmp_path / "notes.txt").touch()
    with pytest.raises(InputError, match=r"holds other files \(notes.txt\)"):
        trained(people, others, tmp_path)
    with pytest.raises(InputError, match="--also does not apply to a recipe without phases"):
        api.train("pubmedqa-shallow-features", people, tmp_path / "run", also=[others])
    with pytest.raises(InputError, match="--seeds does not apply to a recipe with phases"):
        api.train(RECIPE, people, tmp_path / "run", also=[others], seeds=2)
    with pytest.raises(InputError, match="a schedule of phases is not searched"):
        api.tune(RECIPE, people, tmp_path / "run", trials=1)


def test_a_model_that_never_says_maybe_labels_nothing(
    people: store.Dataset, others: store.Dataset, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"the model never answers .*maybe.*pseudo_answer=over-share"):
        trained(people, others, tmp_path / "run", folds=1, rate=1e-9, pseudo_answer="highest")


def test_as_a_user_does_it(
    people: store.Dataset, multi: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANAGNOSIS_QUIET", raising=False)
    assert command(["phases", str(multi)]) == 0
    page = capsys.readouterr().out
    assert "bootstrap" in page
    assert "PQA-U" in page
    assert command(["phases", str(multi), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [phase["equation"] for phase in told["runs"]["run"]["phases"]] == ["1", "2", "3", "5", "6"]
    assert command(["phases", str(people.folder)]) == 2
    assert "no phases.json here" in capsys.readouterr().err
