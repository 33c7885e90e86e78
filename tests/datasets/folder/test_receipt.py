"""The receipt: what was read is accounted for, or there is no receipt."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from anagnosis.datasets.folder import receipt as receipts
from anagnosis.datasets.folder.receipt import DocumentCounts, Input, InstanceCounts, Output, Receipt, Refusal
from anagnosis.errors import InputError


def made(documents: DocumentCounts | None = None, instances: InstanceCounts | None = None) -> Receipt:
    return Receipt(
        "0",
        "ab",
        [Input("a.gz", 10, "cd")],
        documents or DocumentCounts(10, 5, {"title_too_short": 3}, 2),
        instances or InstanceCounts(4, {"answer_most_frequent": 2}),
        {"nul_character": 1},
        [Refusal("a.gz:3", "not UTF-8")],
        {"formats": ["pubtator"]},
        [Output("README.md", None, "ef"), Output("data/train-00000-of-00001.parquet", 4, "gh")],
    )


def test_a_sound_receipt_is_written_and_read_back_the_same(tmp_path: Path) -> None:
    receipts.save(made(), tmp_path)
    assert receipts.load(tmp_path) == made()
    text = (tmp_path / "receipt.json").read_text()
    assert text.endswith("}\n")
    keys = list(json.loads(text))
    assert keys[:2] == ["version", "recipe_sha256"]


UNSOUND = {
    "documents: 11 read, but kept + dropped + refused = 10": made(
        DocumentCounts(11, 5, {"title_too_short": 3}, 2)
    ),
    "documents: 10 read, but kept + dropped + refused = 9": made(
        DocumentCounts(10, 5, {"no_abstract": 2}, 2)
    ),
    "a count is negative": made(instances=InstanceCounts(4, {"answer_most_frequent": -1})),
}


@pytest.mark.parametrize("fault", UNSOUND)
def test_a_receipt_that_does_not_add_up_is_neither_written_nor_read(fault: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=fault.replace("+", r"\+")):
        receipts.save(UNSOUND[fault], tmp_path)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "receipt.json").write_bytes(msgspec.json.encode(UNSOUND[fault]))
    with pytest.raises(InputError) as told:
        receipts.load(tmp_path)
    assert told.value.what == f"it does not add up: {fault}"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (None, "no receipt here"),
        ("", "cannot be read"),
        ("{}", "cannot be read"),
        ('{"version": 1}', "cannot be read"),
    ],
)
def test_what_is_no_receipt_is_told(text: str | None, line: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "receipt.json").write_text(text)
    with pytest.raises(InputError, match=line):
        receipts.load(tmp_path)
