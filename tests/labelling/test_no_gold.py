"""Pages and the record of a draw are the same bytes whatever the right answers are: nothing in them tells one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from anagnosis import api
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.datasets.kinds.cloze_views import VIEWS
from tests.labelling import cloze_reports
from tests.labelling.studies import Read


def other_gold(each: ClozeInstance) -> ClozeInstance:
    """The instance with the next candidate as its right answer."""
    answer = ((-1 if each.answer is None else each.answer) + 1) % len(each.candidates)
    return msgspec.structs.replace(
        each,
        answer=answer,
        answers=("another hidden text", *each.candidates[answer].names),
        answer_identifiers=(),
        answer_types=(),
        answer_origins=(),
    )


def no_gold(each: ClozeInstance) -> ClozeInstance:
    """The instance as it is published without its right answer."""
    return msgspec.structs.replace(
        each, answer=None, answers=(), answer_identifiers=(), answer_types=(), answer_origins=()
    )


def with_gold(folder: Path, out: Path, change: Callable[[Any], Any]) -> Path:
    """A dataset with other right answers."""
    dataset = store.load(folder)
    splits = {split: [change(each) for each in store.instances(dataset, split)] for split in dataset.sizes}
    names = ("dataset", "kind", "text_form", "numbering")
    kept = {name: dataset.recipe[name] for name in names if name in dataset.recipe}
    writing.write(out, splits, kept)
    return out


def pages(built: Path, at: Path, **how: Any) -> dict[str, bytes]:
    api.label(built, at, people=["ann", "experts=bea"], **how)
    return {path.name: path.read_bytes() for path in at.iterdir()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cloze_reports.reports(tmp_path_factory.mktemp("gold") / "built", 6)


@pytest.mark.parametrize("view", VIEWS)
def test_no_view_of_a_cloze_question_tells_its_answer(view: str, built: Path, tmp_path: Path) -> None:
    how = {"kind": "answers", "draw": 6, "view": view, "texts": True}
    found = pages(built, tmp_path / "a", **how)
    assert {*found} == {"ann.html", "bea.html", "drawn.json"}
    for change in (other_gold, no_gold):
        changed = with_gold(built, tmp_path / change.__name__, change)
        assert found == pages(changed, tmp_path / f"of {change.__name__}", **how)


def test_the_order_of_candidates_and_of_their_names_in_the_dataset_tells_nothing(
    built: Path, tmp_path: Path
) -> None:
    """A dataset that lists the right answer first has the same pages as one that lists it last."""

    def turned(each: ClozeInstance) -> ClozeInstance:
        last = len(each.candidates) - 1

        def moved(mentions: Any) -> Any:
            return tuple(
                msgspec.structs.replace(m, candidate=last - m.candidate) if m.candidate >= 0 else m
                for m in mentions
            )

        return msgspec.structs.replace(
            each,
            candidates=each.candidates[::-1],
            mentions=moved(each.mentions),
            question_mentions=moved(each.question_mentions),
            answer=None if each.answer is None else last - each.answer,
        )

    changed = with_gold(built, tmp_path / "other", turned)
    for view in ("names", "both", "local"):
        how = {"kind": "answers", "draw": 6, "view": view}
        found, other = (
            pages(folder, tmp_path / f"{view} {folder.name}", **how) for folder in (built, changed)
        )
        # Alone the fingerprint differs, which is over the keys in the dataset's order.
        for name in ("ann.html", "bea.html"):
            ours, theirs = Read(found[name]), Read(other[name])
            assert ours.text() == theirs.text()
            assert [tag for tag in ours.tags if tag[0] != "body"] == [
                tag for tag in theirs.tags if tag[0] != "body"
            ]
            forms = (ours.form(), theirs.form())
            for form in forms:
                form["constants"].pop("dataset")
            assert forms[0] == forms[1]


def test_the_hidden_text_is_nowhere_on_the_page(tmp_path: Path) -> None:
    made = cloze_reports.dataset(tmp_path / "d", [cloze_reports.instance("r.1", answer="phosphate clyster")])
    found = pages(made, tmp_path / "s", kind="answers", draw=1)
    assert not [name for name, page in found.items() if b"clyster" in page]
    assert b'"texts": true' in found["drawn.json"], "since no candidate is the answer, any words may be"
