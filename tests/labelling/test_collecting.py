"""One file of what people gave back: valid lines in each person's order, and who left what open."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from anagnosis import api
from anagnosis.cli import run
from anagnosis.errors import InputError
from anagnosis.evaluation.agreement import Agreement
from anagnosis.evaluation.signature import parsed
from anagnosis.labelling import collecting
from anagnosis.labelling.collecting import Collected, collect
from anagnosis.labelling.drawn import any_drawn
from anagnosis.labelling.opened_study import open_study
from anagnosis.predictions import notes
from anagnosis.predictions.lines import read as predictions
from tests.labelling.returned_files import asked, line, read, save, study
from tests.labelling.studies import Read


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    made = study(tmp_path, ["experts=ann", "bea,cleo"])
    save(made, "bea", [line(made, "bea", place, seconds=place) for place in (4, 2, 1, 3)])
    lines = [line(made, "ann", 2), line(made, "ann", 1), line(made, "ann", 2, None, 20)]
    save(made, "ann", lines)
    return made


def collected(pages: Path, out: Path | None = None) -> Collected:
    return collect(pages.parent / "built", pages, out)


def test_it_writes_the_valid_line_of_each_person_and_question(pages: Path, tmp_path: Path) -> None:
    record = collected(pages, tmp_path / "people.jsonl")
    assert read(tmp_path / "people.jsonl") == [
        line(pages, "ann", 1),
        line(pages, "ann", 2, None, 20),
        *(line(pages, "bea", place, seconds=place) for place in (1, 2, 3, 4)),
    ]
    assert record.lines == 6
    assert len([*predictions(tmp_path / "people.jsonl")]) == 6
    assert notes.read(tmp_path / "people.jsonl").view == "names"


def test_it_says_who_left_what_open(pages: Path) -> None:
    record = collected(pages)
    assert api.label(pages.parent / "built", pages, kind="answers") == record
    ann, bea = record.people
    assert (record.kind, record.split, record.view, record.drawn) == ("answers", "dev", "names", 4)
    assert record.missing == ("cleo",)
    assert (ann.name, ann.group, ann.file, ann.answered, ann.unsure) == (
        "ann",
        "experts",
        "answers-ann.jsonl",
        2,
        1,
    )
    assert (ann.open, ann.first_open) == (2, tuple(asked(pages, "ann")[2:]))
    assert (bea.answered, bea.open, bea.first_open, bea.median) == (4, 0, (), 2.5)
    first = ", ".join(asked(pages, "ann")[2:])
    assert collecting.summary(record) == [
        "4 questions of dev, files of 2 of 3 people",
        f"ann (experts): 2 answered, 1 of them “could not answer”, 2 open ({first}), 15 s a question (median)",
        "bea (people): 4 answered, 0 open, 2 s a question (median)",
        "without a file: cleo",
    ]


def test_nobody_gave_anything_back(tmp_path: Path) -> None:
    pages, out = study(tmp_path), tmp_path / "people.jsonl"
    record = collected(pages)
    assert (record.people, record.missing, record.lines) == ((), ("ann", "bea"), 0)
    (pages / "notes.txt").write_text("mine")
    (pages / "answers-ann.jsonl").write_text("\n")
    out.write_text("mine\n")
    for replace in (False, True):
        with pytest.raises(InputError) as refused:
            collect(
                tmp_path / "built", pages, tmp_path / "new.jsonl" if not replace else out, replace=replace
            )
        assert "pages: no answers in it (answers-ann.jsonl: no answers in it; notes.txt: " in str(
            refused.value
        )
        assert str(refused.value).endswith("; put the files that people saved beside the pages")
    assert out.read_text() == "mine\n"
    assert not (tmp_path / "new.jsonl").exists()


@pytest.mark.parametrize("name", ["people.jsonl", "answers-ann.jsonl", "../pages/new.jsonl"])
def test_it_does_not_write_among_the_files_of_the_people(pages: Path, name: str) -> None:
    before = {path.name: path.read_bytes() for path in pages.iterdir()}
    with pytest.raises(InputError, match=r"lies in the folder of the people's files|is an input"):
        collected(pages, pages / name)
    assert {path.name: path.read_bytes() for path in pages.iterdir()} == before


def views(found: Agreement) -> list[str | None]:
    """Those of the signatures of people's numbers."""
    signatures = [found.signature, *(each.signature for each in found.comparisons)]
    signatures += [score.signature for score in found.scores if score.name != "system"]
    return [parsed(signature)["view"] for signature in signatures]


