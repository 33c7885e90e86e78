"""The type of a question, learned and by rules: features by hand, and both over BioASQ's own questions."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.golden_files import python2, question, written

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import TYPES, QuestionInstance, typed
from anagnosis.errors import InputError
from anagnosis.language.question_kinds import kind_of_question
from anagnosis.readers.heuristics.baselines import question_type_rules
from anagnosis.readers.learning import ViewedSplit
from anagnosis.readers.question_types import Config, features_of, prepare
from anagnosis.searching.answers.readers import load_kind, load_readers

pytest.importorskip("torch", reason="the extra train is not installed")

# Of each type questions that the rules tell, and that share their first words.
ASKED = {
    "yesno": "Is gene number {} stopped by salt water?",
    "factoid": "Which gene number {} is stopped by salt water?",
    "list": "List what gene number {} stops.",
    "summary": "Why is gene number {} stopped by salt water?",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> store.Dataset:
    folder = tmp_path_factory.mktemp("golden")
    kinds = [*ASKED] * 12
    found = [question(n, kind, body=ASKED[kind].format(n)) for n, kind in enumerate(kinds)]
    written(folder / "8B1_golden.json", python2(found[:40]))
    written(folder / "9B5_golden.json", python2(found[40:]))
    return api.import_dataset(folder, folder / "built", layout="bioasq", setting="9B5")


@pytest.fixture(scope="module")
def run(built: store.Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("readers") / "question-type"
    api.train("bioasq-question-type", built, folder, threads=1)
    return folder


def test_features_are_words_with_places_endings_beginnings_and_the_rules_verdict() -> None:
    assert features_of("Which genes?") == [
        "type list",
        "long 0",
        *("0 which", "0 -ch", "1 genes", "1 -es"),
        "^ which genes",
        *("= which", "= genes", "= which genes"),
    ]
    assert features_of("") == ["type summary", "long 0"]


def test_a_feature_of_one_question_alone_is_not_kept_and_most_bounds_the_rest() -> None:
    asked = [QuestionInstance("1", "list", "Which genes?"), QuestionInstance("2", "list", "Which drugs?")]
    training = ViewedSplit("train", "", 2, lambda: map(typed, iter(asked)))
    assert prepare(Config(), training).known == ["0 -ch", "0 which", "= which", "long 0", "type list"]
    assert len(prepare(Config(most=2), training).known) == 2


def test_the_rules_give_one_type_all_of_it() -> None:
    assert question_type_rules(QuestionInstance("1", "", "Is tea harmful?")) == [1.0, 0.0, 0.0, 0.0]


def test_both_are_scored_as_labels_are(built: store.Dataset, run: Path, tmp_path: Path) -> None:
    files = [tmp_path / "rules.jsonl", tmp_path / "learned.jsonl"]
    assert api.predict("question-type-rules", built, files[0]) == 8
    assert api.predict(run, built, files[1], threads=1) == 8
    for score in api.score(built, files).on("test"):
        assert score.classes is not None
        assert [each.label for each in score.classes.scores] == [*TYPES]
        assert (score.estimate.value, score.measures["macro_f1"].value) == (1.0, 1.0)
        assert score.classes.confusion[0] == ("yesno", (2.0, 0.0, 0.0, 0.0, 0.0))


def test_a_question_without_a_type_is_neither_learned_nor_scored(tmp_path: Path) -> None:
    source = written(tmp_path / "8B1_golden.json", python2([question(1), question(2, type=None)]))
    built = api.import_dataset(source, tmp_path / "built", layout="bioasq")
    api.predict("question-type-rules", built, tmp_path / "said.jsonl", split="train")
    (score,) = api.score(built, [tmp_path / "said.jsonl"]).on("train")
    assert (score.instances, score.withheld) == (1, 1)


def test_ask_is_told_the_kind_by_the_trained_one(run: Path) -> None:
    kind = load_readers(run, "cpu").kind
    assert [kind(body.format(77)) for body in ASKED.values()] == [*ASKED]
    assert load_readers(run.parent, "cpu").kind("Is gene number 8 stopped?") == "yesno"


def test_words_that_are_no_question_are_left_to_the_rules(run: Path) -> None:
    kind = load_readers(run, "cpu").kind
    for words in ("pregnant women and COVID-19", "is", "List genes of gout", "", "Tea. "):
        assert kind(words) == kind_of_question(words), words


def test_another_reader_in_its_place_is_one_line(run: Path, built: store.Dataset, tmp_path: Path) -> None:
    several = tmp_path / "several"
    api.train("bioasq-question-type", built, several, settings={"epochs": 1}, seeds=2, threads=1)
    with pytest.raises(InputError, match=r"a folder of 2 seeds; name one of them"):
        load_kind(several)
    shutil.copytree(run, tmp_path / "readers/evidence")
    with pytest.raises(
        InputError, match=r"question-type is no reader for the folder evidence.*question-type"
    ):
        load_readers(tmp_path / "readers", "cpu")


def test_it_is_not_fitted_over_a_collection(run: Path, built: store.Dataset, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="only readers of sentences are fitted over a collection"):
        api.calibrate_over_collection(run, built, tmp_path)


@pytest.mark.slow
def test_on_held_out_questions_of_bioasq_it_beats_the_majority_by_far(shared: Path, tmp_path: Path) -> None:
    golden = [shared / "data/bioasq" / name for name in ("golden-8B.tar.gz", "golden-9B5-10B-11B2.tar.gz")]
    built = api.import_dataset(golden, tmp_path / "built", layout="bioasq", setting="9B5,10B1")
    run = api.train("bioasq-question-type", built, tmp_path / "run", threads=1)
    api.predict(run.folder, built, tmp_path / "said.jsonl", threads=1)  # type: ignore[union-attr]
    (score,) = api.score(built, [tmp_path / "said.jsonl"]).on("test")
    assert score.instances == 190
    assert score.classes is not None
    assert score.measures["macro_f1"].value > 0.75
