"""Cloze questions judged by the texts of their answers: scores, comparisons, and what does not fit."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from tests.golds import Row, instance
from tests.refusals import refused

from anagnosis import api
from anagnosis.cli import cli
from anagnosis.datasets.folder import writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.errors import InputError

EVERY = ("exact-match", "f1", "bleu-2", "bleu-4", "bleu-2-mean", "bleu-4-mean")
VECTORS = "5 2\n</s> 1 1\nfever 1 0\npyrexia 0.6 0.8\ncough 0 1\nchest 0 2\n"
PUBLISHED = {
    "exact-match": ("exact_match", 100),
    "f1": ("f1", 100),
    "bleu-2": ("Bleu_2", 1),
    "bleu-4": ("Bleu_4", 1),
    "embedding-average": ("emb-average", 1),
}


def question(
    ident: str, names: Sequence[Sequence[str]], answers: Sequence[str], answer: int | None = None
) -> ClozeInstance:
    """A question whose candidates have these surface forms; their keys are those of CliCR."""
    keys = [own[0].lower() for own in names]
    made = instance(Row(ident, keys, answer, document=ident.rpartition(".")[0], names=names))
    return msgspec.structs.replace(made, answers=tuple(answers))


# Two questions whose answer is a candidate, one whose answer is none.
TEST = [
    question("r1.1", [["Fever", "fever"], ["chest pain"]], ["fever", "Pyrexia"], 0),
    question("r1.2", [["Fever"], ["chest pain"]], ["severe chest pain"]),
    question("r2.1", [["cough"], ["Fever"]], ["Cough"], 0),
]
TRAIN = [question("t1.1", [["Fever"]], ["Fever"], 0), question("t1.2", [["cough"]], ["dry cough"])]


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    recipe = {"dataset": "clicr", "text_form": "original"}
    return writing.write(tmp_path / "made", {"train": TRAIN, "test": TEST}, recipe)


def lines(folder: Path, name: str, *rows: Mapping[str, Any]) -> Path:
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def by_id(folder: Path, name: str, answers: Mapping[str, str]) -> Path:
    return lines(folder, name, *({"id": ident, "answer": text} for ident, text in answers.items()))


def vectors(folder: Path, text: str = VECTORS) -> Path:
    path = folder / "words.txt"
    path.write_text(text)
    return path


def values(dataset: Dataset, path: Path, measures: Sequence[str] = EVERY, **how: Any) -> dict[str, float]:
    (found,) = api.score(dataset, [path], measures=measures, **how).on("test")
    return {name: own.value for name, own in found.measures.items()}


def run(*arguments: object) -> Any:
    return CliRunner().invoke(cli, [*map(str, arguments)])


def test_any_text_is_judged_and_is_no_problem(dataset: Dataset, tmp_path: Path) -> None:
    path = by_id(tmp_path, "own", {"r1.1": "the PYREXIA", "r1.2": "chest pain", "r2.1": "dry cough"})
    (found,) = api.score(dataset, [path], measures=EVERY).on("test")
    assert found.instances == 3
    assert not found.problems
    got = {name: own.value for name, own in found.measures.items()}
    assert got["exact-match"] == pytest.approx(1 / 3)
    assert got["f1"] == pytest.approx((1 + 4 / 5 + 2 / 3) / 3)
    # 5 words, 4 of them right; 2 pairs, 1 of them right; the closest right answers have 1 + 3 + 1 words.
    assert got["bleu-2"] == pytest.approx(math.sqrt(4 / 5 * 1 / 2), abs=1e-8)


def test_a_question_whose_answer_is_no_candidate_counts_for_texts_alone(
    dataset: Dataset, tmp_path: Path
) -> None:
    path = by_id(tmp_path, "own", {"r1.1": "fever", "r1.2": "severe chest pain", "r2.1": "angina"})
    (found,) = api.score(dataset, [path], measures=["accuracy", "exact-match"]).on("test")
    accuracy, exact = found.measures["accuracy"], found.measures["exact-match"]
    assert (accuracy.n, accuracy.value) == (2, 0.5)
    assert (exact.n, exact.value) == (3, pytest.approx(2 / 3))
    assert found.problems["unmapped"].count == 2
    (of_type,) = [one for one in found.breakdowns if one.factor == "candidates"]
    assert [(one.n, {name: own.n for name, own in one.measures.items()}) for one in of_type.slices] == [
        (3, {"accuracy": 2, "exact-match": 3})
    ]


def test_a_key_stands_for_the_candidate_s_first_surface_form(dataset: Dataset, tmp_path: Path) -> None:
    made = [
        msgspec.structs.replace(
            one,
            candidates=tuple(
                msgspec.structs.replace(candidate, key=f"C{place}", number=place + 40)
                for place, candidate in enumerate(one.candidates)
            ),
        )
        for one in TEST
    ]
    other = writing.write(tmp_path / "keyed", {"test": made}, {"dataset": "clicr"})
    for answer in ("C0", "40", "entity40", ["C0", "x"]):
        path = lines(tmp_path, "keys", {"id": "r1.1", "answer": answer}, {"id": "r2.1", "answer": answer})
        assert values(other, path, ["exact-match"])["exact-match"] == pytest.approx(2 / 3), answer


def test_intervals_of_bleu_resample_documents(dataset: Dataset, tmp_path: Path) -> None:
    path = by_id(tmp_path, "own", {"r1.1": "fever", "r1.2": "chest pain", "r2.1": "cough"})
    (found,) = api.score(dataset, [path], measures=["bleu-2"]).on("test")
    interval = found.measures["bleu-2"].interval
    assert interval.method == "bootstrap by document"
    # The second document twice has one word beside one; both documents have 4 words beside 5, a larger value than that
    # of the first one twice, 3 words beside 4.
    assert interval.low == pytest.approx(0.001, abs=1e-6)
    assert interval.high == pytest.approx(math.exp(1 - 5 / 4), abs=1e-6)


def test_scores_stand_apart_by_whether_train_has_the_answer(dataset: Dataset, tmp_path: Path) -> None:
    path = by_id(tmp_path, "own", {"r1.1": "fever", "r1.2": "x", "r2.1": "x"})

    def slices(**how: Any) -> dict[str, tuple[int, float]]:
        (found,) = api.score(dataset, [path], measures=["exact-match"], **how).on("test")
        (seen,) = [one for one in found.breakdowns if one.factor == "right answer"]
        return {one.label: (one.n, one.measures["exact-match"].value) for one in seen.slices}

    assert slices() == {"seen in train": (1, 1.0), "unseen in train": (2, 0.0)}


def test_every_question_that_texts_judge_has_a_type_and_is_seen_in_train_or_not(tmp_path: Path) -> None:
    def typed(made: ClozeInstance, type: str) -> ClozeInstance:
        n = len(made.answers)
        columns = {
            "answer_identifiers": ("",) * n,
            "answer_types": (type,) * n,
            "answer_origins": ("dataset",) * n,
        }
        return msgspec.structs.replace(made, **columns)

    names = [["Fever"], ["chest pain"]]
    texts = {
        "r1.3": "dry  Cough",
        "r1.4": "Cough",
        "r1.5": "rash",
    }  # that of a question, of a candidate, of neither
    test = [
        typed(question("r1.1", names, ["fever"], 0), "problem"),
        *(typed(question(ident, names, [text]), "test") for ident, text in texts.items()),
        typed(question("r1.6", names, ["dry cough"]), ""),
    ]
    train = [typed(each, "problem") for each in TRAIN]
    made = writing.write(
        tmp_path / "made", {"train": train, "test": test}, {"dataset": "clicr", "numbering": "global"}
    )
    path = by_id(tmp_path, "own", {each.id: "fever" for each in test})
    (found,) = api.score(made, [path], measures=["f1", "accuracy"]).on("test")
    slices = {
        one.factor: {each.label: (each.n, each.measures["f1"].n) for each in one.slices}
        for one in found.breakdowns
    }
    assert slices["entity type"] == {"problem": (1, 1), "test": (3, 3), "unknown": (1, 1)}
    assert slices["familiarity"] == {"answer in train": (1, 1)}  # of questions with a right candidate
    assert {label: n for label, (n, _) in slices["right answer"].items()} == {
        "seen in train": 2,
        "unseen in train": 3,
    }
    (by_type,) = [one for one in found.breakdowns if one.factor == "entity type"]
    assert {
        each.label: each.measures["accuracy"].n for each in by_type.slices if "accuracy" in each.measures
    } == {"problem": 1}
    (alone,) = api.score(made, [path], measures=["accuracy"]).on("test")
    assert sum(each.n for one in alone.breakdowns if one.factor == "entity type" for each in one.slices) == 1


def test_as_published_lower_cases_the_answers_of_train_alone(tmp_path: Path) -> None:
    test = [question("r1.1", [["a1"]], ["Fever"]), question("r1.2", [["a1"]], ["fever"])]
    made = writing.write(tmp_path / "made", {"train": TRAIN, "test": test}, {"dataset": "clicr"})
    path = by_id(tmp_path, "own", {"r1.1": "x", "r1.2": "x"})
    for protocol, counts in (("expected", [2]), ("as-published", [1, 1])):
        (found,) = api.score(made, [path], measures=["f1"], protocol=protocol).on("test")
        (seen,) = [one for one in found.breakdowns if one.factor == "right answer"]
        assert [one.n for one in seen.slices] == counts


def test_word_vectors_compare_answers_and_stand_in_the_signature(dataset: Dataset, tmp_path: Path) -> None:
    path = by_id(tmp_path, "own", {"r1.1": "cough unknown", "r1.2": "fever chest", "r2.1": "nothing known"})
    words = vectors(tmp_path)
    (found,) = api.score(dataset, [path], measures=["embedding-average"], vectors=words).on("test")
    # cough beside fever 0, beside pyrexia 0.8; (1, 2) beside chest (0, 1); no known word.
    assert found.estimate.value == pytest.approx((0.8 + 2 / math.sqrt(5) + 0) / 3, abs=1e-7)
    assert "|vectors:words.txt#" in found.signature
    settings = api.score(dataset, [path], measures=["embedding-average"], vectors=words).settings
    assert settings.vectors.startswith("words.txt#")


def test_an_instance_of_which_no_right_answer_is_known_is_not_judged(tmp_path: Path) -> None:
    made = writing.write(
        tmp_path / "made",
        {"test": [TEST[0], question("r3.1", [["x"]], ["unknown"])]},
        {"dataset": "clicr"},
    )
    path = by_id(tmp_path, "own", {"r1.1": "fever", "r3.1": "fever"})
    how: dict[str, Any] = {"measures": ["embedding-average"], "vectors": vectors(tmp_path)}
    (found,) = api.score(made, [path], **how).on("test")
    assert (found.estimate.value, found.estimate.n) == (pytest.approx(1), 1)


def test_as_published_unknown_words_take_row_0(dataset: Dataset, tmp_path: Path) -> None:
    path = by_id(tmp_path, "own", {"r1.1": "nothing known", "r1.2": "x", "r2.1": "y"})
    found = values(dataset, path, ["embedding-average"], vectors=vectors(tmp_path), protocol="as-published")
    # (1, 1) beside pyrexia (0.6, 0.8), beside severe chest pain (1, 1) + (0, 2) + (1, 1), beside cough (0, 1).
    cosines = (1.4 / math.sqrt(2), 6 / math.sqrt(2) / math.sqrt(20), 1 / math.sqrt(2))
    assert found["embedding-average"] == pytest.approx(sum(cosines) / 3, abs=1e-9)


def test_the_published_evaluation(shared: Path, tmp_path: Path) -> None:
    folder = shared / "vectors/clicr"
    files = json.loads((folder / "word2vec_reading.json").read_text("utf-8"))["files"]
    for number, case in enumerate(json.loads((folder / "evaluate.json").read_text("utf-8"))["cases"]):
        given = case["input"]["predictions"]
        test = [question(f"{ident}.1", [["x"]], answers) for ident, answers in case["input"]["queries"]]
        if not test or given == {"q1": "a"}:
            # Without a query, or with more exact matches than F1, the program stops; we do so without a query alone.
            assert case["raises"] in ("ZeroDivisionError", "AssertionError")
            continue
        made = writing.write(tmp_path / f"made{number}", {"test": test}, {"dataset": "clicr"})
        path = by_id(tmp_path, "own", {f"{ident}.1": text for ident, text in given.items()})
        how: dict[str, Any] = {"vectors": vectors(tmp_path, files["plain"]), "protocol": "as-published"}
        found = values(made, path, ["exact-match", "f1"], protocol="as-published")
        for name in found:
            assert 100 * found[name] == pytest.approx(case["output"][PUBLISHED[name][0]], abs=1e-9), case
        if "raises" in case["extended"]:
            with pytest.raises(InputError, match="the as-published score takes all and only the ids of test"):
                values(made, path, [*PUBLISHED], **how)
            continue
        found = values(made, path, [*PUBLISHED], **how)
        for name, (called, unit) in PUBLISHED.items():
            assert unit * found[name] == pytest.approx(case["extended"]["output"][called], abs=1e-9), case


def test_the_published_scores_of_the_baselines(shared: Path, tmp_path: Path) -> None:
    folder = shared / "vectors/clicr/dataset"
    stored = json.loads((folder / "baselines_and_scores.json").read_text("utf-8"))
    theirs = json.loads((folder / "dataset-without-repeats1.0.json").read_text("utf-8"))
    test = [
        question(query["id"], [["x"]], [answer["text"] for answer in query["answers"]])
        for one in theirs["data"]
        for query in one["document"]["qas"]
    ]
    assert len(test) == 34
    made = writing.write(tmp_path / "made", {"test": test}, {"dataset": "clicr"})
    how: dict[str, Any] = {"vectors": folder / "vectors.txt", "protocol": "as-published"}
    assert len(stored["predictions"]) >= 6
    for name, given in stored["predictions"].items():
        scores = stored["scores"][name]
        if len(given) < len(test):
            continue
        found = values(made, by_id(tmp_path, "own", given), [*PUBLISHED], **how)
        for measure, (called, unit) in PUBLISHED.items():
            assert unit * found[measure] == pytest.approx(scores[called], abs=1e-9), (name, measure)
    right = {one.id: one.answers[0] for one in test[:20]}
    half = values(made, by_id(tmp_path, "half", right), ["exact-match", "f1"], protocol="as-published")
    for name, value in half.items():
        published = stored["scores"]["20 of 34 right, 14 missing (EM and F1 only)"][PUBLISHED[name][0]]
        assert 100 * value == pytest.approx(published, abs=1e-9)


@pytest.mark.parametrize(
    ("options", "text", "message"),
    [
        (["--measure", "embedding-average"], VECTORS, "no file of them is given"),
        (
            ["--measure", "f1", "--vectors", "words.txt"],
            VECTORS,
            "none of the measures f1 compares word vectors",
        ),
        (
            ["--measure", "embedding-average", "--vectors", "words.txt"],
            "2 2\nother 1 0\nwords 0 1\n",
            "words.txt: no word of the right answers is in it",
        ),
        (
            ["--measure", "embedding-average", "--vectors", "words.txt"],
            "2 2\nfever 1\nwords 0 1\n",
            r"words.txt:2: row 1 \('fever'\) has 1 of 2 numbers",
        ),
        (["--measure", "embedding-average", "--vectors", "none.txt"], VECTORS, "none.txt: no such file"),
        (
            ["--measure", "bleu-2", "--protocol", "as-published"],
            VECTORS,
            "2 missing ids .*takes all and only the ids of test",
        ),
    ],
)
def test_what_cannot_be_judged_is_one_line(
    dataset: Dataset,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    options: list[str],
    text: str,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    vectors(tmp_path, text)
    path = by_id(tmp_path, "half", {"r1.1": "fever"})
    assert re.search(message, refused(["score", str(dataset.folder), str(path), *options], capfd))
