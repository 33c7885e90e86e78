from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from anagnosis.errors import InputError
from anagnosis.word_vectors.word_vectors import WordVectorSettings, settings_of


def test_the_recipe_of_clicr_has_the_papers_values() -> None:
    paper = WordVectorSettings(method="cbow", dimension=750, window=5, threshold=200, negative=5)
    assert settings_of("clicr-word-vectors", {}) == paper
    assert settings_of("clicr-word-vectors", {"window": 4}) == msgspec.structs.replace(paper, window=4)


def test_a_recipe_is_read_from_a_file_and_its_faults_are_named_at_once(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('trains = "word-vectors"\nwindow = 0\nmethod = "glove"\nsize = 3\n')
    faults = r"3 problems: window: 0 does not .*; method: 'glove' does not .*; unknown key 'size'"
    with pytest.raises(InputError, match=faults):
        settings_of(tmp_path / "mine.toml", {})


def test_another_recipe_is_refused() -> None:
    with pytest.raises(InputError, match="clicr-sim-entity: is no recipe of word vectors"):
        settings_of("clicr-sim-entity", {})
