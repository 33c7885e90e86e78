"""`submit` and `check` of answers to experts' questions, as users drive them; what they refuse, one line each."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.golden_files import ADDRESS, ident, python2, question, written
from tests.refusals import refused
from tests.typed import Said

from anagnosis import predictions
from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.predictions import Prediction

KINDS = ("factoid", "list", "yesno", "summary")
EXACT: dict[str, Any] = {"factoid": [["XYZ1"], ["ABC2"]], "list": [["XYZ1"]], "yesno": "yes"}
COFFEE = "Does cold brew coffee raise gastric pH less than espresso?"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Questions 1 to 4 are tested, question 5 is in train."""
    folder = tmp_path_factory.mktemp("submit")
    golden = [question(number, kind, body=COFFEE) for number, kind in enumerate(KINDS, 1)]
    written(folder / "golden/8B1_golden.json", python2(golden))
    written(folder / "golden/7B1_golden.json", python2([question(5)]))
    words = [
        "import",
        str(folder / "golden"),
        "--layout",
        "bioasq",
        "--part",
        "train=7B",
        "--part",
        "test=8B",
    ]
    assert run([*words, "--out", str(folder / "built")]) == 0
    return folder / "built"


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("tantivy", reason="the extra search is not installed")
    out = tmp_path_factory.mktemp("submit") / "index"
    assert run(["-q", "index", str(carried()), str(carried("medline")), "--out", str(out)]) == 0
    return out


def answers(**changes: Any) -> list[dict[str, Any]]:
    """A submission's questions. changes: of the first one."""
    found = [{"id": ident(n), "ideal_answer": "It does."} for n in range(1, 5)]
    for each, kind in zip(found, KINDS, strict=True):
        if kind in EXACT:
            each["exact_answer"] = EXACT[kind]
    found[0] |= changes
    return found


def submission(folder: Path, questions: list[dict[str, Any]]) -> Path:
    return written(folder / "given.json", json.dumps({"questions": questions}))


def test_answers_become_a_submission_that_score_reads(said: Said, built: Path, tmp_path: Path) -> None:
    lines = [
        Prediction(ident(1), answer=["ABC2", "xyz1"], ideal="It does."),
        Prediction(ident(3), answer="YES"),
        Prediction(ident(2), answer=["XYZ1"]),
    ]
    predictions.write(tmp_path / "p.jsonl", lines)
    out = tmp_path / "submission.json"
    text = said("submit", built, tmp_path / "p.jsonl", "--phase", "B", "--out", out)
    assert f"wrote {out} (4 questions of test, 3 answered)" in text
    again = said("submit", built, tmp_path / "p.jsonl", "--phase", "B", "--replace", "--out", out)
    assert f"wrote {out}" in again
    assert json.loads(out.read_text())["questions"] == [
        {"id": ident(1), "exact_answer": [["ABC2"], ["xyz1"]], "ideal_answer": "It does."},
        {"id": ident(2), "exact_answer": [["XYZ1"]]},
        {"id": ident(3), "exact_answer": "yes"},
        {"id": ident(4)},
    ]
    for file in (tmp_path / "p.jsonl", out):
        results = json.loads(said("score", built, file, "--json", "--measure", "factoid_mrr"))
        assert results["systems"][0]["measures"]["factoid_mrr"]["value"] == 1 / 2
    assert "sound: 4 lines for 4 questions of test looked at" in said("check", built, out)
    told = json.loads(said("submit", built, out, "--phase", "B", "--out", tmp_path / "again.json", "--json"))
    assert (tmp_path / "again.json").read_bytes() == out.read_bytes()
    assert told == {
        "out": str(tmp_path / "again.json"),
        "phase": "B",
        "split": "test",
        "questions": 4,
        "answered": 3,
        "left_out": 0,
        "unknown_fields": 0,
        "unanswered": {"summary": 1},
        "in_one_text": 0,
    }


