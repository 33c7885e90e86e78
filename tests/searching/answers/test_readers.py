"""A folder of readers: the fitted ones need no torch, runs do."""

from __future__ import annotations

import importlib.util
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
from tests.measured import NAME_WEIGHTS

from anagnosis.api.searching import load_readers
from anagnosis.errors import InputError
from anagnosis.searching.entities.ranking import store_name_weights


def test_only_runs_need_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find_spec = importlib.util.find_spec

    def without_torch(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name == "torch" else find_spec(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", without_torch)
    store_name_weights(tmp_path / "names", NAME_WEIGHTS)
    for place in (tmp_path, tmp_path / "names"):
        loaded = load_readers(place).names
        assert loaded is not None
        assert loaded.fitted == NAME_WEIGHTS
    (tmp_path / "evidence").mkdir()
    (tmp_path / "evidence" / "recipe.toml").touch()
    for place in (tmp_path, tmp_path / "evidence"):
        with pytest.raises(InputError, match="needs torch"):
            load_readers(place)


@pytest.mark.parametrize(
    ("name", "what"), [("gone", "no such folder of readers"), ("empty", "no readers in this folder")]
)
def test_a_folder_without_readers_names_the_command_that_makes_them(
    tmp_path: Path, name: str, what: str
) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError) as refused:
        load_readers(tmp_path / name)
    assert str(refused.value).startswith(f"{tmp_path / name}: {what}; ")
    assert str(refused.value).endswith(f"`anagnosis readers make --data DATA --out {tmp_path / name}`")
