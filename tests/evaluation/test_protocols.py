"""Which protocols there are for a dataset, by its kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.table import CLOZE, DECISION, EVIDENCE, QUESTION
from anagnosis.errors import InputError
from anagnosis.evaluation.protocols import protocol_of


@pytest.mark.parametrize(
    ("kind", "first", "other"),
    [
        (CLOZE, "expected", "answer"),
        (DECISION, "fixed", "official"),
        (QUESTION, "fixed", None),
        (EVIDENCE, "sentences", None),
    ],
)
def test_a_kind_has_its_protocols_and_the_first_unless_one_is_asked_for(
    tmp_path: Path, kind: str, first: str, other: str | None
) -> None:
    data = writing.write(tmp_path / "data", {"test": []}, {"dataset": "ours", "kind": kind})
    assert protocol_of(data, None) == protocol_of(data, first) == first
    if other is not None:
        assert protocol_of(data, other) == other
    with pytest.raises(InputError, match="unknown protocol 'both'"):
        protocol_of(data, "both")
