"""The light reader of sentences keeps which features it was made with."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.readers.evidence.questions import viewed_split

pytest.importorskip("torch", reason="the extra train is not installed")

from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.errors import InputError
from anagnosis.readers.evidence import sentence_features
from anagnosis.readers.evidence.sentence_features import FILE, Config

ONE = EvidenceInstance(
    "1",
    "Does tea help sleep?",
    (SourceSentence("a", "Tea", "Tea helps.", True), SourceSentence("a", "Tea", "No.")),
)


def test_other_clues_than_ours_are_one_line(tmp_path: Path) -> None:
    sentence_features.prepare(Config(), viewed_split(ONE)).save(tmp_path)
    assert sentence_features.restore(Config(), tmp_path).config == Config()
    kept = msgspec.json.decode((tmp_path / FILE).read_bytes())
    for names in (kept["names"][::-1], kept["names"][1:]):
        (tmp_path / FILE).write_bytes(msgspec.json.encode(kept | {"names": names}))
        with pytest.raises(InputError, match="with other features; train it again"):
            sentence_features.restore(Config(), tmp_path)
