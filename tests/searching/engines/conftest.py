"""An engine of the table, with four papers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from tests.searching.engines import contract_trial
from tests.searching.engines.contract_trial import EngineTrial

from anagnosis.searching.engines import engine_module


@pytest.fixture(params=["embedded", "opensearch"])
def trial(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EngineTrial]:
    settings = None
    if request.param != "embedded":
        settings = tmp_path / "cluster.toml"
        settings.write_text(
            f'hosts = ["{os.environ["TRIAL"]}"]\nindex = "t{uuid4().hex}"\nshards={os.environ.get("SHARDS", "1")}\nreplicas = 0\n'
        )
    with contract_trial.trial(engine_module(request.param), tmp_path / "engine", settings) as made:
        yield made
        if settings:
            made.engine.close()
            made.module.remove(made.place)
