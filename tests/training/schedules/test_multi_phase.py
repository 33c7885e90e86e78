"""PubMedQA's schedules: what each phase is trained on and begins with, resumed, refused, and told."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import pytest
from tests.decisions import rows, written
from tests.rows import each_row

from anagnosis import api
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


class Data(NamedTuple):
    """people: what they labelled. others: PQA-A and PQA-U."""

    people: store.Dataset
    others: store.Dataset


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Data:
    folder = tmp_path_factory.mktemp("data")
    found = rows(60, 40, 20)
    for row in found.values():
        row["LONG_ANSWER"] = SAYS[row["final_decision"]]
    people = api.import_dataset(written(folder / "l.json", found), folder / "people", layout="pubmedqa")
    draw = random.Random(3)
    labels = ["yes"] * 6 + ["no"] * 3 + ["maybe"]
    ours = [made(number, "A", draw.choice(labels[:9]), draw) for number in range(80)]
    ours += [made(number, "U", draw.choice(labels), draw) for number in range(60)]
    facts = {"dataset": "pubmedqa", "kind": "decision"}
    return Data(people, writing.write(folder / "others", {"train": ours}, facts))


def trained(
    data: Sequence[store.Dataset],
    out: Path,
    folds: int | None = 2,
    *,
    replace: bool = False,
    **changed: Any,
) -> Run | Replicates:
    given = {**RECIPE, **changed}
    return train_phases(given, data, out, folds=folds, replace=replace, device="cpu", threads=1)


@pytest.fixture(scope="module")
def multi(data: Data, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("phases") / "run"
    found = trained(data, out)
    assert isinstance(found, Replicates)
    assert [run.folder.parent.name for run in found.runs] == ["final", "final"]
    return out


def test_each_phase_begins_with_the_weights_and_sees_the_subset_that_the_paper_says(
    multi: Path, data: Data
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
    fold = len(split_of(data.people).train(1))
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


def test_pseudo_labels_have_people_s_proportions_and_are_told(multi: Path, data: Data) -> None:
    (file,) = (multi / "bootstrap" / "fold-1").glob("pseudo-labels-*.json")
    found = json.loads(file.read_text())
    labels = {i.id: i.label for i in store.instances(data.people, store.ALL)}
    own = [labels[ident] for ident in split_of(data.people).train(1)]
    total = sum(found["kept"].values())
    assert total == len(found["instances"]) > 0
    for label in LABELS:
        assert abs(found["kept"][label] - total * own.count(label) / len(own)) < 1
    facts = load_run(multi / "pseudo-labelled" / "fold-1").facts
    assert facts.dev is not None
    assert facts.train.rows + facts.dev.rows == total


def test_every_phase_is_judged_where_its_table_judges_it(multi: Path, data: Data) -> None:
    told = read_phases(multi)
    assert told.schedule == "multi-phase"
    assert [phase.equation for phase in told.phases] == ["1", "2", "3", "5", "6"]
    with pytest.raises(InputError, match=r"no phases\.json here"):
        read_phases(data.people.folder)
    judged = {phase.phase: (phase.reached[0].part, phase.reached[0].rows) for phase in told.phases}
    assert judged["artificial"] == ("dev of PQA-A", 4)
    assert judged["bootstrap"] == judged["final"] == ("test", data.people.size("test"))
    final = told.phases[-1]
    (score,) = api.score(data.people, [multi], split="test").on("test")
    assert fmean(one.accuracy for one in final.reached) == pytest.approx(score.estimate.value)
    assert score.classes is not None
    assert fmean(one.macro_f1 for one in final.reached) == pytest.approx(score.measures["macro_f1"].value)


@pytest.mark.parametrize("schedule", ["final", "phase-1-final", "phase-2-final", "single-phase"])
def test_every_schedule_trains_its_phases(schedule: str, data: Data, tmp_path: Path) -> None:
    found = trained(data, tmp_path / "run", folds=1, phases=schedule)
    names = [phase.name for phase in SCHEDULES[schedule]]
    assert [phase.phase for phase in read_phases(tmp_path / "run").phases] == names
    assert isinstance(found, Replicates)
    last = found.runs[0]
    assert last.folder == tmp_path / "run" / names[-1] / "fold-0"
    if schedule == "single-phase":
        assert last.facts.train.split == "A+U+L"
        assert last.facts.began is None


def test_an_interrupted_schedule_goes_on_to_the_same_weights(
    data: Data, multi: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
            trained(data, tmp_path / "run")
            break
        except KeyboardInterrupt:
            stops += 1
    assert stops == 4
    assert (tmp_path / "run" / "phases.json").read_bytes() == (multi / "phases.json").read_bytes()


def test_what_is_finished_is_left_alone_also_beside_a_dataset_that_gives_a_phase_nothing(
    data: Data, multi: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TrainingLoop, "_step", lambda *_: pytest.fail("trained again"))
    own = [made(999, "L", "yes", random.Random(5))]
    more = writing.write(tmp_path / "more", {"train": own}, {"dataset": "m", "kind": "decision"})
    for datasets in (data, [*data, more]):
        train_phases(RECIPE, datasets, multi, folds=2, device="cpu", threads=1)
    with pytest.raises(InputError, match="another train part"):
        train_phases(RECIPE, data, multi, folds=2, limit=50, device="cpu", threads=1)


def test_a_folder_of_another_schedule_is_refused_or_replaced_whole(
    data: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "run"
    trained(data, run, folds=2, phases="phase-1-final")
    with pytest.raises(InputError, match="holds the schedule phase-1-final"):
        trained(data, run, folds=1, phases="final")
    with monkeypatch.context() as patch:
        patch.setattr(Shallow, "forward", interrupted)
        with pytest.raises(KeyboardInterrupt):
            trained(data, run, folds=1, phases="final", replace=True)
    for ask in (lambda: read_phases(run), lambda: api.score(data.people, [run])):
        with pytest.raises(InputError, match=r"not all of its phases are finished.*to go on"):
            ask()
    trained(data, run, folds=1, phases="final")
    assert sorted(entry.name for entry in run.rglob("*") if entry.name[:4] in ("fold", "phas", "fina")) == [
        *("final", "fold-0", "folds.json", "phases.json"),
    ]


def interrupted(*_: Any) -> Any:
    raise KeyboardInterrupt


def test_folds_that_hold_questions_of_the_test_part_are_refused(data: Data, tmp_path: Path) -> None:
    found = list(store.instances(data.people, store.ALL))
    halves = {"train": found[::2], "test": found[1::2]}
    own = writing.write(tmp_path / "own", halves, {"dataset": "pubmedqa", "kind": "decision"})
    with pytest.raises(InputError, match=r"questions of the authors' folds are not in its train part"):
        trained([own, data.others], tmp_path / "run")
    with pytest.raises(InputError, match=r"questions of the authors' folds are not in its train part"):
        api.train("shallow-features", own, tmp_path / "plain", folds=2)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["own"]


@each_row("damaged", ["no phase", "a path", "no JSON"])
def test_a_damaged_file_of_phases_is_one_line(damaged: str, multi: Path, data: Data, tmp_path: Path) -> None:
    run = tmp_path / "run"
    (run / "final").mkdir(parents=True)
    whole = (multi / "phases.json").read_text()
    texts = {
        "no phase": json.dumps({"schedule": "x", "phases": []}),
        "a path": whole.replace('"phase": "final"', '"phase": "../../x"'),
        "no JSON": "{",
    }
    assert texts["a path"] != whole
    (run / "phases.json").write_text(texts[damaged])
    for ask in (lambda: api.phases([run]), lambda: api.score(data.people, [run])):
        with pytest.raises(InputError, match=r"phases.json: cannot be read .*give the `anagnosis train` co"):
            ask()


def test_what_is_set_for_all_phases_holds_against_their_tables_and_the_page_has_the_papers_cell(
    data: Data, tmp_path: Path
) -> None:
    name, out = "pubmedqa-shallow-features-multiphase", tmp_path / "run"
    settings = {"phases": "phase-1-final", "hidden": 4, "epochs": 1, "phase.final.epochs": 2}
    found = api.train(name, data.people, out, settings=settings, also=[data.others], threads=1)
    assert isinstance(found, Run)
    assert (found.folder, found.facts.train.rows) == (out / "final", data.people.size("train"))
    epochs = [load_run(out / phase).facts.epochs for phase in ("artificial", "final")]
    assert epochs == [1, 2], "the recipe's table says 3 for the first"
    record = api.phases([out])
    reached, _ = [block for block in api.report(record).blocks if hasattr(block, "rows")]
    rows = {row[1]: row for row in reached.rows}
    assert rows["artificial"][-2:] == (93.01, 54.59)
    assert rows["final"][-2:] == (57.48, 37.24)
    assert rows["final"][4] == f"{data.people.size('test')}"
    (phases,) = record.runs.values()
    assert [each.began for each in phases.phases] == [[None], [load_run(out / "artificial").facts.weights]]


@each_row(
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
def test_what_cannot_be_is_one_line(changed: dict[str, Any], what: str, data: Data, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=what):
        trained(data, tmp_path / "run", **changed)
    assert not (tmp_path / "run").exists()


def test_datasets_that_do_not_fit_are_one_line(data: Data, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no instance of PQA-A.*name a dataset that has some with --also"):
        train_phases(RECIPE, [data.people], tmp_path / "run", folds=1, device="cpu")
    with pytest.raises(InputError, match="--data is the dataset that they labelled"):
        trained(data[::-1], tmp_path / "run", folds=None)
    (tmp_path / "notes.txt").touch()
    with pytest.raises(InputError, match=r"holds other files \(notes.txt\)"):
        trained(data, tmp_path)
    with pytest.raises(InputError, match="also does not apply to a recipe without phases"):
        api.train("pubmedqa-shallow-features", data.people, tmp_path / "run", also=[data.others])
    with pytest.raises(InputError, match="seeds does not apply to a recipe with phases"):
        api.train(RECIPE, data.people, tmp_path / "run", also=[data.others], seeds=2)
    with pytest.raises(InputError, match="a schedule of phases is not searched"):
        api.tune(RECIPE, data.people, tmp_path / "run", trials=1)


def test_a_model_that_never_says_maybe_labels_nothing(data: Data, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the model never answers .*maybe.*pseudo_answer=over-share"):
        trained(data, tmp_path / "run", folds=1, rate=1e-9, pseudo_answer="highest")
