"""An engine of the table, with four papers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.searching.engines import contract_trial
from tests.searching.engines.contract_trial import EngineTrial

from anagnosis.searching.engines import ENGINES, engine_module


@pytest.fixture(params=ENGINES)
def trial(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EngineTrial]:
    with contract_trial.trial(engine_module(request.param), tmp_path / "engine") as made:
        yield made
