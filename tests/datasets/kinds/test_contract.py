"""What holds for every kind of instances, other packages' included: a new one needs a sample and no other line here.

Our own samples are in samples.py, beside this file. Another package gives its sample as an entry point of the group
`anagnosis.kinds.samples`: a function that returns the fields of `Sample`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pyarrow.parquet as pq
import pytest
from tests.builds import contents
from tests.datasets.export import samples as layouts
from tests.datasets.kinds.samples import Sample, sample
from tests.packages import installed

from anagnosis import api, readers
from anagnosis.cli import run
from anagnosis.datasets.export.layouts import is_written, layout_names, view_layout_names
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds import GROUP, KINDS
from anagnosis.datasets.kinds.kind import Kind
from anagnosis.datasets.kinds.table import every_view, kind_names, named
from anagnosis.datasets.question_keys import key_of
from anagnosis.errors import InputError
from anagnosis.evaluation.dataset_statistics import DatasetStatistics, InstanceWithAnswers
from anagnosis.evaluation.measures import measure as measures
from anagnosis.evaluation.measures.measure import Measure
from anagnosis.evaluation.scoring import judged_rows
from anagnosis.folder_names import CALIBRATION
from anagnosis.predictions.annotators import Voice
from anagnosis.predictions.problems import Problems
from anagnosis.readers.predict import kind_read
from anagnosis.registry import load
from anagnosis.reports import records, render
from anagnosis.reports.datasets import kinds as kind_reports
from anagnosis.searching.answers.readers import ROLES, load_readers
from anagnosis.submissions.label_factors import factors_of

Check = Callable[[Kind, Sample, Path], None]


def stored(kind: Kind, folder: Path, **splits: Sequence[Any]) -> Dataset:
    return writing.write(folder, splits, {"dataset": "made", "kind": kind.name})


def several(kind: Kind, given: Sample) -> list[Any]:
    change = msgspec.structs.replace
    return [
        given.instance,
        change(given.withheld, id="withheld"),
        *(change(one, id=fault) for fault, one in given.faulty.items()),
    ]


def leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """(path, value) of each leaf of plain data."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from leaves(each, (*path, str(name)))
    elif isinstance(value, list | tuple):
        for place, each in enumerate(value):
            yield from leaves(each, (*path, str(place)))
    else:
        yield path, value


def references(kind: Kind) -> Iterator[str]:
    """Functions that the kind names for its trained readers and for people."""
    if kind.calibration is not None:
        yield from (getattr(kind.calibration, field.name) for field in fields(kind.calibration))
    if kind.answer_reader is not None:
        yield kind.answer_reader.load
    if kind.answer_pages is not None:
        yield from (kind.answer_pages.draw, kind.answer_pages.study)


def names_what_there_is(kind: Kind, given: Sample, folder: Path) -> None:
    assert isinstance(given.instance, kind.record)
    assert all((kind.holds, kind.card.tags, kind.card.about, kind.card.columns, kind.measures))
    assert kind.layout in (*layout_names(), *view_layout_names())
    assert kind.usual_view in kind.views
    assert set(kind.views) <= set(every_view())
    for name in kind.measures:
        measures.named(name).demand(kind.name, "")
    for name in kind.baselines:
        assert readers.canonical(name) == name or name in readers.READERS
    for reference in filter(None, [*kind.factors.values(), *references(kind)]):
        assert callable(load(reference))
    if kind.answer_reader is not None:
        assert kind.answer_reader.role in ROLES
    if kind.prompts is not None:
        assert kind.prompts.view in kind.prompts.texts
        assert set(kind.prompts.texts) == set(kind.views)


def comes_back_from_parquet_as_it_was(kind: Kind, given: Sample, folder: Path) -> None:
    found = several(kind, given)
    for rows in (1, 2, len(found)):
        tables = [*kind.tables(iter(found), rows)]
        assert all(table.schema.equals(kind.schema) and table.num_rows <= rows for table in tables)
        for number, table in enumerate(tables):
            pq.write_table(table, folder / f"{number}.parquet")
        back = [
            one for n in range(len(tables)) for one in kind.instances(pq.read_table(folder / f"{n}.parquet"))
        ]
        assert back == found
    assert [*kind.tables(iter(()), 5)] == []


def has_its_pinned_schema(kind: Kind, given: Sample, folder: Path) -> None:
    assert str(kind.schema) == given.schema


