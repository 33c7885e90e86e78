"""What is reached without learning stands beside a run's accuracy on its development part."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.training.conftest import Recipe, dataset

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds import KINDS
from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.datasets.kinds.table import CLOZE, DECISION, EVIDENCE, QUESTION
from anagnosis.evaluation.scoring import Score
from anagnosis.readers.learning import ViewedSplit
from anagnosis.training.replicates import train_replicates
from anagnosis.training.runs import baseline_levels as levels
from anagnosis.training.train import train


def part(*instances: Any) -> ViewedSplit:
    return ViewedSplit("any", "", len(instances), lambda: iter(()), instances=lambda: iter(instances))


def cloze(ident: str, passage: str, mentions: Iterable[tuple[str, int]], answer: int | None) -> ClozeInstance:
    """mentions: (word of the passage, candidate)."""
    places = [(passage.index(word), word, candidate) for word, candidate in mentions]
    count = 1 + max(candidate for *_, candidate in places)
    return ClozeInstance(
        id=ident,
        document=ident,
        date="",
        passage=passage,
        question="XXXX lowers fever.",
        mentions=tuple(PassageMention(((at, at + len(word)),), who) for at, word, who in places),
        question_mentions=(),
        candidates=tuple(Candidate(f"gene/{n}", "Gene", n, (f"n{n}",)) for n in range(count)),
        answer=answer,
        answers=() if answer is None else ("n",),
    )


def decided(*labels: str | None) -> ViewedSplit:
    return part(*(DecisionInstance(str(n), "Does tea help?", (), None, x) for n, x in enumerate(labels)))


def asked(*pairs: tuple[str, str]) -> ViewedSplit:
    return part(*(QuestionInstance(str(n), kind, text) for n, (kind, text) in enumerate(pairs)))


class TestLevels:
    def test_every_kind_of_dataset_has_its_own(self) -> None:
        for kind in KINDS:
            assert [*levels.levels(kind, part(), part())] == [], "no instance has an answer"

    def test_of_cloze_questions_chance_is_the_mean_of_one_by_candidates(self) -> None:
        dev = part(
            cloze("a", "AA cools. BB warms.", [("AA", 0), ("BB", 1)], 0),
            cloze(
                "b",
                "AA cools. BB warms. CC lowers fever. DD",
                [("AA", 0), ("BB", 1), ("CC", 2), ("DD", 3)],
                2,
            ),
            cloze("c", "AA cools. BB warms.", [("AA", 0), ("BB", 1)], None),
        )
        found = levels.levels(CLOZE, part(), dev)
        assert found["chance"] == pytest.approx((1 / 2 + 1 / 4) / 2), "what has no answer is left out"
        assert (found["first-entity"], found["last-entity"]) == (0.5, 0.0)
        assert found["most-frequent-entity"] == pytest.approx(3 / 8), "ties count by expectation"
        assert [*found][-1] == "neighbour-overlap"
        assert found["neighbour-overlap"] >= 0.5, "CC stands beside the question's words"

    def test_a_dataset_whose_paper_has_baselines_is_judged_beside_them(self) -> None:
        dev = part(cloze("a", "AA cools. BB warms. AA", [("AA", 0), ("BB", 1)], 0))
        assert [*levels.levels(CLOZE, part(), dev, "clicr")] == ["chance", "rand-entity", "maxfreq-entity"]
        assert [*levels.levels(CLOZE, part(), dev, "biomrc")][-1] == "neighbour-overlap"
        line = levels.sentence({"chance": 0.2, "rand-entity": 0.3, "maxfreq-entity": 0.4}, 0.5)
        assert line == "without learning: chance 20.00 %, clicr:maxfreq-entity 40.00 % (the best of 2)"

    def test_majority_is_the_label_of_train_and_not_of_dev(self) -> None:
        dev = decided("no", "no", "yes", None)
        assert levels.levels(DECISION, decided("yes", "yes", "no", "maybe"), dev) == {
            "chance": pytest.approx(1 / 3),
            "majority": pytest.approx(1 / 3),
        }
        assert levels.levels(DECISION, decided("no"), dev)["majority"] == pytest.approx(2 / 3)

    def test_a_label_that_is_nowhere_right_is_not_drawn_by_chance(self) -> None:
        assert levels.levels(DECISION, decided("yes"), decided("no"))["chance"] == 1 / 2
        assert levels.levels(DECISION, part(), decided("no", "maybe", "yes"))["chance"] == pytest.approx(
            1 / 3
        )

    def test_of_questions_types_have_majority_and_rules(self) -> None:
        dev = asked(("yesno", "Is tea good?"), ("factoid", "Which gene is it?"), ("", "What now?"))
        found = levels.levels(QUESTION, asked(("factoid", "Which?")), dev)
        assert found == {"chance": 0.5, "majority": 0.5, "question-type-rules": 1.0}

    def test_of_sentences_chance_is_the_mean_share_that_holds_the_answer(self) -> None:
        def of(*texts: tuple[str, bool]) -> EvidenceInstance:
            sentences = tuple(SourceSentence("d", "t", text, held) for text, held in texts)
            return EvidenceInstance("q", "Does tea lower fever?", sentences)

        dev = part(
            of(("Tea lowers fever.", True), ("Nothing else.", False)),
            of(("Tea again.", True), ("So fever.", True), ("A cup.", False), ("A pot.", False)),
            of(("Nobody knows.", False)),
        )
        found = levels.levels(EVIDENCE, part(), dev)
        assert found == {"chance": 0.5, "sentence-overlap": 1.0}


LEVELS = {"chance": 0.165, "first-entity": 0.2, "neighbour-overlap": 0.452}


class TestSentence:
    @pytest.mark.parametrize(
        ("accuracy", "end"),
        [
            (0.1166, "(the best of 2); the reader is below chance and biomrc:BASE4"),
            (0.165, "(the best of 2); the reader is not above chance and biomrc:BASE4"),
            (0.3, "(the best of 2); the reader is below biomrc:BASE4"),
            (0.452, "(the best of 2); the reader is not above biomrc:BASE4"),
            (0.5, "biomrc:BASE4 45.20 % (the best of 2)"),
        ],
    )
    def test_it_says_plainly_what_a_reader_does_not_pass(self, accuracy: float, end: str) -> None:
        line = levels.sentence(LEVELS, accuracy)
        assert line.startswith("without learning: chance 16.50 %, biomrc:BASE4 45.20 %")
        assert line.endswith(end)

    def test_without_levels_it_says_nothing(self) -> None:
        assert levels.sentence({}, 0.5) == ""

    @given(st.dictionaries(st.sampled_from(["chance", "majority", "a"]), st.floats(0, 1)), st.floats(0, 1))
    def test_what_is_not_passed_is_at_least_as_high(self, found: dict[str, float], accuracy: float) -> None:
        low = set(levels.not_above(found, accuracy))
        assert all((accuracy <= level) == (name in low) for name, level in found.items())


class TestTrainings:
    def test_a_run_keeps_the_levels_of_its_dev_part_as_scoring_finds_them(
        self, cues: Dataset, recipe: Recipe, tmp_path: Path
    ) -> None:
        from anagnosis import api

        done = train(recipe(epochs=1), cues, tmp_path / "run", device="cpu")
        api.predict("BASE4", cues, tmp_path / "b4.jsonl", split="dev")
        score: Score = api.score(cues, [tmp_path / "b4.jsonl"], split="dev").on("dev")[0]
        assert done.facts.levels["neighbour-overlap"] == pytest.approx(score.estimate.value)
        shares = [1 / len(one.candidates) for one in store.instances(cues, "dev")]
        assert done.facts.levels["chance"] == pytest.approx(sum(shares) / len(shares))

    def test_they_are_of_the_instances_that_the_run_was_judged_on(
        self, cues: Dataset, recipe: Recipe, tmp_path: Path
    ) -> None:
        done = train(recipe(epochs=1), cues, tmp_path / "run", device="cpu", limit=7)
        shares = [1 / len(one.candidates) for one in store.instances(cues, "dev", 7)]
        assert done.facts.levels["chance"] == pytest.approx(sum(shares) / 7)

    def test_several_runs_have_their_mean(self, cues: Dataset, recipe: Recipe, tmp_path: Path) -> None:
        found = train_replicates(recipe(epochs=1), cues, tmp_path / "s", "seed", 2, device="cpu")
        assert found.levels == found.runs[0].facts.levels
        assert json.loads((tmp_path / "s" / "seeds.json").read_text())["levels"] == found.levels

    def test_a_part_without_answers_has_none(self, recipe: Recipe, tmp_path: Path) -> None:
        without_dev = dataset(tmp_path / "d", train=20)
        done = train(recipe(epochs=1, stop="epochs"), without_dev, tmp_path / "run", device="cpu")
        assert done.facts.levels == {}
