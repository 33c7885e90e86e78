from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.readers.marked_instances import marked_instance

from anagnosis.readers.heuristics.baselines import maxfreq_entity, rand_entity
from anagnosis.readers.predict import tied

if TYPE_CHECKING:
    from pathlib import Path

    from anagnosis.datasets.kinds.cloze_instance import ClozeInstance


def answer(instance: ClozeInstance, scores: list[float]) -> str:
    (best,) = tied(scores)
    return instance.candidates[best].key


def test_rand_entity_draws_occurrences_so_that_a_frequent_entity_is_likelier() -> None:
    passage = "T\n" + "BEG__fever__END " * 6 + "BEG__cough__END " * 3 + "BEG__rash__END"
    drawn: Counter[str] = Counter()
    for number in range(2_000):
        instance = marked_instance(passage, id=f"report.{number}")
        scores = rand_entity(instance)
        assert sorted(scores) == [0.0, 0.0, 1.0]
        drawn[answer(instance, scores)] += 1
    # Six, three and one of ten occurrences, within four standard deviations.
    for entity, share in (("fever", 0.6), ("cough", 0.3), ("rash", 0.1)):
        assert drawn[entity] / 2_000 == pytest.approx(share, abs=4 * (share * (1 - share) / 2_000) ** 0.5)


def test_maxfreq_entity_scores_a_candidate_by_its_most_frequent_surface() -> None:
    instance = marked_instance("T\nBEG__Rash__END BEG__Rash__END BEG__rash__END BEG__itch__END")
    assert maxfreq_entity(instance) == [2.5, 1.0]


def test_one_candidate_is_the_answer_and_no_candidate_is_none() -> None:
    one = marked_instance("T\nBEG__fever__END")
    assert (rand_entity(one), maxfreq_entity(one)) == ([1.0], [1.5])
    none = marked_instance("T\nnothing")
    assert (rand_entity(none), maxfreq_entity(none)) == ([], [])


def test_candidates_that_the_passage_does_not_mention_tie_where_nothing_is_mentioned() -> None:
    instance = marked_instance("T\nBEG__fever__END and BEG__cough__END")
    silent = msgspec.structs.replace(instance, mentions=())
    assert rand_entity(silent) == maxfreq_entity(silent) == [0.0, 0.0]


@pytest.mark.shared
def test_maxfreq_entity_answers_as_the_published_program(shared: Path) -> None:
    folder = shared / "vectors" / "clicr" / "dataset"
    published = json.loads((folder / "baselines_and_scores.json").read_text())["predictions"]
    answers = published["maxfreq_concept_baseline"]
    for document in json.loads((folder / "dataset-without-repeats1.0.json").read_text())["data"]:
        written = document["document"]
        passage = f"{written['title']}\n{written['context']}"
        for question in written["qas"]:
            instance = marked_instance(passage, question["query"], id=question["id"])
            assert answer(instance, maxfreq_entity(instance)) == answers.pop(question["id"]).lower()
    assert not answers
