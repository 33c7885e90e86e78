"""A board: sound systems ranked as `compare` ranks them, all faults of the others, one page and one JSON."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.leaderboard.boards import decisions, lines, submit
from tests.readers.tiny_readers import dataset

from anagnosis import api
from anagnosis.cli import run
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.leaderboard import examining
from anagnosis.leaderboard.board import Board, Standing, board
from anagnosis.predictions.notes import Note, note_of, write
from anagnosis.predictions.problems import Problem

# Accuracy and macro-F1 in percent: as published, and as computed beside the data (README.d/pubmedqa.md).
PUBLISHED = {
    "gpt4_medrag32": (70.60, 56.90),
    "gpt35_medrag32": (67.40, 53.89),
    "gpt4_cot": (39.60, 35.06),
    "gpt35_cot": (36.00, 32.21),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return decisions(tmp_path_factory.mktemp("set"))


def by(found: Board, measure: str) -> Standing:
    (standing,) = (each for each in found.standings if each.measure == measure)
    return standing


def test_systems_are_ranked_by_tests_and_runs_are_one_system(built: Dataset, tmp_path: Path) -> None:
    submit(tmp_path, "good", {f"run-{seed}.jsonl": lines(built, 0.95, seed) for seed in range(2)})
    submit(tmp_path, "poor", {"test.jsonl": lines(built, 0.3, 5)})
    submit(tmp_path, "other-view", {"test.jsonl": lines(built, 0.5)}, 'name = "Reads all"\n')
    found = board(tmp_path / "submissions", [built])
    assert found.refused == ()
    assert {(each.dataset, each.view, each.measure) for each in found.standings} == {
        ("PubMedQA", view, measure) for view in ("", "question-only") for measure in ("accuracy", "macro_f1")
    }
    standing = next(one for one in found.standings if one.view and one.measure == "accuracy")
    assert [(one.name, one.ranks, len(one.estimate.runs)) for one in standing.ranking] == [
        ("good", (1, 1), 2),
        ("poor", (2, 2), 1),
    ]
    at = tmp_path / "submissions"
    compared = api.compare(
        built,
        [
            f"good={at / 'good' / 'run-0.jsonl'},{at / 'good' / 'run-1.jsonl'}",
            f"poor={at / 'poor' / 'test.jsonl'}",
        ],
        view="question-only",
    )
    assert standing.ranking == compared.comparisons[0].ranking
    alone = next(one for one in found.standings if not one.view and one.measure == "accuracy")
    assert [(alone.names[one.name], one.ranks) for one in alone.ranking] == [("Reads all", (1, 1))]


def test_answers_to_cloze_questions_are_compared_as_texts(tmp_path: Path) -> None:
    cloze = dataset(tmp_path / "cloze", signal=True, test=12)
    submit(tmp_path, "all", {"test.jsonl": lines(cloze, 1.0)}, 'name = "Knows all"\n')
    found = board(tmp_path / "submissions", [cloze], measures=["exact-match"])
    assert [one.estimate.value for one in by(found, "exact-match").ranking] == [1.0]


NOTES = {
    "sound": (lambda file: write(file, Note(view="question-only", trained_on=Problem(3, ("1",)))), ""),
    "another view": (lambda file: write(file, Note(view="reasoning-free")), "saw the reasoning-free view"),
    "broken": (lambda file: note_of(file).write_text("{"), "test.run.json: it cannot be read"),
    "of others": (lambda file: note_of(file).write_text('{"predictions_sha256": "00"}'), "other predictions"),
    "of nothing": (lambda file: (file.parent / "dev.run.json").write_text("{}"), "dev.run.json: is of no"),
}  # fmt: skip


@pytest.mark.parametrize("case", NOTES)
def test_a_note_is_believed_or_a_fault(built: Dataset, tmp_path: Path, case: str) -> None:
    add, fault = NOTES[case]
    add(submit(tmp_path, "noted", {"test.jsonl": lines(built, 0.5)}) / "test.jsonl")
    found = board(tmp_path / "submissions", [built])
    if not fault:
        counts = [one.problems["trained_on"].count for each in found.standings for one in each.ranking]
        assert counts == [3, 3]
    else:
        assert [(each.submission, len(each.faults)) for each in found.refused] == [("noted", 1)]
        assert fault in found.refused[0].faults[0]


FAULTS = {
    "twice": (lambda rows: [*rows, rows[0]], "1 twice ('"),
    "missing": (lambda rows: rows[1:], "1 without a line ('"),
    "unknown": (lambda rows: [*rows, {**rows[0], "id": "x"}], "1 not in the split ('x')"),
    "gold": (lambda rows: [{**rows[0], "label": "yes"}, *rows[1:]], "1 with fields that no prediction has ('label')"),
    "people": (lambda rows: [{**row, "annotator": "a"} for row in rows], "holds answers of people"),
    "none": (lambda rows: [], "holds no predictions"),
    "no id of ours": (lambda rows: [{"id": "x", "answer": "yes"}], "none of its ids is in a dataset of this board"),
    "no label": (lambda rows: [{**row, "answer": "perhaps"} for row in rows], "answers that are none of yes"),
}  # fmt: skip


@pytest.mark.parametrize("case", FAULTS)
def test_a_submission_with_faults_is_named_with_all_of_them_and_not_scored(
    built: Dataset, tmp_path: Path, case: str
) -> None:
    change, fault = FAULTS[case]
    submit(tmp_path, "bad", {"test.jsonl": change(lines(built, 0.5))}, 'name = "bad"\nviews = ""\n')
    submit(tmp_path, "worse", {"test.jsonl": change(lines(built, 0.5))})
    found = board(tmp_path / "submissions", [built])
    bad, worse = found.refused
    assert found.standings == ()
    assert any("views" in line for line in bad.faults)
    assert any(fault in line for line in worse.faults), worse.faults
    assert all("\n" not in line for line in (*bad.faults, *worse.faults))


def test_broken_lines_are_quoted_and_counted(built: Dataset, tmp_path: Path) -> None:
    rows = b"".join(json.dumps(row).encode() + b"\n" for row in lines(built, 0.5)) + b"{broken\n" * 9
    submit(tmp_path, "bad", {"test.jsonl": rows})
    (bad,) = board(tmp_path / "submissions", [built]).refused
    assert sum("line " in fault for fault in bad.faults) == examining.SHOWN_LINES
    assert any("and 4 more that are no predictions" in fault for fault in bad.faults)


def test_a_file_that_is_large_unpacked_is_refused(
    built: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examining, "LARGEST_FILE", 1000)
    rows = "".join(json.dumps(row) + "\n" for row in lines(built, 0.5)).encode()
    submit(tmp_path, "bad", {"test.jsonl.gz": gzip.compress(rows)})
    (bad,) = board(tmp_path / "submissions", [built]).refused
    assert any("unpacked" in fault for fault in bad.faults)


def test_files_of_other_datasets_are_counted(built: Dataset, tmp_path: Path) -> None:
    other = [{**row, "dataset": "ffff"} for row in lines(built, 0.5)]
    submit(tmp_path, "both", {"test.jsonl": lines(built, 0.5), "other.jsonl": other})
    found = board(tmp_path / "submissions", [built])
    assert (found.refused, found.other_datasets) == ((), {"both": 1})
    assert len(by(found, "accuracy").ranking) == 1


def test_the_train_part_has_no_board(built: Dataset, tmp_path: Path) -> None:
    submit(tmp_path, "train", {"train.jsonl": lines(built, 0.5, split="train")})
    (bad,) = board(tmp_path / "submissions", [built]).refused
    assert "answers a train part, whose answers everybody has" in bad.faults


def test_a_public_copy_and_two_datasets_of_one_title_are_refused(built: Dataset, tmp_path: Path) -> None:
    submit(tmp_path, "one", {"test.jsonl": lines(built, 0.5)})
    public = api.withhold(built, tmp_path / "public").dataset
    with pytest.raises(InputError, match="is a public copy"):
        board(tmp_path / "submissions", [public])
    with pytest.raises(InputError, match="two datasets have the title 'PubMedQA'"):
        board(tmp_path / "submissions", [built, built])


def test_the_command_writes_a_page_and_a_json_and_ends_with_2_where_one_is_not_scored(
    built: Dataset, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    submit(tmp_path, "one", {"test.jsonl": lines(built, 0.9)}, 'name = "<b>One</b>"\n')
    out = tmp_path / "board"
    words = ["leaderboard", "build", str(tmp_path / "submissions"), "--gold", f"Ours={built.folder}", "--out"]
    assert run([*words, str(tmp_path / "submissions" / "board")]) == 2
    assert "board: lies among the submissions" in capfd.readouterr().err
    words.append(str(out))
    assert run(words) == 0
    made = json.loads((out / "board.json").read_text("utf-8"))
    assert made["standings"][0]["names"] == {"one": "<b>One</b>"}
    page = (out / "index.html").read_text("utf-8")
    assert "Ours, test, view not stated" in page
    assert "<b>One</b>" not in page
    before = (out / "index.html").read_bytes()
    assert run(words) == 2
    assert "holds a leaderboard already" in capfd.readouterr().err
    (out / "thesis.tex").write_text("mine")
    assert run([*words, "--replace"]) == 2
    assert "holds other files (thesis.tex)" in capfd.readouterr().err
    (out / "thesis.tex").unlink()
    submit(tmp_path, "two", {"test.jsonl": b""})
    assert run([*words, "--replace"]) == 2
    assert "not scored: two: test.jsonl: holds no predictions" in capfd.readouterr().out
    assert (out / "index.html").read_bytes() != before


def test_four_systems_on_pubmedqa_have_their_published_figures(tmp_path: Path, shared: Path) -> None:
    folder = shared / "data" / "pubmedqa"
    (tmp_path / "ori_pqal.json").write_bytes(gzip.decompress((folder / "ori_pqal.json.gz").read_bytes()))
    built = api.import_dataset(tmp_path / "ori_pqal.json", tmp_path / "pqal", layout="pubmedqa")
    for name, rows in _systems(folder / "mirage_predictions.jsonl.gz"):
        submit(tmp_path, name, {"test.jsonl": rows})
    found = board(tmp_path / "submissions", [built])
    for place, measure in enumerate(("accuracy", "macro_f1")):
        ranking = by(found, measure).ranking
        assert {one.name: round(100 * one.estimate.value, 2) for one in ranking} == {
            name: own[place] for name, own in PUBLISHED.items()
        }
        assert {one.name: one.ranks for one in ranking} == {
            "gpt4_medrag32": (1, 2),
            "gpt35_medrag32": (1, 2),
            "gpt4_cot": (3, 4),
            "gpt35_cot": (3, 4),
        }


def _systems(path: Path) -> Iterator[tuple[str, list[dict[str, str]]]]:
    rows = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    for name in PUBLISHED:
        yield name, [{"id": row["id"], "answer": row[name]} for row in rows]