def test_files_of_one_type_each_are_put_together(said: Said, built: Path, tmp_path: Path) -> None:
    found = answers()
    found[1]["exact_answer"] = [["XYZ1; ABC2, salt"]]
    files = [submission(tmp_path / str(number), [found[number]]) for number in range(2)]
    predictions.write(tmp_path / "yes.jsonl", [Prediction(ident(3), answer=["yes"])])
    words = ("submit", built, *files, tmp_path / "yes.jsonl", "--phase", "B", "--out")
    text = said(*words, tmp_path / "out.json")
    assert "one text with ; or , between entries, which is one entry: 1 answers to lists" in text
    assert "questions without an answer: summary 1" in text
    assert "(4 questions of test, 3 answered)" in text
    exact = [
        each.get("exact_answer") for each in json.loads((tmp_path / "out.json").read_text())["questions"]
    ]
    assert exact == [EXACT["factoid"], [["XYZ1; ABC2, salt"]], "yes", None]


def test_questions_without_an_answer_are_counted_by_type(said: Said, built: Path, tmp_path: Path) -> None:
    """An empty list and a paragraph in place of an exact answer are none."""
    found = [{"id": ident(1), "exact_answer": []}, {"id": ident(3), "ideal_answer": "It does."}]
    text = said("submit", built, submission(tmp_path, found), "--phase", "B", "--out", tmp_path / "out.json")
    assert "questions without an answer: yesno 1, factoid 1, list 1, summary 1" in text
    documents = [{"id": ident(2), "documents": []}, *answers(documents=[ADDRESS + "7"])[:1]]
    given, out = submission(tmp_path, documents), tmp_path / "a.json"
    text = said("submit", built, given, "--phase", "A", "--out", out)
    assert "questions without an answer: yesno 1, list 1, summary 1" in text
    assert "left out: what 1 lines have for the other phase" in text


