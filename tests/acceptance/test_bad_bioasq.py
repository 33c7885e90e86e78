"""Golden files and models that BioASQ's commands refuse, one line each."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.golden_files import gson, python2, questions, written
from tests.refusals import refused

from anagnosis.cli import run


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A golden file, the same cut in its middle in two spellings, a dataset, and a T5 without its decoder."""
    pytest.importorskip("transformers", reason="the extra train is not installed")
    from tests.encoders.tiny_text import tiny_text_model
    from transformers import T5EncoderModel

    at = tmp_path_factory.mktemp("bioasq")
    whole = python2(questions(8)), gson(questions(8))
    written(at / "8B1_golden.json", whole[0])
    written(at / "cut/8B1_golden.json", whole[0][: len(whole[0]) // 2])
    written(at / "cut/8B2_golden.json", whole[1][: len(whole[1]) // 2])
    written(at / "squad.json", json.dumps({"data": [{"paragraphs": []}], "version": "8B"}))
    assert (
        run(["-q", "import", str(at / "8B1_golden.json"), "--layout", "bioasq", "--out", str(at / "built")])
        == 0
    )
    t5 = tiny_text_model(at / "half", causal=False)
    T5EncoderModel.from_pretrained(t5).save_pretrained(t5)
    return at


CUT = r"_golden\.json:\d+: the text ends too early; fetch it again"
IS_BIOASQ = r"8B1_golden\.json: is no file of {}; try --layout bioasq\n"
REFUSED = {
    "a golden file cut in the middle, imported": ("import cut/8B1_golden.json --layout bioasq", "8B1" + CUT),
    "another spelling of it": ("import cut/8B2_golden.json --layout bioasq", "8B2" + CUT),
    "beside a whole one": ("import 8B1_golden.json cut/8B2_golden.json --layout bioasq", "8B2" + CUT),
    "made into statements": ("build bioasq-cloze cut/8B1_golden.json", "8B1" + CUT),
    "made into documents to retrieve": ("build bioasq-retrieval cut/8B1_golden.json", "8B1" + CUT),
    "made into evidence": ("build evidence cut/8B1_golden.json", "8B1" + CUT),
    "a golden file without its layout": ("import 8B1_golden.json", IS_BIOASQ.format("biomrc")),
    "with a split": ("import 8B1_golden.json --split test", IS_BIOASQ.format("biomrc")),
    "with a part": ("import 8B1_golden.json --part test=8B", IS_BIOASQ.format("biomrc")),
    "with another layout": ("import 8B1_golden.json --layout squad", IS_BIOASQ.format("squad")),
    "in the layout of claims": ("import 8B1_golden.json --layout scifact", IS_BIOASQ.format("scifact")),
    "SQuAD's file as golden file": (
        "import squad.json --layout bioasq",
        r"squad\.json: is no file of bioasq; try --layout squad or covid-qa\n",
    ),
    "a T5 without its decoder": (
        "train bioasq-text-to-text --data built --encoder half --set stop=epochs",
        r"half lack 54 of the model's parameters \(decoder\.block\.0\.[\w.]+ …\); fetch it again",
    ),
}


@pytest.mark.parametrize(("words", "line"), REFUSED.values(), ids=REFUSED)
def test_is_answered_with_one_line_and_exit_code_2(
    words: str,
    line: str,
    ground: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ground)
    out = tmp_path / "out"
    assert re.search(line, refused(["-q", *words.split(), "--out", str(out)], capfd))
    # An unfinished training has claimed its folder.
    assert {path.name for path in out.glob("*")} <= {"run.json", "recipe.toml"}