def test_signatures_of_agreement_name_the_view_in_which_people_answered(pages: Path, tmp_path: Path) -> None:
    built, out = tmp_path / "built", tmp_path / "people.jsonl"
    collected(pages, out)
    system = tmp_path / "system.jsonl"
    save(tmp_path, "", [{"id": ident, "answer": "fever"} for ident in asked(pages, "ann")], system.name)
    found = api.agreement(built, [out], [system], measures=["accuracy"])
    assert len(views(found)) == 4
    assert set(views(found)) == {"names"}
    assert "systems" not in parsed(found.signature)
    # --view is that of the systems, where the notes beside people's files name theirs.
    for view in ("local", None):
        found = api.agreement(built, [out], [system], view=view)
        assert set(views(found)) == {"names"}
        for signature in (found.signature, *(each.signature for each in found.comparisons)):
            assert parsed(signature)["systems"] == "local"
        notes.write(system, notes.Note(view="local"))
    (tmp_path / "people.run.json").unlink()
    assert set(views(api.agreement(built, [out], view="both"))) == {"both"}
    assert set(views(api.agreement(built, [out]))) == {None}


def test_people_of_two_views_are_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files: list[str] = []
    for name, view in (("ann", "names"), ("bea", "local")):
        (tmp_path / view).mkdir()
        pages, out = study(tmp_path / view, [name], view=view, texts=False), tmp_path / f"{name}.jsonl"
        save(pages, name, [line(pages, name, 1, None)])
        collect(tmp_path / view / "built", pages, out)
        files.append(str(out))
    assert run(["agreement", str(tmp_path / "names/built"), *files]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "the people answered in different views (ann.jsonl: names; bea.jsonl: local); " in said


def test_the_kind_of_sheets_that_are_read_is_that_of_the_draw(
    pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["label", "read", str(pages.parent / "built"), "--sheets", str(pages)]) == 0
    assert capsys.readouterr().out.startswith("4 questions of dev, files of 2 of 3 people\n")
    nowhere = str(pages / "nowhere")
    assert run(["label", "read", str(pages.parent / "built"), "--sheets", nowhere]) == 2
    assert "nowhere: no such folder; draw them with `anagnosis label draw`" in capsys.readouterr().err


def test_a_page_without_names_holds_no_keys_and_the_collected_answers_do(tmp_path: Path) -> None:
    pages, out = study(tmp_path, ["ann"], texts=False, view="local"), tmp_path / "people.jsonl"
    form = Read((pages / "ann.html").read_bytes()).form()
    entities = open_study(tmp_path / "built", pages).studies[any_drawn(pages).people[0]].questions[0].entities
    answers = {entity.key: entity.answer for entity in entities}
    assert set(form["answers"][0]) == set(answers.values())
    assert all(re.fullmatch(r"shown:@entity\d+", each) for of in form["answers"] for each in of)
    for key in ("tachycardia", "phosphate enema"):
        assert key not in (pages / "ann.html").read_text()
    saved = save(
        pages, "ann", [line(pages, "ann", 1, answers["phosphate enema"]), line(pages, "ann", 2, None)]
    )
    collected(pages, out)
    assert [each["answer"] for each in read(out)] == ["phosphate enema", None]
    (ann,) = api.agreement(tmp_path / "built", [out]).people
    assert ann.problems == {}
    # The file of the page is not taken for numbers of the dataset.
    assert "unmapped" in api.agreement(tmp_path / "built", [saved]).people[0].problems
    save(pages, "ann", [line(pages, "ann", 1, "phosphate enema")])
    with pytest.raises(InputError, match="answer cannot be 'phosphate enema'"):
        collected(pages)
