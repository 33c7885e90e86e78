"""What commands print with --json is the record, in its documented schema, and what --out x.json writes."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.reports.conftest import Scored
from tests.rows import each_row

from anagnosis import api
from anagnosis.cli import run
from anagnosis.errors import InputError
from anagnosis.reports import RENDERERS, render, save
from anagnosis.reports.records import REPORTS, as_json, has_report, plain, report
from anagnosis.training.loop.history import Evaluation

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"


@pytest.fixture
def files(scored: Scored) -> list[str]:
    folder = scored.dataset.folder.parent
    return [str(folder / f"{name}.jsonl") for name in ("right", "often", "faulty")]


@pytest.fixture
def commands(scored: Scored, files: list[str], tmp_path: Path) -> dict[str, list[str]]:
    """name → the command; the name before the comma is the schema's."""
    data, people = (
        str(scored.dataset.folder),
        [str(path) for path in scored.dataset.folder.parent.glob("person-*")],
    )
    (tmp_path / "a.run").write_text("1 Q0 x 1 2.5 a\n1 Q0 y 2 1.5 a\n")
    (tmp_path / "qrels").write_text("1 0 x 1\n")
    return {
        "results, score": ["score", data, *files],
        "results, compare": ["compare", data, *files, "--draws", "50"],
        "results, report": ["report", data, *files, "--draws", "50", "--shortcuts"],
        "agreement": ["agreement", data, *people],
        "evaluate-search": [
            "evaluate-search",
            str(tmp_path / "a.run"),
            "--judgements",
            str(tmp_path / "qrels"),
        ],
    }


NAMES = ("results, score", "results, compare", "results, report", "agreement", "evaluate-search")


def printed(command: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert run([*command, "--json"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", NAMES)
def test_json_has_the_documented_schema_and_is_what_out_writes(
    name: str, commands: dict[str, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    jsonschema = pytest.importorskip("jsonschema_rs")
    text = printed(commands[name], capsys)
    described: dict[str, Any] = json.loads((SCHEMAS / f"{name.partition(',')[0]}.json").read_text("utf-8"))
    found = json.loads(text)
    validator = jsonschema.validator_for(described)
    assert [str(error) for error in validator.iter_errors(found)] == []
    assert not validator.is_valid({**found, "record": "another"})
    assert not validator.is_valid({key: own for key, own in found.items() if key != "record"})
    out = tmp_path / "x.json"
    for more in ([], []):  # a second time it is recognised as ours
        assert run([*commands[name], *more, "--replace", "--out", str(out)]) == 0
    assert out.read_text("utf-8") == text


@pytest.mark.parametrize("verb", ["score", "compare"])
@pytest.mark.parametrize("unit", [None, "instance", "document"])
def test_python_and_the_command_give_the_same_intervals(
    verb: str, unit: str | None, scored: Scored, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    given = {} if unit is None else {"unit": unit}
    words = [] if unit is None else ["--unit", unit]
    found = getattr(api, verb)(scored.dataset, files, **given)
    text = printed([verb, str(scored.dataset.folder), *files, *words], capsys)
    assert plain(found) == json.loads(text)
    assert found.settings.unit == (unit or "document")


def test_one_function_makes_the_report_of_any_record(
    scored: Scored, files: list[str], tmp_path: Path
) -> None:
    assert {name.rpartition(".")[2] for name in REPORTS} >= {
        "Results",
        "Agreement",
        "Evaluation",
    }
    found = api.evaluate(scored.dataset, files, draws=50)
    made = api.report(found)
    assert made.title == "Report on mine"
    assert report(made) is made
    for suffix in RENDERERS:
        assert "often" in render(made, suffix)
    assert save(found, tmp_path / "a.json").read_text("utf-8") == as_json(found)
    with pytest.raises(InputError, match="not what a verb returns"):
        api.report("banana")


@each_row("name", REPORTS)
def test_each_class_of_the_table_exists(name: str) -> None:
    module, _, kind = name.rpartition(".")
    assert isinstance(getattr(import_module(module), kind), type)


def test_a_class_of_another_module_is_not_taken_for_ours_of_the_same_name() -> None:
    """A line of a training's history is called Evaluation, too."""
    record = Evaluation("all", *range(1, 10))
    assert not has_report(record)
    with pytest.raises(InputError, match="not what a verb returns"):
        api.report(record)
