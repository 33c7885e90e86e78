"""PQA-L, U and A out of several datasets."""

from __future__ import annotations

from pathlib import Path

import pytest

from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.datasets.pubmedqa.subsets import divided, subsets


def instance(ident: str, subset: str, label: str | None = None, place: int = 0) -> DecisionInstance:
    return DecisionInstance(ident, f"Is {ident} so?", (), "It is.", label, subset=subset, place=place)  # type: ignore[arg-type]


def written(folder: Path, *instances: DecisionInstance) -> store.Dataset:
    return writing.write(folder, {"train": instances}, {"dataset": folder.name, "kind": "decision"})


def test_what_people_labelled_is_in_no_other_subset_and_the_first_of_two_counts(tmp_path: Path) -> None:
    people = written(tmp_path / "l", instance("1", "L", "yes"), instance("2", "L", "no"))
    built = written(
        tmp_path / "b",
        instance("2", "U"),
        instance("3", "U"),
        instance("1", "A", "no"),
        instance("4", "A", "yes"),
    )
    other = written(tmp_path / "c", instance("4", "A", "no"), instance("5", "A", "no"))
    found = subsets([people, built, other])
    assert found.ids == {"A": ("4", "5"), "U": ("3",), "L": ("1", "2")}
    assert found.left_out == {
        "of PQA-A are in PQA-L too": 1,
        "of PQA-U are in PQA-L too": 1,
        "stand twice in PQA-A": 1,
    }
    taken = list(found.instances("A", dict.fromkeys(found.ids["A"])))
    assert [(i.id, i.label) for i in taken] == [("4", "yes"), ("5", "no")]


def test_a_label_that_is_given_counts(tmp_path: Path) -> None:
    found = subsets([written(tmp_path / "b", instance("3", "U"), instance("4", "U"))])
    assert [(i.id, i.label) for i in found.instances("U", {"4": "maybe"})] == [("4", "maybe")]


def test_ids_have_the_order_of_the_authors_file(tmp_path: Path) -> None:
    rows = [
        instance("7", "A", "yes", place=2),
        instance("8", "A", "yes", place=0),
        instance("9", "A", "no", place=1),
    ]
    assert subsets([written(tmp_path / "a", *rows)]).ids["A"] == ("8", "9", "7")


@pytest.mark.parametrize(("count", "train"), [(211_269, 200_000), (422_538, 400_000), (1000, 947), (0, 0)])
def test_of_fewer_or_more_than_the_authors_have_the_same_share_is_for_training(
    count: int, train: int
) -> None:
    parts = divided(range(count))  # type: ignore[arg-type]
    assert [len(part) for part in parts] == [train, count - train]
    assert sorted((*parts[0], *parts[1])) == [*range(count)]
