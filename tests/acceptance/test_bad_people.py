"""Sheets and files of people that are refused: exit code 2, one line, no output."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.labelling.cloze_reports import reports
from tests.labelling.returned_files import edited, line, study
from tests.labelling.similar_answers import record
from tests.refusals import refused

from anagnosis import api
from anagnosis.corpus import carried


def label(at: Path, kind: str, *options: str) -> list[str]:
    built = at / "built"
    if not built.exists():
        reports(built, 4)
    return ["label", str(built), "--kind", kind, "--sheets", str(at / "sheets"), *options]


def more_questions_than_there_are(at: Path) -> list[str]:
    return label(at, "answers", "--draw", "5", "--people", "ann")


def a_split_that_is_not_there(at: Path) -> list[str]:
    return label(at, "skills", "--draw", "1", "--split", "test")


def a_view_of_no_name(at: Path) -> list[str]:
    return label(at, "answers", "--draw", "1", "--view", "nmaes", "--people", "ann")


def a_label_of_no_name(at: Path) -> list[str]:
    return label(at, "answers", "--only", "tiny-c", "--people", "ann")


def nobody_who_answers(at: Path) -> list[str]:
    return label(at, "answers", "--draw", "2")


def one_name_twice(at: Path) -> list[str]:
    return label(at, "answers", "--draw", "2", "--people", "ann,bea", "--people", "experts=ann")


def two_names_of_one_file(at: Path) -> list[str]:
    return label(at, "answers", "--draw", "2", "--people", "a.b,a b")


def a_person_of_control_characters(at: Path) -> list[str]:
    return label(at, "answers", "--draw", "2", "--people", "ann\x1b[31m")


def questions_on_documents_of_another_study(at: Path) -> list[str]:
    given = label(at, "answers")
    api.label(at / "built", at / "other", kind="answers", draw=1, people=["ann"])
    return [*given, "--draw", "4", "--people", "ann", "--apart-from", str(at / "other")]


def another_study_that_is_none(at: Path) -> list[str]:
    return label(at, "answers", "--draw", "2", "--people", "ann", "--apart-from", str(at))


def names_of_files_without_names(at: Path) -> list[str]:
    api.build("biomrc", [carried()], at / "built", recipe="biomrc-demo")
    api.export(at / "built", at / "files", layout="biomrc", setting="B")
    api.import_dataset(at / "files", at / "theirs", layout="biomrc", setting="B")
    given = ["label", str(at / "theirs"), "--kind", "answers", "--draw", "2", "--people", "ann"]
    return [*given, "--view", "both", "--sheets", str(at / "sheets")]


def a_split_without_a_draw(at: Path) -> list[str]:
    return label(at, "answers", "--split", "dev")


def a_seed_without_a_draw(at: Path) -> list[str]:
    return label(at, "answers", "--seed", "3")


def a_port_without_a_server(at: Path) -> list[str]:
    return label(at, "answers", "--draw", "2", "--people", "ann", "--port", "9000")


def a_draw_that_replaces(at: Path) -> list[str]:
    return label(at, "answers", "--draw", "2", "--people", "ann", "--replace")


def two_groups_in_one_option(at: Path) -> list[str]:
    return label(at, "answers", "--draw", "2", "--people", "experts=ann,novices=bea")


def cloze_questions_without_a_kind(at: Path) -> list[str]:
    label(at, "answers")
    return ["label", str(at / "built"), "--draw", "2", "--sheets", str(at / "sheets")]


def another_study_of_no_folder(at: Path) -> list[str]:
    return label(at, "answers", "--draw", "2", "--people", "ann", "--apart-from", str(at / "none"))


def sheets_that_nobody_drew(at: Path) -> list[str]:
    return label(at, "answers")


def a_file_of_papers(at: Path) -> list[str]:
    (at / "papers.jsonl").write_text("{}\n")
    return [
        "label",
        str(at / "papers.jsonl"),
        "--kind",
        "skills",
        "--draw",
        "1",
        "--sheets",
        str(at / "sheets"),
    ]


def similar_answers_of(at: Path, text: str, *options: str) -> list[str]:
    (at / "similar.json").write_text(text)
    given = ["label", str(at / "similar.json"), "--kind", "similar-answers", "--sheets", str(at / "sheets")]
    return [*given, *options]


def a_record_that_lists_no_similar_answers(at: Path) -> list[str]:
    return similar_answers_of(at, '{"record": "everyprotocol", "similar": null}', "--draw", "1")


def a_dataset_in_place_of_a_record(at: Path) -> list[str]:
    return label(at, "similar-answers", "--draw", "1")


def more_similar_answers_than_there_are(at: Path) -> list[str]:
    record(at)
    source = str(at / "record.json")
    return ["label", source, "--kind", "similar-answers", "--sheets", str(at / "sheets"), "--draw", "5"]


def a_sheet_of_similar_answers_that_nobody_drew(at: Path) -> list[str]:
    return [*more_similar_answers_than_there_are(at)[:-2]]


def saved(at: Path, kind: str, line: dict[str, object]) -> list[str]:
    given = label(at, kind)
    api.label(at / "built", at / "sheets", kind=kind, draw=4, people=["ann"])
    (at / "sheets" / f"{kind}-ann.jsonl").write_text(json.dumps(line) + "\n")
    return given


def collected(
    at: Path, *changes: dict[str, object], names: tuple[str, ...] = ("answers-ann.jsonl",)
) -> list[str]:
    """Files of ann: the line that her page saves, with changes by hand."""
    pages = study(at, ["ann", "bea"], texts=False)
    for name, change in zip(names, changes, strict=True):
        (pages / name).write_text(json.dumps(edited(line(pages, "ann", 1), change)) + "\n")
    return ["label", str(at / "built"), "--collect", str(pages), "--out", str(at / "people.jsonl")]


def an_answer_to_a_question_that_was_not_drawn(at: Path) -> list[str]:
    return collected(at, {"id": "bcr-9.1"})


def an_answer_that_is_no_candidate(at: Path) -> list[str]:
    return collected(at, {"answer": "measles"})


def an_answer_of_another_fingerprint(at: Path) -> list[str]:
    return collected(at, {"dataset": "0" * 64})


def an_answer_of_nobody(at: Path) -> list[str]:
    return collected(at, {"annotator": "eve"})


def an_answer_at_another_place(at: Path) -> list[str]:
    return collected(at, {"place": 3})


def negative_seconds(at: Path) -> list[str]:
    return collected(at, {"seconds": -0.5})


def more_seconds_than_anybody_lives(at: Path) -> list[str]:
    return collected(at, {"seconds": 1e300})


def more_seconds_than_a_day_has(at: Path) -> list[str]:
    return collected(at, {"seconds": 90_000})


def a_place_that_is_no_whole_number(at: Path) -> list[str]:
    words = collected(at, {})
    path = at / "pages/answers-ann.jsonl"
    path.write_text(path.read_text().replace('"place": 1', '"place": 1.0'))
    return words


def a_collection_of_no_folder(at: Path) -> list[str]:
    return [*collected(at, {})[:2], "--collect", str(at / "none"), "--out", str(at / "people.jsonl")]


def a_collection_of_nothing(at: Path) -> list[str]:
    words = collected(at, {})
    (at / "pages/answers-ann.jsonl").unlink()
    return words


def two_files_of_one_person(at: Path) -> list[str]:
    return collected(at, {}, {"seconds": 99}, names=("answers-ann.jsonl", "answers-ann (1).jsonl"))


def two_people_in_one_file(at: Path) -> list[str]:
    words = collected(at, {})
    pages = at / "pages"
    lines = [line(pages, name, 1) for name in ("ann", "bea")]
    (pages / "answers-ann.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    return words


def broken_json(at: Path) -> list[str]:
    words = collected(at, {})
    (at / "pages/answers-ann.jsonl").write_text('{"id": "bcr-0.1", "answer": fever}\n')
    return words


def an_endless_line(at: Path) -> list[str]:
    words = collected(at, {})
    (at / "pages/answers-ann.jsonl").write_text('{"id": "' + "x" * 100_000)
    return words


def a_folder_without_a_study(at: Path) -> list[str]:
    (at / "empty").mkdir()
    return [*collected(at, {})[:2], "--collect", str(at / "empty")]


def people_of_another_dataset(at: Path) -> list[str]:
    words = collected(at, {})
    reports(at / "other", 6)
    return ["label", str(at / "other"), *words[2:]]


def a_collection_into_the_people_s_folder(at: Path) -> list[str]:
    return [*collected(at, {})[:-1], str(at / "pages/people.jsonl")]


def a_collection_with_a_draw(at: Path) -> list[str]:
    return [*collected(at, {}), "--draw", "3"]


def a_server_without_a_study(at: Path) -> list[str]:
    (at / "empty").mkdir()
    return ["label", str(reports(at / "built", 4)), "--sheets", str(at / "empty"), "--serve"]


def a_server_of_sheets_without_people(at: Path) -> list[str]:
    words = label(at, "skills")
    api.label(at / "built", at / "sheets", kind="skills", draw=2)
    return [*words[:2], "--sheets", str(at / "sheets"), "--serve"]


def a_skill_that_is_unknown(at: Path) -> list[str]:
    return saved(at, "skills", {"id": "bcr-0.1", "skills": ["briding"]})


def none_beside_a_skill(at: Path) -> list[str]:
    return saved(at, "skills", {"id": "bcr-0.1", "skills": ["none", "bridging"]})


def shown_with(at: Path, text: str) -> list[str]:
    label(at, "skills")
    (at / "skills.csv").write_text(text)
    return ["show", str(at / "built"), "--labels", str(at / "skills.csv")]


def labels_of_an_unknown_skill(at: Path) -> list[str]:
    return shown_with(at, "id,skills\nbcr-0.1,briding\n")


def labels_of_another_dataset(at: Path) -> list[str]:
    return shown_with(at, "id,skills\nbcr-9.1,bridging\n")


def a_measure_of_no_name(at: Path) -> list[str]:
    label(at, "answers")
    (at / "ann.jsonl").write_text(json.dumps({"id": "bcr-0.1", "answer": "fever"}))
    return ["agreement", str(at / "built"), str(at / "ann.jsonl"), "--measure", "f11"]


def a_measure_without_word_vectors(at: Path) -> list[str]:
    return [*a_measure_of_no_name(at)[:-1], "embedding-average"]


REFUSED: list[tuple[Callable[[Path], list[str]], str]] = [
    (more_questions_than_there_are, "built: 5 questions are asked for, dev has 4; draw fewer"),
    (a_split_that_is_not_there, "built: no split 'test'; its splits: train, dev"),
    (a_view_of_no_name, "unknown view 'nmaes'; did you mean names"),
    (
        a_label_of_no_name,
        "built: no question of the dataset has the label 'tiny-c'; no question has one; make",
    ),
    (nobody_who_answers, "--people: who answers?; name the people: --people NAME,NAME"),
    (one_name_twice, "--people: 'ann' stands twice; name each person once"),
    (two_names_of_one_file, "--people: the files of 'a.b' and 'a b' would have one name"),
    (a_person_of_control_characters, "--people: the name 'ann\\x1b[31m' holds signs that cannot be printed"),
    (questions_on_documents_of_another_study, "of these 4 share a document with"),
    (another_study_that_is_none, ": no study in this folder; name the folder that holds drawn.json"),
    (another_study_of_no_folder, "none: no such folder; name the folder of a study"),
    (
        names_of_files_without_names,
        "the both view needs the names of entities, and this dataset was read from files",
    ),
    (a_split_without_a_draw, "--split has no meaning with sheets that are only read: leave it out"),
    (a_seed_without_a_draw, "--seed has no meaning with sheets that are only read: leave it out"),
    (a_draw_that_replaces, "--replace: a draw replaces no sheets, since they may hold answers; leave it out"),
    (a_port_without_a_server, "--port has no meaning without --serve: leave it out"),
    (two_groups_in_one_option, "--people: the name 'novices=bea' holds =; repeat --people for another group"),
    (
        cloze_questions_without_a_kind,
        "built: holds cloze questions, and questions for yes, no or maybe are needed here; to have people "
        "answer other questions, add --kind answers",
    ),
    (a_collection_of_no_folder, "none: no such folder; name the folder of a study"),
    (a_collection_of_nothing, "pages: no answers in it; put the files that people saved beside the pages"),
    (
        a_place_that_is_no_whole_number,
        "answers-ann.jsonl:1: its place is 1.0, and the page of ann has it at 1",
    ),
    (
        more_seconds_than_a_day_has,
        "answers-ann.jsonl:1: its seconds are 90000, and a question has 86,400 at most",
    ),
    (sheets_that_nobody_drew, "drawn.json: no such sheets; draw them with --kind answers --draw"),
    (
        a_record_that_lists_no_similar_answers,
        "similar.json: is no record with answers right by similarity (similar: a list is wanted, not null); name the",
    ),
    (a_dataset_in_place_of_a_record, "built: is no record with answers right by similarity (is a directory)"),
    (
        more_similar_answers_than_there_are,
        "record.json: 5 answers are asked for, the record has 4; draw fewer",
    ),
    (
        a_sheet_of_similar_answers_that_nobody_drew,
        "similar-answers.csv: no such sheet; draw them with --draw",
    ),
    (a_file_of_papers, "papers.jsonl: is a file, and questions are those of a dataset folder"),
    (
        an_answer_to_a_question_that_was_not_drawn,
        "answers-ann.jsonl:1: 'bcr-9.1' is no question of these sheets; ask for the file as the page saved it",
    ),
    (
        an_answer_that_is_no_candidate,
        "answers-ann.jsonl:1: answer cannot be 'measles'; ask for the file as the page",
    ),
    (
        an_answer_of_another_fingerprint,
        "answers-ann.jsonl:1: an answer to another dataset (0000000000000000…); take the file away, or name the folder",
    ),
    (
        an_answer_of_nobody,
        "answers-ann.jsonl:1: 'eve' is none of the people of this study; take the file away",
    ),
    (
        an_answer_at_another_place,
        "answers-ann.jsonl:1: its place is 3, and the page of ann has it at 1; ask for",
    ),
    (
        negative_seconds,
        "answers-ann.jsonl:1: its seconds are -0.5, and a question has 86,400 at most; ask for the file as the page",
    ),
    (more_seconds_than_anybody_lives, "answers-ann.jsonl:1: its seconds are 1e+300, and a question has"),
    (
        two_files_of_one_person,
        "pages: 'ann' has two files: answers-ann (1).jsonl and answers-ann.jsonl; answers-ann (1).jsonl is newer: it "
        "goes on from the other with 0 more answers and 89.5 more seconds; take answers-ann.jsonl away",
    ),
    (
        two_people_in_one_file,
        "answers-ann.jsonl:2: an answer of 'bea' in the file of 'ann'; ask each of them for",
    ),
    (
        broken_json,
        'answers-ann.jsonl:1: not JSON ({"id": "bcr-0.1", "answer": fe…); ask for the file as the page',
    ),
    (an_endless_line, "answers-ann.jsonl:1: a line of more than 64 KiB; take the file away"),
    (a_folder_without_a_study, "empty: no study in this folder; name the folder that holds drawn.json"),
    (
        people_of_another_dataset,
        "other: the sheets were drawn from another dataset; name the dataset that they were",
    ),
    (
        a_collection_into_the_people_s_folder,
        "people.jsonl: lies in the folder of the people's files; choose another",
    ),
    (a_collection_with_a_draw, "--draw has no meaning with --collect: leave it out"),
    (a_server_without_a_study, "empty: no study in this folder"),
    (a_server_of_sheets_without_people, "sheets: the study has no people; draw it with --people NAME,NAME"),
    (
        a_skill_that_is_unknown,
        "skills-ann.jsonl:1: 'briding' is no skill; write object tracking, mathematical",
    ),
    (
        none_beside_a_skill,
        "skills-ann.jsonl:1: 'none' stands beside another skill; leave none or the others away",
    ),
    (labels_of_an_unknown_skill, "skills.csv:2: 'briding' is no skill; write object tracking"),
    (labels_of_another_dataset, "skills.csv: none of its 1 ids is in the dataset (bcr-9.1)"),
    (a_measure_of_no_name, "unknown measure 'f11'"),
    (
        a_measure_without_word_vectors,
        "the measure 'embedding-average' compares word vectors, and no file of them",
    ),
]


@pytest.mark.parametrize(("make", "line"), REFUSED, ids=lambda value: getattr(value, "__name__", ""))
def test_is_answered_with_one_line_and_exit_code_2(
    make: Callable[[Path], list[str]], line: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = make(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    assert line in refused(["-q", *words], capfd)
    assert sorted(tmp_path.rglob("*")) == before
