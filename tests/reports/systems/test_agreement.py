from __future__ import annotations

import pytest
from tests.reports.conftest import Scored
from tests.reports.stored import check_stored

from anagnosis.evaluation.agreement import agreement
from anagnosis.evaluation.systems import System
from anagnosis.reports.report import Estimate
from anagnosis.reports.systems.agreement import report, scores_table


def test_people_stand_beside_systems_with_their_agreement(scored: Scored) -> None:
    systems = [*map(System.alone, scored.matched[:2])]
    found = agreement(scored.gold, scored.people, systems, protocol="expected", seed=1, draws=200)
    # anna is right in 5 of 6; ben in 4 of 6, of 5 if the one he left is left out
    cells = scores_table(found).rows[0]
    assert [cell.value for cell in cells if isinstance(cell, Estimate)] == [
        pytest.approx((5 / 6 + 4 / 6) / 2),
        pytest.approx((5 / 6 + 4 / 5) / 2),
    ]
    check_stored("agreement", report(found).whole)
    alone = agreement(scored.gold, scored.people[:1], protocol="expected", seed=1, draws=50)
    check_stored("agreement-of-one", report(alone).whole)
