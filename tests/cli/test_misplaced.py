"""Arguments in each other's place: every command names them, and what it names is right."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from anagnosis.cli import COMMANDS, cli, misplaced, run

# A value of each kind, as a user would type it in the folder that `folder` makes.
TYPED = {
    "DATASET_FOLDER": "built",
    "INDEX_FOLDER": "index",
    "RUN_FOLDER": "runs/as",
    "SEARCH_FOLDER": "runs/search",
    "DATASET": "biomrc",
    "READER": "BASE4",
    "RECIPE": "biomrc-attention-sum-local",
    "PREDICTIONS": "base4.jsonl",
    "SUBMISSION_FOLDER": "submissions/ours",
    "FILE": "corpus.pubtator",
    "FOLDER": "papers",
    "QUESTION": "does coffee raise gastric pH",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in (
        ("built/receipt.json", '{"recipe_sha256": "0"}'),
        ("index/index.json", '{"format": 1, "engine": "embedded", "runs": 1}'),
        ("runs/as/run.json", '{"reader": "attention-sum", "train": {}}'),
    ):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "base4.jsonl").write_text('{"id": "1:0", "answer": null}\n')
    (tmp_path / "corpus.pubtator").write_text("")
    (tmp_path / "runs" / "search").mkdir()
    (tmp_path / "runs" / "search" / "search.journal").touch()
    (tmp_path / "papers").mkdir()
    (tmp_path / "submissions" / "ours").mkdir(parents=True)
    (tmp_path / "submissions" / "ours" / "system.toml").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def slots(command: click.Command) -> list[tuple[click.Parameter, tuple[str, ...]]]:
    found = [(parameter, misplaced._wanted(parameter)) for parameter in command.params]
    return [
        (parameter, wanted)
        for parameter, wanted in found
        if wanted and (isinstance(parameter, click.Argument) or parameter.required)
    ]


def line(name: str, given: list[tuple[click.Parameter, str]]) -> list[str]:
    words = [name]
    for parameter, value in sorted(given, key=lambda each: isinstance(each[0], click.Option)):
        words += [parameter.opts[0], value] if isinstance(parameter, click.Option) else [value]
    return words


def needed(command: click.Command) -> list[str]:
    """The required options that say nothing of kinds."""
    named = {parameter.name for parameter, _ in slots(command)}
    return [
        word
        for parameter in command.params
        if isinstance(parameter, click.Option) and parameter.required and parameter.name not in named
        for word in (parameter.opts[0], "out")
    ]


def exchanges() -> list[tuple[str, list[str], list[str]]]:
    """(command, its line with two values exchanged, the line as it should be) for all pairs that differ in kind."""
    found: list[tuple[str, list[str], list[str]]] = []
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        own = [(parameter, TYPED[wanted[0]], wanted) for parameter, wanted in slots(command)]
        for place, (first, one, wanted) in enumerate(own):
            for second, other, also in own[place + 1 :]:
                if wanted == also or {*wanted} & {*also}:
                    continue
                values = [(p, other if p is first else one if p is second else value) for p, value, _ in own]
                right = line(name, [(p, value) for p, value, _ in own])
                found.append((name, line(name, values) + needed(command), right))
    return found


@pytest.mark.parametrize(("name", "wrong", "right"), exchanges(), ids=lambda value: str(value)[:60])
def test_every_command_names_two_exchanged_arguments_and_the_line_to_write(
    name: str, wrong: list[str], right: list[str], folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["-q", *wrong]) == 2
    said = capfd.readouterr().err
    assert said.count("\n") == 1, said
    assert f"; write anagnosis {shlex.join(right)} …" in said


def test_most_commands_with_two_arguments_are_tried() -> None:
    assert {name for name, *_ in exchanges()} >= {
        "agreement", "ask", "build", "calibrate", "compare", "decide", "harnesses", "predict", "report", "score",
        "search", "show", "train", "tune",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("score base4.jsonl other.jsonl built", "write anagnosis score built other.jsonl base4.jsonl …"),
        ("compare base4.jsonl base4.jsonl built", "write anagnosis compare built base4.jsonl base4.jsonl …"),
        ("score ours=base4.jsonl built", "write anagnosis score built ours=base4.jsonl …"),
        ("score ours=lost.jsonl built", "write anagnosis score built ours=lost.jsonl …"),
        ("search built coffee", "built: is a dataset folder, where `anagnosis search` takes an index folder"),
        ("predict BASE4 index --out p", "index: is an index folder, where `anagnosis predict` takes"),
        ("index built --out i", "built: is a dataset folder, where `anagnosis index` takes an input file"),
        (
            "leaderboard check index --dataset built",
            "index: is an index folder, where `anagnosis leaderboard check` takes a predictions file or the folder of",
        ),
    ],
)
def test_a_value_of_another_kind_is_called_what_it_is(
    typed: str, said: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "other.jsonl").write_text("")
    assert run(["-q", *typed.split()]) == 2
    assert said in capfd.readouterr().err


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("score nothing base4.jsonl", "nothing: no such dataset folder"),
        ("show corpus.pubtator", "corpus.pubtator: is a file, and a dataset is a folder"),
        ("search nowhere coffee", "nowhere: no index here"),
        ("search index p=0.05?", "index: was made by another version"),
        ("leaderboard check base4.jsonl --dataset nowhere", "nowhere: no such dataset folder"),
        ("leaderboard check submissions/ours --dataset nowhere", "nowhere: no such dataset folder"),
        ("leaderboard check papers --dataset nowhere", "nowhere: no such dataset folder"),
    ],
)
def test_what_nobody_recognises_is_left_to_the_fault_itself(
    typed: str, said: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["-q", *typed.split()]) == 2
    assert said in capfd.readouterr().err


def test_a_command_that_succeeds_looks_at_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def never(_: click.Context) -> None:
        raise AssertionError

    monkeypatch.setattr(misplaced, "misplaced", never)
    assert run(["formats"]) == 0


@pytest.mark.parametrize("word", [*misplaced.RECOGNISED, *misplaced.OTHERWISE])
def test_each_kind_is_recognised_by_its_own_value_alone(word: str, folder: Path) -> None:
    is_one: Callable[[str], bool] = (misplaced.RECOGNISED | misplaced.OTHERWISE)[word]
    assert is_one(TYPED[word])
    assert word in misplaced.kinds(TYPED[word])


def test_a_file_of_papers_in_json_lines_is_no_predictions_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "papers.jsonl").write_text('{"id": "1", "sections": [{"label": "title", "text": "Tea."}]}\n')
    assert run(["index", "papers.jsonl", "missing.xml", "--out", "other"]) == 2
    assert "missing.xml: no such file or folder" in capsys.readouterr().err
    assert run(["index", "base4.jsonl", "--out", "other"]) == 2
    assert "base4.jsonl: is a predictions file" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["annotate empty.jsonl --terms t.tsv", "build biomrc empty.jsonl"])
def test_an_empty_file_of_json_lines_is_called_empty(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "empty.jsonl").touch()
    (folder / "t.tsv").write_text("id\tname\nD1\tFever\n")
    assert run(["-q", *command.split(), "--out", "o.jsonl"]) == 2
    assert "empty.jsonl: the file is empty; check how it was made" in capsys.readouterr().err


def test_json_lines_that_are_neither_papers_nor_answers_are_left_to_the_fault_itself(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "rows.jsonl").write_text('{"id": "1", "title": "Tea."}\n')
    assert run(["-q", "index", "rows.jsonl", "--out", "other"]) == 2
    assert "rows.jsonl:1: no format recognises its first bytes" in capsys.readouterr().err
