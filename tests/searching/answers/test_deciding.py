"""Yes, no or maybe of papers that were found, by a reader that was trained here."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from tests import measured
from tests.decisions import rows_apart, written

pytest.importorskip("torch", reason="the extra train is not installed")


from msgspec import structs
from msgspec.structs import astuple

from anagnosis import api
from anagnosis.calibration.parameters import forget
from anagnosis.checksums import write_checked_json
from anagnosis.cli import run
from anagnosis.datasets.kinds.decision import LABELS, Posed
from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError
from anagnosis.folder_names import CALIBRATION, HELD_OUT
from anagnosis.reports import render
from anagnosis.reports.search.results import NOTHING_READ, ask_report
from anagnosis.searching.answers.asking import ASKED, NEGATED, NOT_MEASURED, READ, ask, highlighted
from anagnosis.searching.answers.deciding import ASIDE, PAPERS, Decider, beside, contradicts, load_decider
from anagnosis.searching.answers.readers import Readers, load_readers
from anagnosis.searching.engines import Engine
from anagnosis.searching.fit.decision_measuring import measure
from anagnosis.searching.index.index import Index, create_index
from anagnosis.searching.records.answers import (
    ALL_WITHHELD,
    CONTRADICTED,
    NOTHING_COUNTS,
    Decision,
    Evidence,
    Hit,
    Off,
    Probabilities,
    Sentence,
    Verdict,
    Withheld,
)
from anagnosis.searching.records.expansion import Equivalent
from anagnosis.searching.records.passage import Notice, Passage
from anagnosis.searching.sentences.highlighting import Scorer, StrengthThresholds
from anagnosis.searching.sentences.sentences import best, cut


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("readers")
    source = written(folder / "ori_pqal.json", rows_apart(60, 40, 20))
    dataset = api.import_dataset(source, folder / "built", layout="pubmedqa")
    settings = {"epochs": 4, "hidden": 8}
    api.train(
        "pubmedqa-shallow-features", dataset, folder / "decision", settings=settings, folds=2, threads=1
    )
    for place in ("decision", "decision/fold-0", "decision/fold-1"):
        assert measure(folder / place, dataset, "cpu", 1) is not None
    return folder


def read(decision: Decision) -> list[Verdict]:
    """Of every paper that was read, also of those whose verdict contradicts their own sentence."""
    return [*decision.verdicts, *decision.withheld]


@dataclass(frozen=True, slots=True)
class AlwaysSays(Decider):
    """A reader that says the same of every paper. row: float64 [labels]."""

    row: npt.NDArray[np.float64] = field(default_factory=lambda: np.eye(3)[0])

    def probabilities(self, posed: Sequence[Posed]) -> npt.NDArray[np.float64]:
        return np.tile(self.row, (len(posed), 1))


def yes_to_all(decider: Decider) -> Decider:
    """It says yes, whatever it reads."""
    return AlwaysSays(decider.reader, decider.view, (), held_out=measured.DECISIONS)


def found_for(index: Index, question: str) -> list[Hit]:
    return highlighted(index, question, index.search(question))


def test_each_paper_has_a_verdict_and_the_whole_is_their_mean(runs: Path, index: Index) -> None:
    question = "Does a walk change sleep?"
    decider = load_decider(runs / "decision", "cpu")
    assert len(decider.answering) == 2
    found = decider.decide(index, question, found_for(index, question))
    assert found is not None
    assert sorted(verdict.document for verdict in read(found)) == ["1", "4"]
    for verdict in read(found):
        assert sum(astuple(verdict.probabilities)) == pytest.approx(1, abs=1e-5)
        assert verdict.label == max(LABELS, key=verdict.probabilities.of)
    counted = [astuple(verdict.probabilities) for verdict in found.verdicts]
    means = [sum(own) / len(counted) for own in zip(*counted, strict=True)]
    assert (found.label, found.confidence) == (LABELS[means.index(max(means))], pytest.approx(max(means)))
    assert len(read(found)) <= PAPERS


def test_two_runs_are_the_mean_of_each(runs: Path, index: Index) -> None:
    found = found_for(index, "cold tea")
    both, *each = (
        load_decider(place, "cpu").decide(index, "Does cold tea help?", found)
        for place in (runs / "decision", runs / "decision" / "fold-0", runs / "decision" / "fold-1")
    )
    assert both is not None
    first = [astuple(read(one)[0].probabilities) for one in each if one is not None]
    assert astuple(read(both)[0].probabilities) == pytest.approx(
        [sum(own) / 2 for own in zip(*first, strict=True)]
    )


def test_ask_gives_the_answer_and_what_each_paper_says(runs: Path, index: Index) -> None:
    decider = load_decider(runs / "decision", "cpu")
    answered = ask(index, "Does a walk help sleep?", readers=Readers(decider=decider))
    assert answered.off is None
    assert answered.decision is not None
    text = render(ask_report(answered), ".txt")
    assert f"{answered.decision.label} (yes " in text
    assert "its probabilities as they come" in text
    assert "Papers read as saying" in text
    reached = answered.decision.held_out
    assert f"shallow-features on held-out questions: {reached.says}." in " ".join(text.split())
    assert ask(index, "Which drink helps sleep?", readers=Readers(decider=decider)).decision is None


def test_each_verdict_has_the_best_sentence_of_its_paper_as_it_stands_there(runs: Path, index: Index) -> None:
    question = "Does cold tea change sleep?"
    answered = ask(index, question, readers=Readers(decider=load_decider(runs / "decision", "cpu")))
    assert answered.decision is not None
    for verdict in read(answered.decision):
        quoted = verdict.evidence
        assert quoted is not None
        own = answered.hits[quoted.rank - 1]
        assert own.passage.document == verdict.document == quoted.passage.document
        assert quoted.text in own.passage.text
        scores = [
            one.score
            for each in answered.hits
            if each.passage.document == verdict.document
            for one in each.sentences
        ]
        assert quoted.score == max(scores)


def test_papers_that_say_yes_and_papers_that_say_no_stand_side_by_side(index: Index) -> None:
    (found, *_) = found_for(index, "fever")
    (quoted,) = best([found], 1)
    verdicts = (
        Verdict("1", "One", "yes", Probabilities(*(0.8, 0.1, 0.1))),
        Verdict("2", "Two", "no", Probabilities(*(0.2, 0.7, 0.1)), noticed("retracted"), quoted),
        Verdict("3", "Three", "maybe", Probabilities(*(0.2, 0.2, 0.6))),
    )
    decision = Decision("reader", measured.DECISIONS, verdicts, calibrated=True)
    assert (decision.saying("yes"), decision.saying("no")) == ([verdicts[0]], [verdicts[1]])
    answered = structs.replace(ask(index, "Is it so?"), decision=decision)
    text = render(ask_report(answered), ".txt")
    assert "reader, calibrated" in text
    said = text[text.index("Papers read as saying yes") :]
    assert "70%, not counted: RETRACTED: Two" in said
    order = [
        "One",
        "Papers read as saying no",
        "RETRACTED: Two",
        quoted.text,
        "Papers read as saying maybe",
        "Three",
    ]
    assert [said.index(each) for each in order] == sorted(said.index(each) for each in order)


def noticed(*kinds: str) -> list[Notice]:
    return Passage("1", 0, "abstract", "", "", "", dict.fromkeys(kinds, "9")).notices


def quoting(document: str, label: str, sentence: str, **facts: str) -> Verdict:
    """A verdict beside a sentence of its paper."""
    rows = {"yes": (0.8, 0.1, 0.1), "no": (0.1, 0.8, 0.1), "maybe": (0.1, 0.1, 0.8)}
    passage = Passage(document, 0, "abstract", "", document, sentence, facts)
    found = Evidence(sentence, 0, len(sentence), 0.9, 3, 1, passage)
    return Verdict(document, document, label, Probabilities(*rows[label]), passage.notices, found)


@pytest.mark.parametrize(
    ("label", "sentence", "against"),
    [
        ("yes", "Tea does not help.", True),
        ("yes", "Tea helps.", False),
        ("no", "Tea does not help.", False),
        ("no", "Tea helps.", False),  # nothing is negated, so nothing is known
        ("maybe", "Tea does not help.", False),
        (None, "Tea does not help.", False),
    ],
)
def test_which_label_contradicts_a_negated_sentence(label: str | None, sentence: str, against: bool) -> None:
    assert contradicts(label, sentence) is against


def test_a_paper_whose_verdict_contradicts_its_negated_sentence_has_none(runs: Path, tmp_path: Path) -> None:
    """Every reader that says yes to all: the papers of which that is not so are shown without it, and do not count."""
    made, tally = create_index(tmp_path / "index"), Counter[str]()
    texts = {"so": "Green tea changes sleep.", "not": "Green tea does not change sleep, says this trial."}
    for ident, text in texts.items():
        made.add(Document(ident, (Section("title", f"Paper {ident}"), Section("abstract", text))), tally)
    made.commit()
    decider = replace(load_decider(runs / "decision", "cpu"), held_out=measured.DECISIONS)
    question = "Does green tea change sleep?"
    for label in LABELS:
        row = np.eye(3)[LABELS.index(label)]
        sure = AlwaysSays(decider.reader, decider.view, (), held_out=measured.DECISIONS, row=row)
        found = sure.decide(made, question, highlighted(made, question, made.search(question)))
        assert found is not None
        against = ["not"] if label == "yes" else []
        assert [one.document for one in found.withheld] == against
        assert sorted(one.document for one in found.verdicts) == sorted({"so", "not"} - set(against))
        assert found.label == label
    answered = ask(made, question, readers=Readers(decider=yes_to_all(decider)))
    made.close()
    assert answered.decision is not None
    text = " ".join(render(ask_report(answered), ".txt").split())
    said, withheld = text.split("Papers whose verdict is withheld")[:2]
    assert "Paper not" not in said.partition("Papers read as saying yes")[2]
    assert "Paper not" in withheld
    assert [one.document for one in answered.decision.withheld] == ["not"]
    assert [one.document for one in answered.decision.verdicts] == ["so"]


def test_an_answer_that_contradicts_the_best_sentence_is_not_given(index: Index) -> None:
    question = "Does cold tea change sleep?"
    decision = Decision("reader", measured.DECISIONS, (quoting("9", "yes", "Tea changes sleep."),))
    same = beside(decision, "Cold tea changes sleep.")
    assert (same, same.label, same.undecided) == (decision, "yes", "")
    against = beside(decision, "Cold tea does not change sleep.")
    assert (against.label, against.confidence, against.means) == (None, None, None)
    assert against.undecided == CONTRADICTED
    answered = structs.replace(ask(index, question), decision=against)
    text = " ".join(render(ask_report(answered), ".txt").split())
    assert f"No decision: {CONTRADICTED} (reader" in text
    assert "(yes 80%" not in text


def test_ask_gives_no_yes_above_a_negated_first_sentence(runs: Path, tmp_path: Path) -> None:
    """Another paper says yes, and stands below without a mean above."""
    made, tally = create_index(tmp_path / "index"), Counter[str]()
    texts = {"so": "Green tea changes the nights of adults.", "not": "Green tea does not change sleep."}
    for ident, text in texts.items():
        made.add(Document(ident, (Section("abstract", text),)), tally)
    made.commit()
    decider = yes_to_all(load_decider(runs / "decision", "cpu"))
    answered = ask(made, "Does green tea change sleep?", readers=Readers(decider=decider))
    made.close()
    assert answered.evidence[0].text == texts["not"]
    assert answered.decision is not None
    assert [one.document for one in answered.decision.saying("yes")] == ["so"]
    assert [one.document for one in answered.decision.withheld] == ["not"]
    assert (answered.decision.label, answered.decision.undecided) == (None, CONTRADICTED)


@pytest.mark.parametrize(
    "question",
    [
        "Does green tea not change sleep?",
        "Doesn't green tea change sleep?",
        "Is green tea unable to change sleep?",
    ],
)
def test_a_negated_question_gets_no_verdict_and_is_told_why(
    runs: Path, tmp_path: Path, question: str
) -> None:
    """A reader that says yes to all would say it of the sentence that says the contrary."""
    made, tally = create_index(tmp_path / "index"), Counter[str]()
    text = "Green tea can change sleep, and had beneficial effects in all trials."
    made.add(Document("so", (Section("abstract", text),)), tally)
    made.commit()
    readers = Readers(decider=yes_to_all(load_decider(runs / "decision", "cpu")))
    plain, answered = (ask(made, one, readers=readers) for one in ("Does green tea change sleep?", question))
    made.close()
    assert (plain.off, plain.decision and plain.decision.label) == (None, "yes")
    assert (answered.kind, answered.decision) == ("yesno", None)
    assert answered.off == Off("yes, no or maybe", NEGATED)
    seen = " ".join(render(ask_report(answered), ".txt").split())
    assert f"An exact answer (yes, no or maybe) is off: {NEGATED}." in seen
    assert "To turn it on" not in seen


def test_where_every_verdict_is_withheld_that_is_said() -> None:
    gone = quoting("1", "yes", "Tea does not help.", retracted="9")
    for withheld, why in ((quoting("2", "yes", "No."), ALL_WITHHELD), (gone, NOTHING_COUNTS)):
        found = Decision("reader", measured.DECISIONS, (), (Withheld(*astuple(withheld)),))
        assert (found.label, found.undecided) == (None, why)


@pytest.mark.parametrize("place", ["", "decision"])
def test_answers_are_asked_for(
    runs: Path, index: Index, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [
        "ask",
        str(index.folder),
        "Does a walk help sleep?",
        "--readers",
        str(runs / place),
        "--device",
        "cpu",
    ]
    assert run(asked) == 0
    plain = " ".join(capsys.readouterr().out.split())
    assert "Papers read as saying" not in plain
    assert "macro-F1" not in plain
    assert "An exact answer (yes, no or maybe) is off: it was not asked for." in plain
    assert "To turn it on: `anagnosis ask INDEX_FOLDER QUESTION --readers readers --answers`." in plain
    assert run([*asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["decision"], told["exact"], told["off"]["why"]) == (None, None, "it was not asked for")
    assert run([*asked, "--answers"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Papers read as saying" in shown
    assert re.search(r"on held-out questions: macro-F1 [01]\.\d\d \[", shown)
    assert run([*asked, "--answers", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["off"] is None
    assert told["decision"]["held_out"]["measure"] == "macro-F1"


def test_readers_that_were_loaded_without_answers_give_none(runs: Path, index: Index) -> None:
    silent = load_readers(runs, "cpu")
    assert (silent.decider, silent.silent, silent.none_loaded) == (None, {"decision"}, True)
    with pytest.raises(InputError, match="loaded without answers"):
        api.ask(index, "Does a walk help sleep?", readers=silent, answers=True)
    assert api.ask(index, "Does a walk help sleep?", readers=silent).decision is None


def test_a_reader_that_nobody_measured_gives_no_verdict(runs: Path, index: Index, tmp_path: Path) -> None:
    place = Path(shutil.copytree(runs / "decision", tmp_path / "decision"))
    forget(place, HELD_OUT)
    answered = ask(index, "Does a walk help sleep?", readers=load_readers(tmp_path, "cpu", answers=True))
    assert answered.decision is None
    assert answered.off == Off(
        "yes, no or maybe", NOT_MEASURED, ["anagnosis calibrate readers/decision DATASET", ASKED]
    )
    api.calibrate(place, runs / "built", device="cpu", threads=1)
    answered = ask(index, "Does a walk help sleep?", readers=load_readers(tmp_path, "cpu", answers=True))
    assert answered.decision is not None
    assert answered.decision.held_out.questions > 0


def test_what_was_measured_of_other_weights_is_refused(runs: Path, tmp_path: Path) -> None:
    place = Path(shutil.copytree(runs / "decision", tmp_path / "decision"))
    kept = json.loads((place / HELD_OUT).read_text())
    for change, why in (
        ({"weights": ["0"]}, "other weights"),
        ({"format": 0}, "another version"),
        ({"part": "x"}, "another version"),
    ):
        write_checked_json(place / HELD_OUT, kept | change)
        with pytest.raises(InputError, match=why):
            load_decider(place, "cpu")


def test_what_was_retracted_and_notices_do_not_count(index: Index) -> None:
    yes, no = Probabilities(0.8, 0.1, 0.1), Probabilities(0.1, 0.8, 0.1)
    concern = Verdict("1", "One", "yes", yes, noticed("expression_of_concern", "erratum"))
    gone = [
        Verdict("2", "Two", "no", no, noticed("retracted")),
        Verdict("3", "Three", "no", no, noticed("notice_of")),
    ]
    decision = Decision("reader", measured.DECISIONS, (*gone, concern))
    assert [one.counted for one in decision.verdicts] == [False, False, True]
    assert (decision.label, decision.confidence) == ("yes", 0.8)
    assert decision.means == yes
    none = Decision("reader", measured.DECISIONS, tuple(gone))
    assert (none.label, none.confidence, none.means) == (None, None, None)
    answered = structs.replace(ask(index, "Is it so?"), decision=none)
    text = " ".join(render(ask_report(answered), ".txt").split())
    assert "No decision: all papers with a verdict were retracted or are notices" in text
    assert "RETRACTED: Two" in text
    assert [one.counted for one in none.verdicts] == [False, False]


def test_a_retracted_paper_that_was_found_is_read_and_not_counted(runs: Path, index: Index) -> None:
    question = "Does TGF-β1 or cold tea change in fever?"
    found = load_decider(runs / "decision", "cpu").decide(index, question, found_for(index, question))
    assert found is not None
    counted = {verdict.document: verdict.counted for verdict in read(found)}
    assert counted == {"1": True, "2": False}
    rows = [verdict.probabilities for verdict in found.verdicts if verdict.counted]
    assert found.means == (rows[0] if rows else None)


def test_a_calibrated_run_says_what_was_fitted(runs: Path, index: Index, tmp_path: Path) -> None:
    question, place = "Does cold tea change sleep?", tmp_path / "decision"
    shutil.copytree(runs / "decision", place)
    plain = load_decider(place, "cpu")
    assert api.calibrate(place, runs / "built").runs[0].parameters.questions > 0
    fitted = load_decider(place, "cpu")
    assert plain.temperatures is None
    assert fitted.temperatures is not None
    found = found_for(index, question)
    before, after = plain.decide(index, question, found), fitted.decide(index, question, found)
    assert before is not None
    assert after is not None
    assert (before.calibrated, after.calibrated) == (False, True)
    assert read(before)[0].probabilities != read(after)[0].probabilities
    assert sum(astuple(read(after)[0].probabilities)) == pytest.approx(1)
    forget(place / "fold-1", CALIBRATION)
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
        found = load_readers(place, "cpu", answers=True)
        assert found.decider is not None
        assert found.exact is None
    assert len(load_readers(runs, "cpu", answers=True).decider.answering) == 2  # type: ignore[union-attr]


def test_a_folder_that_is_no_role_is_told(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "decision").symlink_to(runs / "decision")
    (tmp_path / "evidences").mkdir()
    assert load_readers(tmp_path, "cpu", answers=True).decider is not None
    assert "evidences: not read" in capsys.readouterr().err


class Strict:
    """Marks no sentence, and likes the longest best."""

    about = Scorer("strict", "its length", calibrated=True)
    thresholds = StrengthThresholds(2.0, 3.0, 4.0)

    def highlight(
        self,
        engine: Engine,
        question: str,
        passages: Sequence[Passage],
        equivalents: Sequence[Equivalent] = (),
    ) -> list[list[Sentence]]:
        return [[Sentence(*place, (place[1] - place[0]) / 5000) for place in cut(one)] for one in passages]

    def titles(
        self,
        engine: Engine,
        question: str,
        passages: Sequence[Passage],
        equivalents: Sequence[Equivalent] = (),
    ) -> list[Sentence | None]:
        return [None for _ in passages]

    def over_collection(self, first: int = 0, ranking: str = "") -> Strict:
        return self


def test_papers_are_chosen_by_words_and_their_sentence_by_what_scores_them(runs: Path, index: Index) -> None:
    question, decider = "Does cold tea change sleep?", load_decider(runs / "decision", "cpu")
    plain = ask(index, question, readers=Readers(decider=decider)).decision
    found = ask(index, question, readers=Readers(highlighter=Strict(), decider=decider))
    assert not any(one.strength for each in found.hits for one in each.sentences)
    assert plain is not None
    assert found.decision is not None
    said = {one.document: one.probabilities for one in read(plain)}
    assert said == {one.document: one.probabilities for one in read(found.decision)}
    for verdict in read(found.decision):
        sentences = [
            each.passage.text[one.begin : one.end]
            for each in found.hits
            if each.passage.document == verdict.document
            for one in each.sentences
        ]
        assert verdict.evidence is not None
        assert verdict.evidence.text == max(sentences, key=len)


def test_an_answer_that_could_not_be_made_says_why(index: Index) -> None:
    answered = structs.replace(ask(index, "Does cold tea change sleep?"), off=None)
    assert answered.decision is None
    told = " ".join(render(ask_report(answered), ".txt").split())
    assert NOTHING_READ["yesno"] in told
    assert NOTHING_READ["yesno"] not in render(ask_report(ask(index, "Does it?")), ".txt")


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
