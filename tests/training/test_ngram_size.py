from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from tests.packages import installed
from tests.readers.conftest import replaced_instance as replaced
from tests.training import signed_measures

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.errors import InputError
from anagnosis.training.ngram_size import SizeSearch, tune

# Worked by hand. Shared with "the XXXX lowers pain" (set): n = 2: 1, 0, 1; n = 3: 3, 1, 2 (tests of BASE4).
PASSAGE = "the drug @entity1 lowers pain in @entity2 while @entity3 lowers pain and fever in @entity2 ."
QUESTION = "the XXXX lowers pain"


def part(instances: Iterable[ClozeInstance]) -> Callable[[], list[ClozeInstance]]:
    kept = list(instances)
    return lambda: kept


def test_every_n_has_its_accuracy_by_expectation() -> None:
    answers = ("@entity1", "@entity3", None)
    instances = part(replaced(PASSAGE, QUESTION, each, id=f"{n}:0") for n, each in enumerate(answers))
    found = tune(instances, "BASE4")
    assert [*found.values] == [2, 3, 4, 5, 6]
    assert (found.values[2], found.values[3]) == (0.5, 0.5)
    assert (found.measure, found.instances) == ("accuracy", 2)


def test_the_best_n_is_the_smallest_of_the_best() -> None:
    assert tune(part([replaced(PASSAGE, QUESTION, "@entity1")]), "BASE4").best == 3
    assert SizeSearch("accuracy", {2: None, 3: 0.2, 4: 0.2, 5: 0.1}, 3).best == 3


def test_any_measure_of_the_kind_chooses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of errors the fewest are best: n = 3 and 4 have none; the others share the top with a wrong candidate."""
    packages = installed(
        tmp_path / "packages", "signed_measures", signed_measures.SOURCE, signed_measures.POINTS
    )
    monkeypatch.syspath_prepend(packages)
    instances = part([replaced(PASSAGE, QUESTION, "@entity1", id=f"{n}:0") for n in range(8)])
    found = {name: tune(instances, "BASE4", measure=name) for name in ("errors", "wrong")}
    values = {name: [*each.values.values()] for name, each in found.items()}
    assert [n for n, value in enumerate(values["errors"], 2) if value == 0] == [3, 4]
    assert values["wrong"] == [1 - (value or 0) for value in values["errors"]]
    assert found["errors"].best == 3
    worst = 2 + values["errors"].index(max(value or 0 for value in values["errors"]))
    assert found["wrong"].best == worst
    with pytest.raises(InputError, match="'auc' judges evidence, and this dataset holds cloze"):
        tune(instances, "BASE4", measure="auc")


def test_the_other_readers_n_and_the_way_of_counting_can_be_given() -> None:
    instances = part([replaced("drug @entity1 lowers @entity2 lowers", "drug XXXX lowers", "@entity1")])
    assert [*tune(instances, "bioread:BASE4").values.values()][:2] == [1, 1]
    assert tune(instances, "BASE4", options={"counting": "pairs"}).values


def test_a_reader_without_n_cannot_be_tuned() -> None:
    with pytest.raises(InputError, match="first-entity has no n to choose"):
        tune(part([replaced(PASSAGE, QUESTION, "@entity1")]), "BASE1")
    with pytest.raises(InputError, match="entity-prior has no n to choose"):
        tune(part([replaced(PASSAGE, QUESTION, "@entity1")]), "entity-prior")


@pytest.mark.parametrize("split", [[], [None]])
def test_a_part_without_answers_is_refused(split: list[None]) -> None:
    with pytest.raises(InputError, match="no gold answers to score against"):
        tune(part(replaced(PASSAGE, QUESTION, answer) for answer in split), "BASE4")
