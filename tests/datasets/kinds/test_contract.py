"""What holds for every kind of instances: a new one needs a sample (samples.py) and no line here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pyarrow.parquet as pq
import pytest
from tests.builds import contents
from tests.datasets.kinds.samples import Sample, sample

from anagnosis import api, readers
from anagnosis.datasets.export.layouts import LAYOUTS, VIEW_LAYOUTS
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds import KINDS
from anagnosis.datasets.kinds.kind import Kind
from anagnosis.datasets.kinds.table import every_view, named
from anagnosis.datasets.question_keys import key_of
from anagnosis.datasets.shortcuts import SHORTCUT_READERS
from anagnosis.errors import InputError
from anagnosis.evaluation.dataset_statistics import DatasetStatistics, InstanceWithAnswers
from anagnosis.evaluation.measures import measure as measures
from anagnosis.evaluation.measures.measure import Measure
from anagnosis.evaluation.protocols import SCORING
from anagnosis.evaluation.scoring import judged_rows
from anagnosis.io.counts import Counts
from anagnosis.predictions.annotators import Matching
from anagnosis.registry import load
from anagnosis.reports import records, render
from anagnosis.reports.datasets import kinds as kind_reports

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


def names_what_there_is(kind: Kind, given: Sample, folder: Path) -> None:
    assert isinstance(given.instance, kind.record)
    assert kind.holds
    assert kind.layout in (*LAYOUTS, *VIEW_LAYOUTS)
    assert kind.usual_view in kind.views
    assert set(kind.views) <= set(every_view())
    for name in SCORING[kind.name].measures:
        measures.named(name).demand(kind.name, "")
    for name in SHORTCUT_READERS[kind.name]:
        assert readers.canonical(name) == name or name in readers.READERS


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
    assert len(set(keys)) == len(keys) > max(given.right)
    withheld = msgspec.structs.replace(given.withheld, id="withheld")
    dataset = stored(kind, folder / "built", test=[given.instance, withheld])
    gold = Gold.of(dataset, "test")
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
    assert not again.sizes
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
    assert [*store.instances(drawn, "test")] == [given.instance] == dataset["test"][:9]
    assert dataset["test"][5:] == []
    for view in kind.views:
        (made,) = api.export(dataset, folder / view, layout="jsonl", view=view)
        (row,) = map(json.loads, made.path.read_text("utf-8").splitlines())
        assert row["id"] == given.instance.id
        assert dataset["test"].to_arrow(view).to_pylist() == [row]


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


def is_written_in_its_layout(kind: Kind, given: Sample, folder: Path) -> None:
    (made,) = api.export(stored(kind, folder / "built", test=[given.instance]), folder / "out")
    assert made.instances == 1
    if kind.layout in LAYOUTS:
        assert api.import_dataset(made.path, folder / "again", layout=kind.layout, split="test").kind == kind


def has_a_public_copy_that_its_answers_do_not_change(kind: Kind, given: Sample, folder: Path) -> None:
    """Two datasets that differ in what is withheld alone have the same copy, whatever the order of their rows."""
    other, train = (msgspec.structs.replace(given.instance, id=name) for name in ("other", "train"))
    for name in kind.withholdings:
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
    for name, without in kind.withholdings.items():
        public = api.withhold(dataset, folder / name, hide=name).dataset
        (instance,) = store.instances(public, "test")
        assert instance == without(given.instance) != given.instance
        gold = Gold.of(public, "test", free=True)
        own = SCORING[kind.name]
        free = (*own.free_measures, *own.ideal_measures)
        silent = {"answers": free or own.measures, "documents": (*free, *own.retrieval_measures)}
        measured = silent.get(name, (*own.measures, *own.retrieval_measures))
        assert not [each for each in measured if _judges(gold, measures.named(each))]
        assert render(api.report(api.show(public)), ".txt")
        assert render(api.report(api.show_instance(public, given.instance.id)), ".txt")
        (made,) = api.export(public, folder / f"{name}-rows", layout="jsonl")
        assert made.instances == 1


def _judges(gold: Gold, measure: Measure) -> bool:
    """Whether a measure has a value on a split."""
    try:
        rows = judged_rows(gold, measure)
    except InputError:
        return False
    run = Matching(gold).matched("nobody", Counts())
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
    is_written_in_its_layout,
    has_a_public_copy_that_its_answers_do_not_change,
    has_no_gold_in_its_public_copy,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", KINDS)
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


def test_a_folder_of_an_unknown_kind_is_refused_with_the_kinds_that_are(tmp_path: Path) -> None:
    dataset = stored(named("decision"), tmp_path / "built", test=[sample("decision").instance])
    recipe = dataset.folder / "recipe.toml"
    recipe.write_text(recipe.read_text("utf-8").replace("decision", "questions"), "utf-8")
    with pytest.raises(InputError, match="unknown kind of instances 'questions'; did you mean question"):
        api.load(dataset.folder)
