from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.readers.marked_instances import marked_instance, published_questions

from anagnosis.errors import InputError
from anagnosis.readers.heuristics import sim_entity
from anagnosis.readers.predict import tied

VECTORS = {"</s>": (1.0, 0.0, 0.0), "had": (0.0, 1.0, 0.0), "then": (0.0, 0.0, 1.0), "a": (0.0, 3.0, 4.0)}
PASSAGE = "Title a a\nHe Had BEG__fever__END then BEG__dry cough__END\nBEG__rash__END a"


@pytest.fixture
def file(tmp_path: Path) -> str:
    return written(tmp_path / "words.txt", VECTORS)


def written(path: Path, vectors: dict[str, tuple[float, ...]]) -> str:
    width = len(next(iter(vectors.values())))
    rows = [f"{word} {' '.join(map(str, numbers))}" for word, numbers in vectors.items()]
    path.write_text("\n".join([f"{len(rows)} {width}", *rows]) + "\n")
    return str(path)


def scores(passage: str, question: str, **options: Any) -> list[float]:
    instance = marked_instance(passage, question)
    return sim_entity.fit([instance], **options)(instance)


def test_a_window_ends_with_its_line_and_takes_other_entities_word_by_word() -> None:
    instance = marked_instance(PASSAGE)
    assert sim_entity.entity_windows(instance.passage, instance.mentions, 3) == [
        ["He", "Had", "then", "dry", "cough"],
        ["Had", "fever", "then"],
        ["a"],
    ]
    assert sim_entity.entity_windows(instance.passage, instance.mentions, 1) == [
        ["Had", "then"],
        ["then"],
        ["a"],
    ]
    asked = marked_instance(PASSAGE, "x y\nb BEG__dry cough__END c @placeholder d e")
    assert sim_entity.question_words(asked, 3) == ["dry", "cough", "c", "d", "e"]


def test_words_are_looked_up_in_lower_case_unless_the_case_matters(file: str) -> None:
    only_case = "Title\nHad BEG__fever__END\nthen a BEG__rash__END"
    assert tied(scores(only_case, "had @placeholder", vectors=file)) == [0]
    assert scores(only_case, "had @placeholder", vectors=file, lower=False)[0] == 0.0


def test_a_sum_of_no_known_words_has_the_cosine_0(file: str) -> None:
    assert scores("Title\nx BEG__fever__END\nthen BEG__rash__END", "a @placeholder", vectors=file) == [
        0.0,
        pytest.approx(0.8),
    ]
    # A question without known words: all are 0, so the first occurrence is the answer.
    assert tied(scores(PASSAGE, "x @placeholder y", vectors=file)) == [0]


def test_as_published_an_unknown_word_and_an_absent_place_are_the_files_first_word(file: str) -> None:
    found = scores(
        "Title\nthen BEG__fever__END",
        "had @placeholder",
        vectors=file,
        unknown="as-published",
    )
    # five times (1, 0, 0) and once (0, 0, 1) or (0, 1, 0)
    assert found == pytest.approx([25 / 26])


def test_as_published_an_occurrence_without_a_cosine_wins(tmp_path: Path) -> None:
    file = written(tmp_path / "zero.txt", {"</s>": (0.0, 0.0), "a": (1.0, 0.0), "b": (0.0, 1.0)})
    passage = "Title\na BEG__fever__END\nx BEG__rash__END\ny BEG__cough__END"
    assert tied(scores(passage, "a @placeholder", vectors=file)) == [0]
    assert tied(scores(passage, "a @placeholder", vectors=file, unknown="as-published")) == [1]
    without = scores(passage, "z @placeholder", vectors=file, unknown="as-published")
    assert tied(without) == [0]
    assert without == pytest.approx([2.0, 2.0, 2.0])


