"""BioASQ's questions as statements: what is kept, dropped, exported and read again."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.golden_files import ident, python2, question, written

from anagnosis import api
from anagnosis.cli import run
from anagnosis.datasets.bioasq import layout
from anagnosis.datasets.bioasq.statements import Origin, origin
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.language.statements import NONE, statement

BINDS = question(1, body="Which receptor does GDF15 bind?")
SIGNS = question(2, "list", body="List signs\u2028of scurvy.")
YES = question(3, "yesno", body="Does salt stop fish?")
NO_RULE = question(4, body="Are fish or mice evolving faster?")
LATER = question(5, body="Where is renin made?")


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    written(tmp_path / "in/7B1_golden.json", python2([BINDS, SIGNS, YES, NO_RULE]))
    written(
        tmp_path / "in/8B1_golden.json", python2([LATER, question(6, body="Which receptor does GDF15 bind?")])
    )
    return tmp_path / "in"


def built(source: Path, out: Path, **settings: Any) -> store.Dataset:
    return api.build("bioasq-cloze", [source], out, settings=settings)


def held(dataset: store.Dataset, split: str = "train") -> dict[str, QuestionInstance]:
    return {each.id: each for each in store.instances(dataset, split, of=QuestionInstance)}


def test_questions_become_statements_each_with_its_rule(golden: Path, tmp_path: Path) -> None:
    dataset = built(golden, tmp_path / "gap")
    found = held(dataset)
    assert {ident: each.question for ident, each in found.items()} == {
        ident(1): "GDF15 binds XXXX.",
        ident(2): "Signs of scurvy are XXXX.",
        ident(5): "Renin is made in XXXX.",
        ident(6): "GDF15 binds XXXX.",
    }
    assert origin(found[ident(1)]) == Origin("Which receptor does GDF15 bind?", "which")
    assert found[ident(1)].exact == (("XYZ1", "XYZ-1"),)
    assert found[ident(1)].snippets
    assert api.check(dataset).sound


def test_every_question_that_is_left_out_is_counted_and_those_without_a_rule_are_named(
    golden: Path, tmp_path: Path
) -> None:
    receipt = built(golden, tmp_path / "gap").receipt
    assert receipt.instances.dropped == {"other_type": 1, "no_rule": 1}
    assert (receipt.refusals[0].where, receipt.refusals[0].why) == (
        f"7B1_golden.json: {ident(4)}",
        "no rule covers: Are fish or mice evolving faster?",
    )
    rules = {name: count for name, count in receipt.repairs.items() if name.startswith("rule_")}
    assert rules == {"rule_which": 2, "rule_list": 1, "rule_how_or_where": 1}


def test_settings_keep_the_noun_other_types_and_what_no_rule_covers(golden: Path, tmp_path: Path) -> None:
    found = held(built(golden, tmp_path / "gap", nouns="keep", no_rule="gap-at-end", types=["factoid"]))
    assert found[ident(1)].question == "GDF15 binds the receptor XXXX."
    assert found[ident(4)].question == "Are fish or mice evolving faster? XXXX"
    assert ident(2) not in found


def test_an_export_holds_the_statements_and_a_new_import_their_origin(golden: Path, tmp_path: Path) -> None:
    dataset = built(golden, tmp_path / "gap")
    files = api.export(dataset, tmp_path / "out", layout="bioasq")
    assert [each.path.name for each in files] == ["7B1_golden.json", "8B1_golden.json"]
    first = json.loads((tmp_path / "out/7B1_golden.json").read_text())["questions"][0]
    assert {key: first[key] for key in ("body", "original_question", "statement_rule")} == {
        "body": "GDF15 binds XXXX.",
        "original_question": "Which receptor does GDF15 bind?",
        "statement_rule": "which",
    }
    again = api.import_dataset(tmp_path / "out", tmp_path / "again", layout="bioasq")
    assert {key: origin(each) for key, each in held(again).items()} == {
        key: origin(each) for key, each in held(dataset).items()
    }


def test_a_statement_is_no_question_anew(golden: Path, tmp_path: Path) -> None:
    api.export(built(golden, tmp_path / "gap"), tmp_path / "out", layout="bioasq")
    again = held(built(tmp_path / "out", tmp_path / "again"))
    assert again[ident(1)].question == "GDF15 binds XXXX."
    assert origin(again[ident(1)]) == Origin("Which receptor does GDF15 bind?", "which")


def test_the_command_names_what_no_rule_covers(
    golden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["build", "bioasq-cloze", str(golden), "--out", str(tmp_path / "gap")]) == 0
    assert "no rule covers: Are fish or mice evolving faster?" in capsys.readouterr().out
    assert run(["show", str(tmp_path / "gap"), "--instance", ident(1)]) == 0
    shown = capsys.readouterr().out
    assert "question: GDF15 binds XXXX." in shown
    assert "original question: Which receptor does GDF15 bind?" in shown
    assert "rule: which" in shown
    card = (tmp_path / "gap/README.md").read_text()
    assert "rules made them" in card
    assert "they are not the thesis's BioASQ MOD" in card


def test_rules_cover_the_experts_questions_as_often_as_written_down(shared: Path) -> None:
    """docs/bioasq.md and design/bioasq.md: 1,034 of 1,052 factoid and 640 of 644 list questions of editions 2 to 8."""
    archives = [shared / f"data/bioasq/golden-{name}.tar.gz" for name in ("1B-3B", "4B-7B", "8B")]
    asked = layout.imported(archives, parts={"train": "2B-8B"}).splits["train"]
    counted = Counter((each.type, statement(each.question).rule != NONE) for each in asked)
    assert {kind: (counted[kind, True], counted[kind, False]) for kind in ("factoid", "list")} == {
        "factoid": (1_034, 18),
        "list": (640, 4),
    }
