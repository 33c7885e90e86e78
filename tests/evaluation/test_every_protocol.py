"""One table of every system under every protocol and measure: values, tests, and where a program stops."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.reports.stored import check_stored

from anagnosis import api
from anagnosis.cli import run
from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.errors import InputError
from anagnosis.evaluation.phase_b.rules import RULES
from anagnosis.predictions import Answer, Prediction, write
from anagnosis.reports.report import Heading, Table, Text

GOLD = ("TNF-\u03b1", "interleukin 6", "insulin", "heart failure", "foot", "BRCA1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        QuestionInstance(f"{n:024x}", "factoid", "Which?", exact=((text,),)) for n, text in enumerate(GOLD)
    ]
    recipe = {"dataset": "asked", "kind": "question"}
    return writing.write(tmp_path / "made", {"test": rows}, recipe).folder


def system(path: Path, answers: tuple[str, ...]) -> Path:
    write(path, [Prediction(f"{n:024x}", answers=[Answer(text)]) for n, text in enumerate(answers)])
    return path


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    good = system(
        tmp_path / "good.jsonl", ("TNF alpha", "Interleukin 6", "insulin", "x", "the left foot", "BRCA1")
    )
    return [good, system(tmp_path / "short.jsonl", ("x", "y", "insulin"))]


def test_each_protocol_has_its_own_values(folder: Path, files: list[Path]) -> None:
    found = api.protocols(folder, files, draws=99)
    assert [(each.name, each.what) for each in found.protocols] == [
        (name, rules.what) for name, rules in RULES.items()
    ]
    good = {}
    for protocol in found.protocols:
        first = protocol.results[0].systems[0]
        assert [*first.measures] == ["factoid_strict", "factoid_lenient", "factoid_mrr"]
        good[protocol.name] = round(6 * first.estimate.value)
    assert good == {"thesis": 3, "organisers-9": 3, "fuzzy-90": 4}


def test_a_system_at_which_the_program_stops_has_no_figures_and_the_others_have(
    folder: Path, files: list[Path], tmp_path: Path
) -> None:
    flat = [{"id": f"{n:024x}", "type": "factoid", "exact_answer": ["x"]} for n in range(6)]
    submission = tmp_path / "flat.json"
    submission.write_text(json.dumps({"questions": flat}))
    thesis, program, _ = api.protocols(folder, [*files, submission], draws=99).protocols
    assert [*program.stopped] == ["flat.json"]
    assert program.stopped["flat.json"].startswith(
        "question 000000000000000000000000: the organisers' program of edition 9 stops"
    )
    assert program.results[0].systems[1].measures["factoid_strict"].n == 3
    assert [ranked.name for ranked in program.results[0].comparisons[0].ranking] == ["good", "short"]
    assert thesis.stopped == {}
    assert thesis.results[0].systems[1].measures["factoid_strict"].n == 6


def test_a_type_that_a_system_never_answers_has_no_figure_and_no_test(tmp_path: Path) -> None:
    rows = [
        QuestionInstance("1" * 24, "factoid", "Which?", exact=(("a",),)),
        QuestionInstance("2" * 24, "list", "Which?", exact=(("a",), ("b",))),
        QuestionInstance("3" * 24, "yesno", "Is it?", exact=(("yes",),)),
    ]
    made = writing.write(tmp_path / "made", {"test": rows}, {"dataset": "asked", "kind": "question"}).folder
    lists, both = tmp_path / "lists.jsonl", tmp_path / "both.jsonl"
    # Answers without a text, as a line without answers, are none; a wrong answer is one.
    write(lists, [Prediction("1" * 24, answers=[]), Prediction("2" * 24, answers=[Answer("x")])])
    write(both, [Prediction(row.id, answers=[Answer("a")]) for row in rows[:2]])
    found = api.protocols(made, [lists, both], draws=99)
    for protocol in found.protocols:
        figures = {
            (score.name, name.split("_")[0]): score.measures[name].value
            for results in protocol.results
            for score in results.systems
            for name in score.measures
            if name in ("factoid_strict", "list_recall", "yesno_accuracy")
        }
        assert figures == {("both", "factoid"): 1.0, ("lists", "list"): 0.0, ("both", "list"): 0.5}
        tested = {one.measure for results in protocol.results for one in results.comparisons}
        assert tested == {"list_precision", "list_recall", "list_f1"}
    values = next(
        block
        for block in api.report(found).blocks
        if isinstance(block, Table) and block.columns[0].name == "protocol"
    )
    assert [cell == "–" for cell in values.rows[0][2:]] == [True] * 3 + [False] * 3
    assert "–: the system answers none of the questions that the measure counts." in values.notes


def test_the_report_has_a_row_for_each_system_and_protocol(folder: Path, files: list[Path]) -> None:
    check_stored("protocols", api.report(api.protocols(folder, files, draws=99)).whole)


def test_answers_right_by_similarity_alone_stand_below_by_class(
    folder: Path, files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = api.report(api.protocols(folder, files, draws=99, similar=True)).blocks
    check_stored("similar-answers", found[found.index(Heading("Right by similarity alone")) :])
    assert run(["protocols", str(folder), str(files[0]), "--similar"]) == 0
    assert "the left foot" in capsys.readouterr().out
    hostile = system(tmp_path / "hostile.jsonl", ("x",) * 4 + ("<b>foot</b>",))
    assert run(["protocols", str(folder), str(hostile), "--similar", "--out", str(tmp_path / "p.html")]) == 0
    page = (tmp_path / "p.html").read_text("utf-8")
    assert "&lt;b&gt;foot&lt;/b&gt;" in page
    assert "<b>foot" not in page
    none = api.report(api.protocols(folder, [system(tmp_path / "gold.jsonl", GOLD)], draws=9, similar=True))
    assert isinstance(none.blocks[-1], Text)


def test_what_has_no_exact_answers_is_one_line(folder: Path, tmp_path: Path) -> None:
    types = tmp_path / "types.jsonl"
    write(types, [Prediction(f"{n:024x}", "factoid") for n in range(6)])
    with pytest.raises(InputError, match="types: the lines hold no exact answers"):
        api.protocols(folder, [types])
    with pytest.raises(InputError, match="unknown unit 'word'"):
        api.protocols(folder, [types], unit="word")
    other = writing.write(tmp_path / "d", {"test": []}, {"dataset": "pubmedqa", "kind": "decision"})
    with pytest.raises(InputError):
        api.protocols(other, [types])