def test_the_window_changes_the_passage_side_alone(file: str) -> None:
    passage = "Title\nhad then BEG__fever__END"
    assert scores(passage, "had x @placeholder", vectors=file, window=1) == [0.0]
    assert scores(passage, "had x @placeholder", vectors=file, window=1, question_window=1) == [0.0]
    assert scores(passage, "had x @placeholder", vectors=file) == pytest.approx([0.5**0.5])
    assert scores(passage, "then had @placeholder", vectors=file, question_window=1) == pytest.approx(
        [0.5**0.5]
    )


def test_one_candidate_and_none(file: str) -> None:
    assert scores("Title\nx BEG__fever__END", "a @placeholder", vectors=file) == [0.0]
    assert scores("Title\nnothing a", "a @placeholder", vectors=file) == []


def test_the_next_instance_of_a_passage_is_scored_alike(file: str) -> None:
    questions = ["then @placeholder", "had @placeholder", "a @placeholder"]
    instances = [marked_instance(PASSAGE, question) for question in questions]
    reader = sim_entity.fit(instances, vectors=file)
    assert [reader(i) for i in instances] == [scores(PASSAGE, q, vectors=file) for q in questions]
    other = marked_instance(PASSAGE.replace("Had", "a"), questions[0])
    assert sim_entity.fit([*instances, other], vectors=file)(other) != reader(instances[0])


def test_a_file_without_any_of_the_words_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path / "none.txt", {"zebra": (1.0,)})
    with pytest.raises(InputError, match=r"no word of the data is in it.*another file"):
        scores(PASSAGE, "a @placeholder", vectors=file)


@pytest.mark.shared
@pytest.mark.parametrize("subject", ["sim_entity_contexts", "sim_entity_query"])
def test_the_summed_vectors_are_the_published_programs(shared: Path, subject: str) -> None:
    folder = shared / "vectors" / "clicr"
    files = json.loads((folder / "word2vec_reading.json").read_text())["files"]
    rows = [line.split(" ") for line in files["plain"].splitlines()[1:]]
    vectors = {word: np.array([float(number) for number in numbers]) for word, *numbers in rows}
    first = next(iter(vectors.values()))

    def summed(words: list[str], window: int) -> np.ndarray[Any, np.dtype[np.float64]]:
        known = [vectors.get(word.lower(), first) for word in words]
        return np.sum([*known, *[first] * (2 * window - len(words))], axis=0)

    for case in json.loads((folder / f"{subject}.json").read_text())["cases"]:
        window = case["input"]["win_size"]
        if subject == "sim_entity_query":
            instance = marked_instance("T", case["input"]["query"])
            assert summed(sim_entity.question_words(instance, window), window) == pytest.approx(
                case["output"], abs=1e-9
            )
            continue
        instance = marked_instance(case["input"]["text"])
        windows = sim_entity.entity_windows(instance.passage, instance.mentions, window)
        if "raises" in case:  # the program stops at a passage without entities
            assert windows == []
            continue
        spans = [mention.spans[0] for mention in instance.mentions]
        assert [instance.passage[start:end] for start, end in spans] == case["output"][0]
        sums = [summed(words, window) for words in windows]
        assert np.array(sums) == pytest.approx(np.array(case["output"][1]), abs=1e-9)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("setting", "options"),
    [
        ("distance_baseline(concepts, win_size=3)", {}),
        ("distance_baseline(concepts, win_size=2)", {"window": 2}),
        ("distance_baseline(concepts, win_size=3, downcase=False)", {"lower": False}),
    ],
)
def test_sim_entity_answers_as_the_published_program(
    shared: Path, setting: str, options: dict[str, Any]
) -> None:
    folder = shared / "vectors" / "clicr" / "dataset"
    answers = json.loads((folder / "baselines_and_scores.json").read_text())["predictions"][setting]
    instances = published_questions(folder / "dataset-without-repeats1.0.json")
    file = str(folder / "vectors.txt")
    reader = sim_entity.fit(instances, vectors=file, unknown="as-published", **options)
    predicted = {}
    for instance in instances:
        (best,) = tied(reader(instance))
        predicted[instance.id] = instance.candidates[best].key
    assert predicted == {id: text.lower() for id, text in answers.items()}
