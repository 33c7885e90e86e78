"""People answer questions for yes, no or maybe: what the page shows, what it never shows, and what it saves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from anagnosis import api
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.datasets.pubmedqa.labelling import CONDITIONS, MEANINGS
from anagnosis.errors import InputError
from anagnosis.labelling.opened_study import open_study
from tests.labelling.decision_files import asked, written
from tests.labelling.returned_files import page_line, save
from tests.labelling.studies import Read


def pages(at: Path, view: str = "reasoning-required", count: int = 3, **how: Any) -> Path:
    built = at / "built"
    if not built.exists():
        written(built, [asked(number) for number in range(4)])
    api.label(built, at / view, kind="answers", draw=count, view=view, people=["ann,bea"], **how)
    return at / view


def shown(sheets: Path) -> str:
    return Read((sheets / "ann.html").read_bytes()).words()


def test_the_view_says_what_people_see(tmp_path: Path) -> None:
    required, free, alone = (
        shown(pages(tmp_path, view)) for view in ("reasoning-required", "reasoning-free", "question-only")
    )
    for text in (required, free, alone):
        assert text.count("Does tea help patient") == 3
        assert text.count(CONDITIONS) == 4  # at the start, and beside each question
        for name, meaning in MEANINGS.items():
            assert f"{name} {meaning}" in text  # PubMedQA's criteria beside the question
    assert required.count("METHODS: We asked") == free.count("METHODS: We asked") == 3
    assert "We asked" not in alone
    assert free.count("Conclusion of the paper: Tea helped") == 3
    assert "Tea helped" not in required + alone


@pytest.mark.parametrize("view", ["reasoning-required", "reasoning-free", "question-only"])
def test_the_page_does_not_depend_on_labels_nor_on_what_the_view_hides(view: str, tmp_path: Path) -> None:
    hidden: dict[str, Any] = {"label": "no", "annotators": (("reasoning_free", "no"),), "title": "Tea helps"}
    if view != "reasoning-free":
        hidden["long_answer"] = "Tea harms."
    if view == "question-only":
        hidden["context"] = ()
    found: list[dict[str, bytes]] = []
    for name, changes in (("a", {}), ("b", hidden)):
        built = written(tmp_path / name / "built", [asked(number, **changes) for number in range(4)])
        api.label(built, tmp_path / name / "s", kind="answers", draw=4, view=view, people=["ann"])
        found.append({path.name: path.read_bytes() for path in (tmp_path / name / "s").iterdir()})
    assert found[0] == found[1]


def test_answers_are_predictions(tmp_path: Path) -> None:
    sheets = pages(tmp_path, count=4)
    opened = open_study(tmp_path / "built", sheets)
    given = ("yes", "no", "maybe", None)
    lines = [page_line(opened, "ann", place, answer=answer) for place, answer in enumerate(given, 1)]
    save(sheets, "ann", lines)
    record = api.collect(tmp_path / "built", sheets, tmp_path / "people.jsonl")
    assert (record.view, record.people[0].answered, record.people[0].unsure) == ("reasoning-required", 4, 1)
    found = api.agreement(tmp_path / "built", [tmp_path / "people.jsonl"])
    gold = {each.id: each.label for each in map(asked, range(4))}
    right = sum(each["answer"] == gold[each["id"]] for each in lines)
    (ann,) = found.scores
    assert ann.estimate.value == right / 4


def test_a_question_without_a_long_answer_is_not_asked_with_it(tmp_path: Path) -> None:
    instances: list[DecisionInstance] = [asked(0), asked(1, long_answer=None)]
    built = written(tmp_path / "built", instances)
    with pytest.raises(InputError, match="2 questions are asked for, test has 1 with a long answer"):
        api.label(built, tmp_path / "s", kind="answers", draw=2, view="reasoning-free", people=["ann"])


def test_a_kind_whose_questions_nobody_answers_on_pages_says_so(tmp_path: Path) -> None:
    from tests.golden_files import python2, question
    from tests.golden_files import written as golden

    golden(tmp_path / "in/8B1_golden.json", python2([question()]))
    api.import_dataset(tmp_path / "in", tmp_path / "built", layout="bioasq")
    with pytest.raises(InputError, match="which have no pages on which people answer"):
        api.label(tmp_path / "built", tmp_path / "s", kind="answers", draw=1, people=["ann"])
