"""Answers of people: the draw, what a folder of saved files says, how `agreement` and `score` take them, faults."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from anagnosis import api
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.datasets.kinds.cloze_views import view
from anagnosis.errors import InputError
from anagnosis.labelling.cloze_questions import question
from anagnosis.labelling.study import Entity, Piece
from tests.labelling.cloze_reports import instance, reports
from tests.labelling.returned_files import line, save
from tests.labelling.studies import Read, drawn, ids


@pytest.fixture
def built(tmp_path: Path) -> Path:
    return reports(tmp_path / "built", 6)


def person(sheets: Path, name: str, answers: Sequence[str | None]) -> Path:
    """The file of a person who answered the first questions on their page in 10, 20, … seconds."""
    return save(
        sheets,
        name,
        [line(sheets, name, place, given, 10.0 * place) for place, given in enumerate(answers, 1)],
    )


def shown(instance: ClozeInstance, name: str) -> tuple[list[str], str, list[Entity]]:
    made = question(instance, view(instance, name, "original", numbering="first-appearance"))
    lines = ["".join(piece.text for piece in line) for line in made.passage]
    return lines, "".join("_" if piece.gap else piece.text for piece in made.question), list(made.entities)


def test_a_question_shows_the_texts_and_numbers_entities_by_their_first_place() -> None:
    lines, asked, entities = shown(instance("r.1"), "names")
    assert lines[:2] == ["A man with fever after amitriptyline", "Case presentation"]
    assert asked == "After an overdose of amitriptyline consider _ and whole bowel irrigation ."
    assert entities[:3] == [
        Entity("@entity0", ("fever",), "fever"),
        Entity("@entity1", ("amitriptyline",), "amitriptyline"),
        Entity("@entity2", ("tachycardia",), "tachycardia"),
    ]
    assert entities[-1] == Entity("@entity6", ("whole bowel irrigation",), "whole bowel irrigation")
    assert len(entities) == 7


def test_a_view_without_names_shows_none() -> None:
    lines, asked, entities = shown(instance("r.1"), "local")
    assert lines[0] == "A man with @entity0 after @entity1 "
    assert asked == "After an overdose of @entity1 consider _ and @entity6 ."
    assert [entity.names for entity in entities] == [()] * 7
    assert [entity.label for entity in entities] == [f"@entity{n}" for n in range(7)]
    assert (entities[1].answer, entities[1].key) == ("shown:@entity1", "amitriptyline")
    # In the dataset @entity6 may be another entity.
    assert (entities[6].answer, entities[6].key) == ("shown:@entity6", "whole bowel irrigation")


def test_an_entity_across_lines_stays_whole_and_touching_ones_stay_apart() -> None:
    made = question(
        i := instance("r.1", "A [low\nfever] and\n\n[ileus][pain]\nthen"), view(i, "names", "original")
    )
    assert made.passage == (
        (Piece("A "), Piece("low\nfever", 0), Piece(" and")),
        (Piece("ileus", 1), Piece("pain", 2)),
        (Piece("then"),),
    )


def test_the_draw_is_the_seed_s_and_the_same_for_every_kind(built: Path, tmp_path: Path) -> None:
    found: dict[tuple[str, int, int], list[str]] = {}
    for kind, count, seed in (("answers", 2, 1), ("answers", 6, 1), ("skills", 6, 1), ("answers", 6, 2)):
        sheets = tmp_path / f"{kind} {count} {seed}"
        api.label(built, sheets, kind=kind, draw=count, seed=seed, people=["ann"])
        found[kind, count, seed] = ids(sheets)
    assert found["answers", 2, 1] == found["answers", 6, 1][:2]
    assert found["answers", 6, 1] == found["skills", 6, 1] != found["answers", 6, 2]
    assert len(set(found["answers", 6, 2])) == 6


def test_the_split_and_the_view_may_be_chosen(built: Path, tmp_path: Path) -> None:
    api.label(built, tmp_path / "s", kind="answers", people=["ann,bob"], draw=1, split="train", view="local")
    assert (drawn(tmp_path / "s")["split"], drawn(tmp_path / "s")["view"]) == ("train", "local")
    page = (tmp_path / "s/ann.html").read_text()
    assert "tachycardia</bdi>" not in page
    assert ids(tmp_path / "s") == ["train.1"]
    assert api.label(built, tmp_path / "s", kind="answers").split == "train"


def imported(file: Path, out: Path) -> Path:
    api.import_dataset(file, out, layout="biomrc")
    return out


@pytest.mark.shared
def test_the_authors_files_of_tiny_are_shown_as_people_saw_them(shared: Path, tmp_path: Path) -> None:
    tiny = shared / "data/biomrc/tiny"
    names = imported(tiny / "dataset_tiny.json", tmp_path / "a")
    for shown_in in ("names", "both"):
        api.label(names, tmp_path / shown_in, kind="answers", draw=10, view=shown_in, people=["ann"])
    page, numbered = (
        Read((tmp_path / shown_in / "ann.html").read_bytes()).words() for shown_in in ("names", "both")
    )
    for text in (page, numbered):
        assert (
            "@entity85 :: [valgus deformity | angular deformity; type 2 | angular deformity | varus deformity]"
            in text
        )
    assert "treatment of [fibrous dysplasia] has been limited" in page
    assert "treatment of @entity82 has been limited" in numbered
    alone = imported(tiny / "dataset_tiny_B.json", tmp_path / "b")
    api.label(alone, tmp_path / "local", kind="answers", draw=10, people=["ann"])
    assert drawn(tmp_path / "local")["view"] == "local"
    assert "::" not in Read((tmp_path / "local/ann.html").read_bytes()).words()
    for shown_in in ("names", "both"):
        with pytest.raises(InputError, match=f"the {shown_in} view needs the names of entities"):
            api.label(alone, tmp_path / "refused", kind="answers", draw=10, view=shown_in, people=["ann"])


def test_saved_files_are_predictions(built: Path, tmp_path: Path) -> None:
    sheets = tmp_path / "s"
    api.label(built, sheets, kind="answers", people=["ann,bob"], draw=4)
    ann = person(sheets, "ann", ["Phosphate  Enema", "phosphate enema", "fever", None])
    bob = person(sheets, "bob", ["phosphate enema", "whole bowel irrigation", "fever"])
    found = api.agreement(built, [ann, bob])
    assert [(each.name, each.estimate.value) for each in found.scores if each.annotator] == [
        ("ann", 1 / 2),
        ("bob", 1 / 4),
    ]
    assert (found.instances, found.people[0].seconds) == (4, 25)
    (scored,) = api.score(built, [ann]).systems
    assert scored.measures["accuracy"].value == pytest.approx(2 / 6)


def test_what_is_no_study_of_answers_is_refused(built: Path, tmp_path: Path) -> None:
    sheets = tmp_path / "s"
    api.label(built, sheets, kind="answers", people=["ann,bob"], draw=2)
    with pytest.raises(InputError, match="answers of people make no dataset"):
        api.label(built, sheets, kind="answers", out=tmp_path / "out")
    with pytest.raises(
        InputError, match="the sheets are of the kind answers, not skills; leave the kind out"
    ):
        api.label(built, sheets, kind="skills")
    (sheets / "drawn.json").write_text('{"kind": 3}')
    with pytest.raises(InputError, match="is no record of a draw"):
        api.label(built, sheets, kind="answers")
