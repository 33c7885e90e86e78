from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra train is not installed")

from tests.readers.conftest import replaced_instance

from anagnosis.datasets.kinds.cloze_views import view
from anagnosis.errors import InputError
from anagnosis.readers.learning import ViewedSplit
from anagnosis.readers.recurrent.learner import RecurrentSettings, vocabulary_and_vectors


@pytest.fixture
def viewed_split() -> ViewedSplit:
    seen = view(
        replaced_instance("a protein binds @entity0", "what binds XXXX", "@entity0"), "local", "replaced"
    )
    return ViewedSplit("train", "d", 1, lambda: iter([seen]))


def test_a_file_without_any_of_the_words_is_refused(tmp_path: Path, viewed_split: ViewedSplit) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("1 2\nelsewhere 3 4\n")
    with pytest.raises(InputError, match=r"vectors.txt: no word of the data is in it"):
        vocabulary_and_vectors(RecurrentSettings(embedding=2, vectors=str(path)), viewed_split)