def has_gold_that_its_columns_tell_too(kind: Kind, given: Sample, folder: Path) -> None:
    keys = kind.keys(given.instance)
    assert [*kind.right(given.instance)] == [*given.right]
    assert not [*kind.right(given.withheld)]
    assert len(set(keys)) == len(keys) > max(given.right)
    withheld = msgspec.structs.replace(given.withheld, id="withheld")
    dataset = stored(kind, folder / "built", test=[given.instance, withheld])
    gold = Gold.of(dataset, "test", tokens=True)
    assert (gold.kind, gold.labels) == (kind.name, kind.labels)
    assert gold.answer.tolist() == [given.right[0], -1]
    assert gold.keys(gold.ids.rows([given.instance.id]))[0] == keys
    assert dict(store.ids_and_keys(dataset, "test")) == {given.instance.id: keys, "withheld": keys}
    assert gold.fingerprint == store.fingerprint(dataset, "test")
    if kind.labels:
        assert keys == [*kind.labels]


def names_each_fault(kind: Kind, given: Sample, folder: Path) -> None:
    assert not [*kind.faults(given.instance, "original")]
    assert not [*kind.faults(given.withheld, "original")]
    for fault, instance in given.faulty.items():
        assert fault in [name for name, _ in kind.faults(instance, "original")]
    found = api.check(stored(kind, folder / "built", train=several(kind, given)))
    assert given.faulty.keys() <= found.counts.keys()


def shows_a_reader_the_same_without_the_gold(kind: Kind, given: Sample, folder: Path) -> None:
    """What tells the gold in a view is its target fields and nothing else."""
    assert kind.views
    for name, view in kind.views.items():
        right, targets = given.views.get(name, (given.right[0], given.targets))
        shown, without = (view(one, "original", "global") for one in (given.instance, given.withheld))
        assert shown.id == given.instance.id
        assert (shown.target if hasattr(shown, "target") else shown.answer) == right
        assert (without.target if hasattr(without, "target") else without.answer) in (-1, None)
        first, second = (dict(leaves(msgspec.to_builtins(one))) for one in (shown, without))
        assert first.keys() == second.keys()
        differ = {path[-1] for path in first if first[path] != second[path]}
        assert differ <= targets
        assert key_of(shown) == key_of(without) == key_of(given.instance)


def stands_without_an_instance(kind: Kind, given: Sample, folder: Path) -> None:
    dataset = stored(kind, folder / "built", test=[])
    again = api.load(dataset.folder)
    assert (again.kind, again.size("all")) == (kind, 0)
    assert api.check(again).sound
    assert render(api.report(api.show(again)), ".txt")
    assert not again.rows
    if kind.rows is not None:
        assert api.export(again, folder / "out", layout="jsonl") == []


def stands_with_one_instance(kind: Kind, given: Sample, folder: Path) -> None:
    dataset = stored(kind, folder / "built", test=[given.instance])
    assert [*store.instances(dataset, "test")] == [given.instance]
    assert store.find(dataset, given.instance.id) == ("test", given.instance)
    assert api.check(dataset).sound
    assert kind.holds in repr(dataset)
    for format in (".txt", ".html"):
        assert dataset.folder.name in render(api.report(api.show(dataset)), format)
        assert given.instance.id in render(api.report(api.show_instance(dataset, given.instance.id)), format)
    drawn = api.sample(dataset, folder / "sample", settings={"train": 0, "dev": 0, "test": 1})
    assert [*store.instances(drawn, "test")] == [given.instance]
    if kind.rows is not None:
        for view in kind.views:
            (made,) = api.export(dataset, folder / view, layout="jsonl", view=view)
            (row,) = map(json.loads, made.path.read_text("utf-8").splitlines())
            assert row["id"] == given.instance.id
    if kind.prompts is not None:
        for view, prompt in kind.prompts.texts.items():
            api.export(dataset, folder / f"tasks-{view}", layout="lm-eval", view=view)
            (task,) = (folder / f"tasks-{view}").glob("*_test.yaml")
            assert prompt.splitlines()[0] in task.read_text("utf-8")


