"""PubMedQA's Algorithm 1 on pages: who sees what, the discussion, and the dataset that comes of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.errors import InputError
from anagnosis.labelling.decisions import Sheets
from anagnosis.labelling.opened_study import open_study
from tests.labelling.decision_files import unlabelled, written
from tests.labelling.returned_files import page_line, save
from tests.labelling.studies import Read, ids


@pytest.fixture
def built(tmp_path: Path) -> Path:
    return written(
        tmp_path / "built", [unlabelled(number, title="Tea helps") for number in range(6)], "train"
    )


@pytest.fixture
def pages(built: Path, tmp_path: Path) -> Path:
    api.label(built, tmp_path / "pages", kind="decisions", draw=4, people=["ann,bea"])
    return tmp_path / "pages"


def label(pages: Path, name: str, labels: Sequence[str | None], field: str = "label") -> None:
    """Save a person's labels. labels: in the order of the draw, or of the discussion; None for none yet."""
    opened = open_study(pages.parent / "built", pages)
    (person,) = (each for each in opened.studies if each.name == name)
    places = opened.questions(person).places
    drawn = [each.id for each in opened.studies[person].questions]
    lines = [
        page_line(opened, name, places[ident][0], 9.5, **{field: given})
        for ident, given in zip(drawn, labels, strict=True)
        if given is not None
    ]
    save(pages, name, lines, f"decisions-{person.file_name}.jsonl")


def read(pages: Path, **how: Any) -> Sheets:
    return api.label(pages.parent / "built", pages, kind="decisions", **how)


def words(pages: Path, name: str) -> str:
    return Read((pages / f"{name}.html").read_bytes()).words()


def test_the_first_sees_the_conclusion_and_the_second_does_not(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = tmp_path / "pages"
    api.label(built, pages, kind="decisions", draw=4, people=["ann,bea"])
    assert "ann sees the conclusion of each paper, bea does not" in capsys.readouterr().err
    first, second = words(pages, "ann"), words(pages, "bea")
    assert first.count("Conclusion of the paper: Tea helped") == 4
    assert "Tea helped" not in second
    assert (first.count("METHODS: We asked"), second.count("METHODS: We asked")) == (4, 4)
    assert (first.count("unfit yes, no and maybe do not fit"), second.count("unfit")) == (4, 0)
    assert "Tea helps" not in first + second  # the statement that a title was
    assert sorted(path.name for path in pages.iterdir()) == ["ann.html", "bea.html", "drawn.json"]


def test_the_whole_way(pages: Path, built: Path, tmp_path: Path) -> None:
    label(pages, "ann", ["yes", "no", "unfit", "maybe"])
    label(pages, "bea", ["yes", "yes", "no", None])
    record = read(pages)
    assert (record.drawn, record.unlabelled, record.to_discuss, record.unfit) == (4, 1, 1, 1)
    assert record.labels == {"yes": 1}
    assert record.discussion == ""  # only when both have labelled everything
    assert not (pages / "discussion.html").exists()
    label(pages, "bea", ["yes", "yes", "no", "no"])
    record = read(pages)
    assert (record.unlabelled, record.to_discuss, record.discussion) == (0, 2, "discussion.html")
    with pytest.raises(
        InputError, match=r"0 questions .* 2 not discussed; finish the sheets and discussion.html"
    ):
        read(pages, out=tmp_path / "out")
    shown = words(pages, "discussion")
    assert shown.count("Conclusion of the paper: Tea helped") == 2
    assert shown.count("ann, who saw the conclusion: no") == shown.count("bea, who did not: yes") == 1
    assert shown.count("no agreement the question is removed") == 2
    label(pages, "discussion", ["no", None], "agreed")
    assert (read(pages).to_discuss, read(pages).labels) == (1, {"no": 1, "yes": 1})
    label(pages, "discussion", ["no", "none"], "agreed")
    record = read(pages, out=tmp_path / "out")
    assert (record.to_discuss, record.no_agreement, record.discussion) == (0, 1, "")
    assert record.labels == {"no": 1, "yes": 1}
    made = [*store.instances(store.load(tmp_path / "out"), "train", of=DecisionInstance)]
    drawn = ids(pages)
    assert {each.id: (each.label, dict(each.annotators)) for each in made} == {
        drawn[0]: ("yes", {"reasoning_required": "yes", "reasoning_free": "yes"}),
        drawn[1]: ("no", {"reasoning_required": "yes", "reasoning_free": "no"}),
    }
    assert all(each.subset == "L" for each in made)
    receipt = json.loads((tmp_path / "out/receipt.json").read_text())
    assert receipt["instances"]["dropped"] == {"not_answerable": 1, "no_agreement": 1}
    found = api.agreement(tmp_path / "out", stored=True)
    assert {each.name for each in found.people} == {"reasoning_required", "reasoning_free"}


def test_a_discussion_that_lacks_a_question_is_refused_and_stays(pages: Path) -> None:
    label(pages, "ann", ["yes", "no", "maybe", "yes"])
    label(pages, "bea", ["yes", "yes", "maybe", "yes"])
    assert read(pages).discussion == "discussion.html"
    before = (pages / "discussion.html").read_bytes()
    label(pages, "discussion", ["maybe"], "agreed")
    assert read(pages).to_discuss == 0
    label(pages, "bea", ["no", "yes", "maybe", "yes"])  # the first question, agreed on until now
    with pytest.raises(InputError, match=r"lacks 1 questions that are labelled differently .*; take it away"):
        read(pages)
    assert (pages / "discussion.html").read_bytes() == before
    label(pages, "bea", ["yes", "yes", "maybe", "yes"])  # and back: nothing to discuss about it
    assert read(pages).labels == {"maybe": 2, "yes": 2}
    label(pages, "bea", ["no", "yes", "maybe", "yes"])
    for name in ("drawn.discussion.json", "discussion.html", "decisions-discussion.jsonl"):
        (pages / name).unlink()
    assert read(pages).to_discuss == 2
    assert "Question 2 of 2" in words(pages, "discussion")


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "one person": ({"people": ["ann"]}, "1 people, and Algorithm 1 takes two; name who sees the conclusion"),
    "the discussion": ({"people": ["ann,Discussion"]}, "the name 'discussion' is that of the discussion"),
    "a label": ({"people": ["ann,bea"], "only": "x"}, "^only: sheets of the kind decisions have no such"),
    "knowledge": ({"people": ["ann,bea"], "knowledge": True}, "^knowledge: sheets of"),
    "too many": ({"people": ["ann,bea"], "draw": 7}, "7 questions are asked for, 6 without a label have"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_drawn_is_one_line(name: str, built: Path, tmp_path: Path) -> None:
    how, said = REFUSED[name]
    with pytest.raises(InputError, match=said):
        api.label(built, tmp_path / "s", kind="decisions", **{"draw": 2, **how})
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize("text", ["{", '{"x": ["yes", "no"]}', '{"30000001": ["yes", "?"]}'])
def test_a_damaged_record_of_the_discussion_is_one_line(text: str, pages: Path) -> None:
    (pages / "drawn.discussion.json").write_text(text)
    with pytest.raises(InputError, match=r"is no record of .*; delete it"):
        read(pages)


def test_another_dataset_is_refused(pages: Path, tmp_path: Path) -> None:
    other = written(tmp_path / "other", [unlabelled(number) for number in range(5)], "train")
    with pytest.raises(InputError, match="the sheets were drawn from another dataset"):
        api.label(other, pages, kind="decisions")
