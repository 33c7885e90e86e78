"""A folder of ours in another's place: the command that fails says what it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.refusals import refused


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in (
        ("built/receipt.json", '{"recipe_sha256": "0"}'),
        ("index/index.json", '{"format": 1, "engine": "embedded", "runs": 1}'),
        ("runs/as/run.json", '{"reader": "attention-sum", "train": {}}'),
        ("base4.jsonl", '{"id": "1:0", "answer": null}\n'),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (
            "search built coffee",
            "built: is the folder of a dataset, not of an index; see `anagnosis search --help`",
        ),
        ("predict BASE4 index --out p", "index: is the folder of an index, not of a dataset"),
        ("score runs/as base4.jsonl", "runs/as: is the folder of a run, not of a dataset"),
        ("calibrate built built", "built: is the folder of a dataset, not of a run"),
        ("score nothing base4.jsonl", "nothing: no such dataset folder"),
        ("search nowhere coffee", "nowhere: no index here"),
        ("show base4.jsonl", "base4.jsonl: is a file, and a dataset is a folder"),
    ],
)
def test_a_folder_of_another_kind_is_called_what_it_is(
    typed: str, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(["-q", *typed.split()], capfd)