@pytest.mark.parametrize("command", ["submit", "score"])
def test_files_that_answer_one_question_twice_are_refused(
    command: str, built: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    one, both = submission(tmp_path / "a", answers()[:1]), submission(tmp_path / "b", answers()[:2])
    if command == "submit":
        line = refused(["submit", str(built), str(one), str(both), "--phase", "B", "--out", "x.json"], capfd)
        assert "b/given.json:1: question" in line
        assert "has a line before, at a/given.json:1; correct it" in line
    else:
        assert "share some ids and not others" in refused(["score", str(built), f"s={one},{both}"], capfd)


def test_an_answer_to_a_list_that_is_one_text_is_reported(said: Said, built: Path, tmp_path: Path) -> None:
    for given, count in (
        ("XYZ1; ABC2", 1),
        ("XYZ1, ABC2", 1),
        (["XYZ1;ABC2"], 1),
        ("1,25-dihydroxyvitamin D", 0),
        ("XYZ1;", 0),
        (["XYZ1, 2", "ABC2"], 0),
        ([], 0),
    ):
        # The factoid is no list.
        lines = [Prediction(ident(1), answer=given), Prediction(ident(2), answer=given)]
        predictions.write(tmp_path / "p.jsonl", lines)
        found = json.loads(said("score", built, tmp_path / "p.jsonl", "--json"))["systems"][0]["problems"]
        assert found.get("in_one_text", {"count": 0})["count"] == count, given


def test_an_index_gives_a_submission_of_phase_a(
    said: Said, built: Path, collection: Path, tmp_path: Path
) -> None:
    out = tmp_path / "submission.json"
    text = said("submit", built, "--phase", "A", "--index", collection, "--out", out)
    assert "(4 questions of test, 4 answered)" in text
    for each in json.loads(out.read_text())["questions"]:
        assert (len(each["documents"]), each["snippets"]) == (10, [])


def test_what_the_search_ranked_in_a_pool_becomes_a_submission_with_the_same_figures(
    said: Said, tmp_path: Path
) -> None:
    pytest.importorskip("tantivy", reason="the extra search is not installed")
    golden = [question(number, body="Are mice blue?") for number in (1, 2)]
    source, asked, pool = (tmp_path / name for name in ("golden", "asked", "pool"))
    written(source / "8B1_golden.json", python2(golden))
    said("import", source, "--layout", "bioasq", "--part", "test=8B", "--out", asked)
    said("build", "bioasq-retrieval", source, "--set", "test=8B", "--out", pool)
    lines, out = tmp_path / "order.jsonl", tmp_path / "submission.json"
    said("predict", "search-order", pool, "--out", lines)
    assert "(2 questions of test, 2 answered)" in said("submit", asked, lines, "--phase", "A", "--out", out)
    assert "sound: 2 lines for 2 questions of test" in said("check", asked, lines)
    in_pool, submitted = (
        json.loads(said("score", data, file, "--json", "--measure", "snippet_f1"))["systems"][0]["measures"]
        for data, file in ((pool, lines), (asked, out))
    )
    assert in_pool["snippet_f1"]["value"] == submitted["snippet_f1"]["value"] > 0


def test_check_lists_every_fault(said: Said, built: Path, tmp_path: Path) -> None:
    given = submission(
        tmp_path, [*answers(id="nobody", documents=["7"]), *answers(ideal_answer="w " * 201)[:2]]
    )
    out = said("check", built, given, code=2)
    assert "question 'nobody': the question is not in test" in out
    assert f"question '{ident(2)}': the question has a line before, at given.json:1" in out
    assert f"question '{ident(1)}': an ideal answer of 201 words, of at most 200" in out
    assert "NOT sound: 6 lines for 4 questions of test looked at" in out
    counts = json.loads(said("check", built, given, "--json", code=2))["counts"]
    assert counts == {"foreign_id": 1, "repeated_id": 1, "ideal": 1}


BAD: dict[str, tuple[Callable[[], str], str]] = {
    "a foreign id": (
        lambda: json.dumps({"questions": answers(id="5e4b540b6d0a27794100001c")}),
        "given.json:1: question '5e4b540b6d0a27794100001c': the question is not in test",
    ),
    "an id of train": (
        lambda: json.dumps({"questions": [*answers(), {"id": ident(5), "exact_answer": "x"}]}),
        f"given.json:1: question '{ident(5)}': the question is not in test, whose ids are such as 000",
    ),
    "several faults": (
        lambda: json.dumps({"questions": answers(id="x", documents=["y"]) + answers(documents=["y"])[:1]}),
        "question 'x': the question is not in test, whose ids are such as 000000000000000000000001, and 1 other",
    ),
    "types": (
        lambda: json.dumps({"id": ident(1), "answer": "list", "scores": {"list": 1}}),
        "answer with types of",
    ),
    "the answers of people": (
        lambda: json.dumps({"id": ident(1), "answer": "XYZ1", "annotator": "Ann"}),
        "the answers of people are no submission",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_it_refuses_in_one_line_and_writes_nothing(
    what: str, built: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text, line = BAD[what]
    given = written(tmp_path / "given.json", text())
    words = ["submit", str(built), str(given), "--split", "test", "--phase", "B"]
    assert line in refused([*words, "--out", str(tmp_path / "out.json")], capfd)
    assert [*tmp_path.iterdir()] == [given]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("submit {built} {given} --phase C --out {out}", "unknown phase 'C'; known: A, B"),
        ("submit {built} {given} --phase A --out {out}", "none of its lines has documents, snippets"),
        ("submit {built} --phase B --out {out}", "anagnosis: no answers to submit; name predictions"),
        ("submit {built} {given} --phase A --index {built} --out {out}", "leave them out, or leave the file"),
        ("submit {built} - --phase B --out {out}", "standard input: it can be read only once"),
        ("check {built} --split test", "--split is of answers"),
    ],
)
def test_what_does_not_go_together_is_one_line(
    words: str, line: str, built: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    given = submission(tmp_path, answers())
    places = {"built": built, "given": given, "out": tmp_path / "out.json"}
    assert line in refused([word.format(**places) for word in words.split()], capfd)
    assert not (tmp_path / "out.json").exists()
