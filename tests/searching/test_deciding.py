"""Yes, no or maybe of papers that were found, by a reader that was trained here."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.decisions import rows_apart, written

pytest.importorskip("torch", reason="the extra train is not installed")

from anagnosis import api
from anagnosis.datasets.decision import LABELS
from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError
from anagnosis.reports import render
from anagnosis.reports.answering import ask_answer
from anagnosis.reports.found import NOTHING_READ, ask_report
from anagnosis.searching.asking import READ, Found, ask, highlighted
from anagnosis.searching.deciding import ASIDE, PAPERS, Decision, Verdict, load_decider
from anagnosis.searching.engines import Engine
from anagnosis.searching.highlighting import Marks, Scorer
from anagnosis.searching.index import Index, create_index
from anagnosis.searching.passages import Passage
from anagnosis.searching.readers import Readers, load_readers
from anagnosis.searching.sentences import Sentence, best, cut
from anagnosis.training.calibrating import FILE


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("readers")
    source = written(folder / "ori_pqal.json", rows_apart(60, 40, 20))
    dataset = api.import_dataset(source, folder / "built", layout="pubmedqa")
    settings = {"epochs": 4, "hidden": 8}
    api.train(
        "pubmedqa-shallow-features", dataset, folder / "decision", settings=settings, folds=2, threads=1
    )
    return folder


def found_for(index: Index, question: str) -> list[Found]:
    return highlighted(index, question, index.search(question))


def test_each_paper_has_a_verdict_and_the_whole_is_their_mean(runs: Path, index: Index) -> None:
    question = "Does a walk change sleep?"
    decider = load_decider(runs / "decision", "cpu")
    assert len(decider.answering) == 2
    found = decider.decide(index, question, found_for(index, question))
    assert found is not None
    assert sorted(verdict.document for verdict in found.verdicts) == ["1", "4"]
    for verdict in found.verdicts:
        assert sum(verdict.probabilities) == pytest.approx(1, abs=1e-5)
        assert verdict.label == LABELS[verdict.probabilities.index(max(verdict.probabilities))]
    means = [sum(own) / 2 for own in zip(*(verdict.probabilities for verdict in found.verdicts), strict=True)]
    assert (found.label, found.confidence) == (LABELS[means.index(max(means))], pytest.approx(max(means)))
    assert len(found.verdicts) <= PAPERS


def test_two_runs_are_the_mean_of_each(runs: Path, index: Index) -> None:
    found = found_for(index, "cold tea")
    both, *each = (
        load_decider(place, "cpu").decide(index, "Does cold tea help?", found)
        for place in (runs / "decision", runs / "decision" / "fold-0", runs / "decision" / "fold-1")
    )
    assert both is not None
    first = [one.verdicts[0].probabilities for one in each if one is not None]
    assert both.verdicts[0].probabilities == pytest.approx([sum(own) / 2 for own in zip(*first, strict=True)])


def test_ask_gives_the_answer_and_what_each_paper_says(runs: Path, index: Index) -> None:
    decider = load_decider(runs / "decision", "cpu")
    answered = ask(index, "Does cold tea change sleep?", readers=Readers(decider=decider))
    assert answered.off == ""
    assert answered.decision is not None
    text = render(ask_report(answered, index.count()), ".txt")
    assert f"{answered.decision.label} (yes " in text
    assert "its probabilities as they come" in text
    assert "Papers that say" in text
    assert ask(index, "Which drink helps sleep?", readers=Readers(decider=decider)).decision is None


def test_each_verdict_has_the_best_sentence_of_its_paper_as_it_stands_there(runs: Path, index: Index) -> None:
    question = "Does cold tea change sleep?"
    answered = ask(index, question, readers=Readers(decider=load_decider(runs / "decision", "cpu")))
    assert answered.decision is not None
    for verdict in answered.decision.verdicts:
        quoted = verdict.evidence
        assert quoted is not None
        own = answered.found[quoted.rank]
        assert own.hit.passage.document == verdict.document == quoted.passage.document
        assert quoted.text in own.hit.passage.text
        scores = [
            one.score
            for each in answered.found
            if each.hit.passage.document == verdict.document
            for one in each.sentences
        ]
        assert quoted.sentence.score == max(scores)


def test_papers_that_say_yes_and_papers_that_say_no_stand_side_by_side(index: Index) -> None:
    (found, *_) = found_for(index, "fever")
    (quoted,) = best([(found.hit.passage, found.sentences)], 1)
    verdicts = (
        Verdict("1", "One", "yes", (0.8, 0.1, 0.1)),
        Verdict("2", "Two", "no", (0.2, 0.7, 0.1), ("retracted",), quoted),
        Verdict("3", "Three", "maybe", (0.2, 0.2, 0.6)),
    )
    decision = Decision("reader", verdicts, calibrated=True)
    assert (decision.supports, decision.contradicts) == ([verdicts[0]], [verdicts[1]])
    answered = replace(ask(index, "Is it so?"), decision=decision)
    text = render(ask_report(answered, index.count()), ".txt")
    assert "reader, calibrated" in text
    said = text[text.index("Papers that say yes") :]
    assert "70%, not counted: RETRACTED: Two" in said
    order = ["One", "Papers that say no", "RETRACTED: Two", quoted.text, "Papers that say maybe", "Three"]
    assert [said.index(each) for each in order] == sorted(said.index(each) for each in order)


def test_what_was_retracted_and_notices_do_not_count(index: Index) -> None:
    yes, no = (0.8, 0.1, 0.1), (0.1, 0.8, 0.1)
    concern = Verdict("1", "One", "yes", yes, ("expression_of_concern", "erratum"))
    gone = [Verdict("2", "Two", "no", no, ("retracted",)), Verdict("3", "Three", "no", no, ("notice_of",))]
    decision = Decision("reader", (*gone, concern))
    assert [one.counted for one in decision.verdicts] == [False, False, True]
    assert (decision.label, decision.confidence) == ("yes", 0.8)
    assert decision.means() == dict(zip(LABELS, yes, strict=True))
    none = Decision("reader", tuple(gone))
    assert (none.label, none.confidence, none.means()) == ("", 0, {})
    answered = replace(ask(index, "Is it so?"), decision=none)
    text = " ".join(render(ask_report(answered, index.count()), ".txt").split())
    assert "No decision: of what says something, all was retracted or is a notice" in text
    assert "RETRACTED: Two" in text
    told = ask_answer(answered).decision
    assert told is not None
    assert (told.label, told.confidence, told.means) == (None, None, None)
    assert [one.counted for one in told.verdicts] == [False, False]


def test_a_retracted_paper_that_was_found_is_read_and_not_counted(runs: Path, index: Index) -> None:
    question = "Does TGF-β1 or cold tea change in fever?"
    found = load_decider(runs / "decision", "cpu").decide(index, question, found_for(index, question))
    assert found is not None
    counted = {verdict.document: verdict.counted for verdict in found.verdicts}
    assert counted == {"1": True, "2": False}
    (one,) = [verdict for verdict in found.verdicts if verdict.counted]
    assert found.means() == dict(zip(LABELS, one.probabilities, strict=True))


def test_a_calibrated_run_says_what_was_fitted(runs: Path, index: Index, tmp_path: Path) -> None:
    question, place = "Does cold tea change sleep?", tmp_path / "decision"
    shutil.copytree(runs / "decision", place)
    plain = load_decider(place, "cpu")
    assert api.calibrate(place, runs / "built")[0].kept.questions > 0
    fitted = load_decider(place, "cpu")
    assert plain.temperatures is None
    assert fitted.temperatures is not None
    found = found_for(index, question)
    before, after = plain.decide(index, question, found), fitted.decide(index, question, found)
    assert before is not None
    assert after is not None
    assert (before.calibrated, after.calibrated) == (False, True)
    assert before.verdicts[0].probabilities != after.verdicts[0].probabilities
    assert sum(after.verdicts[0].probabilities) == pytest.approx(1)
    (place / "fold-1" / FILE).unlink()
    assert load_decider(place, "cpu").temperatures is None


def test_nothing_found_is_no_answer(runs: Path, index: Index) -> None:
    assert load_decider(runs / "decision", "cpu").decide(index, "Is it?", []) is None


def test_what_is_no_such_reader_is_one_line(runs: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no run.json here; name a folder that `anagnosis train` made"):
        load_decider(tmp_path)
    with pytest.raises(InputError, match="no such run folder"):
        load_readers(tmp_path / "nothing")


def test_a_folder_of_readers_and_one_run_are_told_apart(runs: Path) -> None:
    for place in (runs, runs / "decision", runs / "decision" / "fold-1"):
        found = load_readers(place, "cpu")
        assert found.decider is not None
        assert found.exact is None
    assert len(load_readers(runs, "cpu").decider.answering) == 2  # type: ignore[union-attr]


def test_a_folder_that_is_no_role_is_told(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "decision").symlink_to(runs / "decision")
    (tmp_path / "evidences").mkdir()
    assert load_readers(tmp_path, "cpu").decider is not None
    assert "evidences: no reader is looked for there" in capsys.readouterr().err


class Strict:
    """Marks no sentence, and likes the longest best."""

    about = Scorer("strict", "its length", calibrated=True)
    marks = Marks(2.0, 3.0, 4.0)

    def highlight(self, engine: Engine, question: str, passages: Sequence[Passage]) -> list[list[Sentence]]:
        return [[Sentence(*place, (place[1] - place[0]) / 5000) for place in cut(one)] for one in passages]

    def titles(self, engine: Engine, question: str, passages: Sequence[Passage]) -> list[Sentence | None]:
        return [None for _ in passages]

    def over_collection(self, first: int = 0, ranking: str = "") -> Strict:
        return self


def test_papers_are_chosen_by_words_and_their_sentence_by_what_scores_them(runs: Path, index: Index) -> None:
    question, decider = "Does cold tea change sleep?", load_decider(runs / "decision", "cpu")
    plain = ask(index, question, readers=Readers(decider=decider)).decision
    found = ask(index, question, readers=Readers(highlighter=Strict(), decider=decider))
    assert not any(one.strength for each in found.found for one in each.sentences)
    assert plain is not None
    assert found.decision is not None
    said = [(one.document, one.probabilities) for one in plain.verdicts]
    assert said == [(one.document, one.probabilities) for one in found.decision.verdicts]
    for verdict in found.decision.verdicts:
        sentences = [
            each.hit.passage.text[one.begin : one.end]
            for each in found.found
            if each.hit.passage.document == verdict.document
            for one in each.sentences
        ]
        assert verdict.evidence is not None
        assert verdict.evidence.text == max(sentences, key=len)


def test_an_answer_that_could_not_be_made_says_why(index: Index) -> None:
    answered = replace(ask(index, "Does cold tea change sleep?"), off="")
    assert answered.decision is None
    told = " ".join(render(ask_report(answered, index.count()), ".txt").split())
    assert NOTHING_READ["yesno"] in told
    assert NOTHING_READ["yesno"] not in render(ask_report(ask(index, "Does it?"), index.count()), ".txt")


@pytest.mark.parametrize(("retracted", "sound"), [(7, 2), (7, 8), (2, 1), (4, 0)])
def test_retracted_papers_take_no_place_of_others(
    runs: Path, tmp_path: Path, retracted: int, sound: int
) -> None:
    papers = [
        *(("r", number, {"retracted": "9"}) for number in range(retracted)),
        *(("s", number, {}) for number in range(sound)),
    ]
    made, tally = create_index(tmp_path / "index"), Counter[str]()
    for kind, number, facts in papers:
        # The longer ones rank behind.
        text = f"Green tea changes sleep{' in all of these adults' * (kind == 's')}, says trial {number}."
        made.add(Document(f"{kind}{number}", (Section("abstract", text),), facts=facts), tally)
    made.commit()
    question = "Does green tea change sleep?"
    words = highlighted(made, question, made.search(question, limit=READ))
    found = load_decider(runs / "decision", "cpu").decide(made, question, words)
    made.close()
    assert found is not None
    if retracted > PAPERS:
        assert [verdict.counted for verdict in found.verdicts[:ASIDE]] == [False] * ASIDE
    assert sum(verdict.counted for verdict in found.verdicts) == min(sound, PAPERS)
    assert sum(not verdict.counted for verdict in found.verdicts) == min(retracted, ASIDE)
    assert bool(found.label) == bool(sound)
