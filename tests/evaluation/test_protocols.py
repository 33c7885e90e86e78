"""Which protocols there are for a dataset, by its kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from anagnosis.cli.scoring_options import PROTOCOLS
from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.table import CLOZE, DECISION, EVIDENCE, QUESTION, each_kind
from anagnosis.errors import InputError
from anagnosis.evaluation.phase_b.rules import RULES
from anagnosis.evaluation.protocols import protocol_of


def test_the_command_line_offers_the_protocols_of_the_tables() -> None:
    kinds = [*each_kind()]
    of_kinds = {name for kind in kinds for name in (*kind.protocols, *kind.free_protocols)}
    assert {*PROTOCOLS} == (of_kinds | {*RULES}) - {"sentences"}
    assert len({*PROTOCOLS}) == len(PROTOCOLS)


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