def gives_records_with_a_schema(kind: Kind, given: Sample, folder: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema_rs")
    withheld = msgspec.structs.replace(given.withheld, id="withheld")
    dataset = stored(kind, folder / "built", train=[withheld], test=[given.instance])
    counted = get_type_hints(load(kind.statistics))["return"]
    ident = given.instance.id
    for record, kind_of_record in (
        (api.show(dataset), DatasetStatistics[counted]),
        (api.show_instance(dataset, ident), InstanceWithAnswers[kind.record]),
    ):
        validator = jsonschema.validator_for(records.schema(kind_of_record))
        printed = json.loads(records.as_json(record))
        assert [str(error) for error in validator.iter_errors(printed)] == []
        assert not validator.is_valid({key: value for key, value in printed.items() if key != "kind"})


def counts_two_instances_of_one_id(kind: Kind, given: Sample, folder: Path) -> None:
    found = api.check(stored(kind, folder / "built", train=[given.instance], test=[given.instance]))
    assert found.counts == {"repeated_id": 1}


def comes_back_from_its_layout(kind: Kind, given: Sample, folder: Path) -> None:
    if kind.layout not in layout_names():
        (made,) = api.export(stored(kind, folder / "built", test=[given.instance]), folder / "out")
        assert (made.path.name, made.instances) == (f"test.{kind.layout}", 1)
        return
    files = layouts.sample(kind.layout).files
    for name, data in files.items():
        (folder / name).write_bytes(data)
    given_path = folder if len(files) > 1 else folder / next(iter(files))
    dataset = api.import_dataset(given_path, folder / "built", layout=kind.layout)
    assert dataset.kind == kind
    assert is_written(kind.layout)
    assert {one.path.name: one.path.read_bytes() for one in api.export(dataset, folder / "out")} == dict(
        files
    )


def has_a_public_copy_that_its_answers_do_not_change(kind: Kind, given: Sample, folder: Path) -> None:
    """Two datasets that differ in what is withheld alone have the same copy, whatever the order of their rows."""
    other, train = (msgspec.structs.replace(given.instance, id=name) for name in ("other", "train"))
    for name, withholding in kind.withholdings.items():
        assert withholding.what
        instances = (given.instance, given.otherwise[name])
        assert instances[0] != instances[1]
        copies: list[dict[str, bytes]] = []
        for number, instance in enumerate(instances):
            rows = [instance, other] if number else [other, instance]
            dataset = stored(kind, folder / f"{name}-{number}", train=[train], test=rows)
            found = api.withhold(dataset, folder / f"{name}-{number}-public", hide=name)
            copies.append(contents(found.dataset.folder))
            assert api.check(found.dataset).sound
            assert found.fingerprint == store.fingerprint(dataset, "test")
            assert (
                copies[-1]["data/train-00000-of-00001.parquet"]
                == contents(dataset.folder)["data/train-00000-of-00001.parquet"]
            )
        assert copies[0] == copies[1]


def has_no_gold_in_its_public_copy(kind: Kind, given: Sample, folder: Path) -> None:
    dataset = stored(kind, folder / "built", test=[given.instance])
    for name, withholding in kind.withholdings.items():
        public = api.withhold(dataset, folder / name, hide=name).dataset
        (instance,) = store.instances(public, "test")
        assert instance == withholding.of(given.instance) != given.instance
        gold = Gold.of(public, "test", free=True)
        measured = [measures.named(measure) for measure in withholding.measures]
        assert measured
        assert not [measure.name for measure in measured if _judges(gold, measure)]
        assert render(api.report(api.show(public)), ".txt")
        assert render(api.report(api.show_instance(public, given.instance.id)), ".txt")
        if kind.rows is not None:
            (made,) = api.export(public, folder / f"{name}-rows", layout="jsonl")
            assert made.instances == 1


def _judges(gold: Gold, measure: Measure) -> bool:
    """Whether a measure has a value on a split."""
    try:
        rows = judged_rows(gold, measure)
    except InputError:
        return False
    run = Voice(gold).matched("nobody", Problems())
    return bool(measure.of_run(gold, run, "thesis").counted[rows].any())


CHECKS: tuple[Check, ...] = (
    names_what_there_is,
    comes_back_from_parquet_as_it_was,
    has_its_pinned_schema,
    has_gold_that_its_columns_tell_too,
    names_each_fault,
    shows_a_reader_the_same_without_the_gold,
    stands_without_an_instance,
    stands_with_one_instance,
    gives_records_with_a_schema,
    counts_two_instances_of_one_id,
    comes_back_from_its_layout,
    has_a_public_copy_that_its_answers_do_not_change,
    has_no_gold_in_its_public_copy,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", kind_names())
def test_a_kind_keeps_the_contract(name: str, check: Check, tmp_path: Path) -> None:
    check(named(name), sample(name), tmp_path)


def test_each_of_our_kinds_says_what_a_public_copy_leaves_out() -> None:
    assert all(named(name).withholdings for name in KINDS)


def test_both_tables_have_the_same_kinds() -> None:
    assert [*kind_reports.KIND_REPORTS] == [*KINDS]
    assert [named(name).name for name in KINDS] == [*KINDS]


def test_no_two_kinds_have_a_view_of_one_name() -> None:
    views = [view for name in KINDS for view in named(name).views]
    assert len(set(views)) == len(views)


def test_a_kind_without_a_sample_is_told_what_to_add() -> None:
    with pytest.raises(
        pytest.fail.Exception, match=r'entry point "theirs" of the group "anagnosis.kinds.sam'
    ):
        sample("theirs")


# --- another package's kind --------------------------------------------------------------------------

KIND = '''
"""Toy kind: a question with options, of which one is right."""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import pyarrow as pa

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.kind import AnswerReader, Calibration, Card, GoldColumns, Kind, Rows, Withholding

_TEXTS = pa.list_(pa.field("item", pa.string(), False))
SCHEMA = pa.schema(
    [
        pa.field("id", pa.string(), False),
        pa.field("question", pa.string(), False),
        pa.field("options", _TEXTS, False),
        pa.field("right", pa.int32(), True),
    ]
)


class Options(msgspec.Struct, frozen=True, gc=False):
    """right: index into the options, None where it is withheld."""

    id: str
    question: str
    options: tuple[str, ...]
    right: int | None = None

    @property
    def answer(self):
        return self.right


def tables(instances, rows):
    group = []
    for instance in instances:
        group.append(msgspec.to_builtins(instance))
        if len(group) == rows:
            yield pa.Table.from_pylist(group, schema=SCHEMA)
            group = []
    if group:
        yield pa.Table.from_pylist(group, schema=SCHEMA)


def instances(batch):
    for row in batch.to_pylist():
        yield Options(row["id"], row["question"], tuple(row["options"]), row["right"])


def batch_keys(batch):
    return iter(batch.column("options").to_pylist())


def gold(batch):
    rows = batch.to_pylist()
    candidate = pa.struct(
        [("key", pa.string()), ("type", pa.string()), ("number", pa.int32()), ("names", pa.list_(pa.string()))]
    )
    return pa.RecordBatch.from_pydict(
        {
            "id": [row["id"] for row in rows],
            "document": [row["id"] for row in rows],
            "candidates": pa.array(
                [
                    [{"key": each, "type": "", "number": -1, "names": []} for each in row["options"]]
                    for row in rows
                ],
                pa.list_(candidate),
            ),
            "answer": pa.array([row["right"] for row in rows], pa.int32()),
        }
    )


def faults(instance, text_form):
    if len(set(instance.options)) < len(instance.options):
        yield "options_repeat", "an option stands twice"


def plain_row(instance, viewed):
    return {"id": instance.id, "question": instance.question, "options": list(instance.options)}


def sample():
    found = Options("q1", "Which is longest?", ("tea", "coffee", "milk"), 1)
    return {
        "instance": found,
        "right": (1,),
        "withheld": msgspec.structs.replace(found, right=None),
        "targets": frozenset({"right"}),
        "otherwise": {"options": msgspec.structs.replace(found, right=2)},
        "faulty": {"options_repeat": msgspec.structs.replace(found, options=("tea", "tea"), right=0)},
        "schema": str(SCHEMA),
    }


def fitted(run, dataset, resources, split=None):
    from anagnosis.calibration.run_parameters import RunParameters

    return RunParameters(run.digests[0], dataset.name, split or "dev", 7, 0.5, 0.25, temperature=2.0)


def loaded(folder, device, threads):
    return lambda question: f"list by {folder.name}"


def option_counts(dataset, split):
    from anagnosis.datasets.folder import store
    from anagnosis.evaluation.breakdown import labelled

    return labelled("options", (f"{len(each.options)} options" for each in store.instances(dataset, split)), ())


def longest(instance: Options) -> list[float]:
    """Toy reader: the longest option."""
    return [float(len(option)) for option in instance.options]


@dataclass(frozen=True)
class Counted:
    options: int


def counted(dataset, options) -> Counted:
    options.refuse_labels(str(dataset.folder))
    return Counted(
        sum(len(each.options) for split in dataset.rows for each in store.instances(dataset, split))
    )


KIND = Kind(
    name="options",
    holds="questions with options",
    record=Options,
    schema=SCHEMA,
    tables=tables,
    instances=instances,
    keys=lambda instance: [*instance.options],
    key_columns=("id", "options"),
    batch_keys=batch_keys,
    right=lambda instance: [] if instance.right is None else [instance.right],
    gold=GoldColumns(("id", "options", "right"), gold),
    faults=faults,
    views={"options": lambda instance, text_form, numbering: instance},
    usual_view="options",
    layout="jsonl",
    card=Card("[toy]", ("Questions with options.",), ("`id`, `question`, `options`, `right`.",)),
    protocols=("expected", "answer"),
    measures=("accuracy",),
    factors={"options": "toy_kind:option_counts"},
    withholdings={
        "options": Withholding("the right option", lambda one: msgspec.structs.replace(one, right=None), ("accuracy",))
    },
    calibration=Calibration(runs="toy_kind:fitted"),
    answer_reader=AnswerReader("question-type", "toy_kind:loaded"),
    statistics="toy_kind:counted",
    rows=Rows(
        pa.schema([("id", pa.string()), ("question", pa.string()), ("options", pa.list_(pa.string()))]), plain_row
    ),
)
'''
REPORT = '''
"""The reports of the toy kind."""

from anagnosis.reports.datasets.kind_reports import KindReports
from anagnosis.reports.report import Listing, Report, item


def statistics(record):
    return [Listing((item("options", str(record.options)),))]


def instance(record):
    lines = [item(f"{n}", option) for n, option in enumerate(record.instance.options)]
    lines += [item(f"answer of {each.name}", str(each.candidate)) for each in record.answers]
    return Report(f"Instance {record.instance.id}", (Listing(tuple(lines)),))


REPORTS = KindReports(statistics, instance)
'''
LEARNER = '''
"""Toy reader that learns: a weight for the length of an option."""

from typing import ClassVar

import msgspec
import torch

from anagnosis.readers.learning import ALL_AT_ONCE, Embeddings, Output, Settings


class Config(Settings, frozen=True, kw_only=True):
    kind: ClassVar[str] = "options"
    view: str = "options"


class Example(msgspec.Struct, frozen=True):
    id: str
    size: int
    target: int
    lengths: list[int]


class Batch:
    def __init__(self, lengths, target):
        self.lengths, self.target = lengths, target

    def to(self, device):
        return Batch(self.lengths.to(device), self.target.to(device))


class Weight(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1))

    def forward(self, batch):
        logs = (self.weight * batch.lengths).log_softmax(1)
        losses = -logs.gather(1, batch.target.clamp(min=0)[:, None]).squeeze(1) * (batch.target >= 0)
        return Output(logs, {"answer": losses})


class Learner:
    device, example = torch.device("cpu"), Example

    def encode(self, material):
        for each in material.viewed():
            target = -1 if each.right is None else each.right
            yield Example(each.id, 1, target, [len(option) for option in each.options])

    def collate(self, examples):
        lengths = torch.tensor([each.lengths for each in examples], dtype=torch.float32)
        return Batch(lengths, torch.tensor([each.target for each in examples]))

    def model(self):
        return Weight()

    def phases(self):
        return ALL_AT_ONCE

    def embeddings(self):
        return Embeddings(0, 0)

    def save(self, folder):
        pass


def prepare(config, training):
    return Learner()


def restore(config, folder):
    return Learner()


SAVES = ()
'''


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kind:
    """A kind of another package, which is installed while the test runs."""
    groups = {
        GROUP: "options = toy_kind:KIND",
        f"{GROUP}.samples": "options = toy_kind:sample",
        "anagnosis.readers": "longest-option = toy_kind:longest\noption-learner = toy_learner",
    }
    monkeypatch.syspath_prepend(installed(tmp_path / "kinds", "toy_kind", KIND, groups))
    (tmp_path / "kinds/toy_learner.py").write_text(LEARNER, "utf-8")
    monkeypatch.syspath_prepend(
        installed(
            tmp_path / "reports", "toy_reports", REPORT, {kind_reports.GROUP: "options = toy_reports:REPORTS"}
        )
    )
    return named("options")


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_kind_of_another_package_keeps_the_contract(toy: Kind, check: Check, tmp_path: Path) -> None:
    check(toy, sample(toy.name), tmp_path)


def test_another_packages_kind_is_checked_shown_predicted_scored_and_exported(
    toy: Kind, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    options = toy.record
    questions = [
        options(f"q{n}", "Which is longest?", ("tea", "coffee", "milk"), 1 if n < 3 else 2) for n in range(4)
    ]
    built, answers = str(stored(toy, tmp_path / "built", test=questions).folder), str(tmp_path / "a.jsonl")
    assert kind_read("longest-option") == "options"
    for line in (
        ["check", built],
        ["show", built],
        ["predict", "longest-option", built, "--split", "test", "--out", answers],
        ["show", built, "--instance", "q1", answers],
        ["score", built, answers, "--view", "options", "--protocol", "answer"],
        ["report", built, answers, "--out", str(tmp_path / "report.html")],
        ["export", built, "--out", str(tmp_path / "out")],
        [
            "sample",
            built,
            "--set",
            "train=0",
            "--set",
            "dev=0",
            "--set",
            "test=2",
            "--out",
            str(tmp_path / "two"),
        ],
    ):
        capfd.readouterr()
        assert run(line) == 0, (line, capfd.readouterr().err)
        told = capfd.readouterr().out
        if line[0] == "score":
            assert "75.00" in told
        if line[0] == "show":
            assert "coffee" in told or "12" in told
    assert len((tmp_path / "out/test.jsonl").read_text("utf-8").splitlines()) == 4
    assert run(["score", built, answers, "--view", "local"]) == 2
    assert "unknown view 'local'" in capfd.readouterr().err
    assert run(["predict", "first-entity", built, "--split", "test", "--out", str(tmp_path / "b.jsonl")]) == 2
    assert "holds questions with options, and cloze questions are needed here" in capfd.readouterr().err


def test_another_packages_kind_says_how_its_runs_are_trained_calibrated_and_used_in_answers(
    toy: Kind, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    options, names = toy.record, ("tea", "coffee", "milk")
    parts = {
        split: [options(f"{split}{n}", f"Which is longest, {split} {n}?", names, 1) for n in range(4)]
        for split in ("train", "dev")
    }
    built = str(stored(toy, tmp_path / "built", **parts).folder)
    recipe, folder = tmp_path / "toy.toml", tmp_path / "readers/question-type"
    recipe.write_text('reader = "option-learner"\nepochs = 2\nstop = "accuracy"\n', "utf-8")
    for line in (
        ["train", str(recipe), "--data", built, "--out", str(folder), "--device", "cpu"],
        ["calibrate", str(folder), built, "--split", "dev"],
    ):
        capfd.readouterr()
        assert run(line) == 0, (line, capfd.readouterr().err)
    assert "Parameters fitted for each run" in capfd.readouterr().out
    assert json.loads((folder / CALIBRATION).read_text("utf-8"))["temperature"] == 2
    for place in (folder, folder.parent):
        assert load_readers(place).kind("Is it?") == "list by question-type"
    (tmp_path / "others").mkdir()
    folder.rename(tmp_path / "others/evidence")
    with pytest.raises(
        InputError, match=r"option-learner is no reader for the folder evidence.*question-type"
    ):
        load_readers(tmp_path / "others")
    assert run(["calibrate", str(tmp_path / "others/evidence"), built, "--index", str(tmp_path)]) == 2
    assert "only readers of sentences are fitted over a collection" in capfd.readouterr().err


def test_another_packages_kind_names_the_factors_that_its_scores_are_taken_apart_by(
    toy: Kind, tmp_path: Path
) -> None:
    questions = [toy.record(f"q{n}", "Which?", ("tea", "coffee", "milk")[: 2 + n % 2], 1) for n in range(4)]
    dataset = stored(toy, tmp_path / "built", test=questions)
    (factor,) = factors_of(dataset, "test", None)
    assert (factor.name, factor.labels) == ("options", ("2 options", "3 options"))


def test_a_folder_of_a_kind_that_is_not_installed_is_refused_with_the_kinds_that_are(tmp_path: Path) -> None:
    dataset = stored(named("decision"), tmp_path / "built", test=[sample("decision").instance])
    recipe = dataset.folder / "recipe.toml"
    recipe.write_text(recipe.read_text("utf-8").replace("decision", "options"), "utf-8")
    with pytest.raises(InputError, match="unknown kind of instances 'options'; did you mean question"):
        api.load(dataset.folder)
