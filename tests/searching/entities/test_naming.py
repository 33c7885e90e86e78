"""Names that answer, by a reader that was fitted here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.measured import NAME_WEIGHTS, NAMES
from tests.rows import each_row

from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.question import FACTOID, LIST, QuestionInstance, Snippet
from anagnosis.datasets.kinds.table import QUESTION
from anagnosis.errors import InputError
from anagnosis.evaluation.phase_b.rules import FIRST_LIST
from anagnosis.reports import render
from anagnosis.reports.search.results import ask_report
from anagnosis.searching.answers import asking
from anagnosis.searching.answers.asking import ask, highlighted
from anagnosis.searching.answers.readers import Readers, load_readers
from anagnosis.searching.entities.naming import NamesReader, denied, finds_nothing
from anagnosis.searching.entities.ranking import NameWeights, store_name_weights
from anagnosis.searching.fit import name_fitting
from anagnosis.searching.fit.held_out import snippet_collection
from anagnosis.searching.fit.name_fitting import fit
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.expansion import Topic
from anagnosis.searching.records.hits import ANSWERED, CLOSEST, Hit
from anagnosis.searching.records.names import NEGATED, NO_READER, NONE_SURE, NOT_ANSWERED, NOT_EARNED, Names
from anagnosis.searching.records.passage import Passage

DRUGS = ("zorimab", "kelonib", "vastipril", "ombrastatin")
ASKED = "Which gene is mutated in Trunova disease 7?"
DATE = "2026-01-02"


def asked(number: int) -> QuestionInstance:
    """A gene of a disease, or two drugs against it, each said in two papers among others that say less."""
    gene, disease = f"TRN{number}", f"Trunova disease {number}"
    first, second = DRUGS[number % 4], DRUGS[(number + 1) % 4]
    texts = (
        f"The {gene} gene is mutated in {disease}. Walks were long.",
        f"In {disease} mutations of {gene} were found in all families.",
        f"Drugs against {disease} are {first} and {second}.",
        f"Adults with {disease} were given {first}, then {second}.",
        "Tea was given to forty adults before breakfast.",
    )
    snippets = tuple(
        Snippet(
            f"http://www.ncbi.nlm.nih.gov/pubmed/{number * 10 + place}",
            "abstract",
            0,
            "abstract",
            len(text),
            text,
        )
        for place, text in enumerate(texts)
    )
    kind = LIST if number % 3 == 0 else FACTOID
    question = f"Which gene is mutated in {disease}?" if kind == FACTOID else f"List drugs against {disease}."
    exact = ((gene, f"the {gene} gene"),) if kind == FACTOID else ((first,), (second,))
    return QuestionInstance(
        f"{number:024x}",
        kind,
        question,
        (),
        snippets,
        exact,
        file=f"{2 + number // 20}B1_golden.json",
        place=number,
    )


@pytest.fixture(scope="module", autouse=True)
def answered_here() -> Iterator[None]:
    """The questions of this small collection count as answered here: tests of states are elsewhere."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (asking, name_fitting):
            patch.setattr(module, "state_of", lambda *_: ANSWERED)
        yield


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> store.Dataset:
    found = [asked(number) for number in range(80)]
    folder = tmp_path_factory.mktemp("questions") / "built"
    return writing.write(folder, {"train": found}, {"dataset": "bioasq", "kind": QUESTION})


@pytest.fixture(scope="module")
def collection(questions: store.Dataset, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    made = snippet_collection(
        store.instances(questions, "train"), tmp_path_factory.mktemp("snippets") / "index"
    )
    yield made
    made.close()


@pytest.fixture(scope="module")
def fitted(questions: store.Dataset) -> NameWeights:
    return fit(questions, date=DATE)


def names(collection: Index, question: str, weights: NameWeights) -> Names:
    answered = ask(collection, question, readers=Readers(names=NamesReader(weights)))
    assert answered.names is not None
    return answered.names


def test_editions_from_nine_on_stay_apart_and_are_counted(fitted: NameWeights, tmp_path: Path) -> None:
    older = [asked(number) for number in range(80)]
    newer = [replace(asked(number), file="10B2_golden.json") for number in range(80, 83)]
    # One of them in a held-out batch, whose repetition does not count either.
    newer.append(replace(asked(83), file="10B1_golden.json", question=ASKED.upper()))
    dataset = writing.write(
        tmp_path / "built", {"train": [*older, *newer]}, {"dataset": "bioasq", "kind": QUESTION}
    )
    made = fit(dataset, date=DATE)
    assert made.data == "bioasq, train, without 4 of editions from 9 on"
    assert (made.questions, fitted.questions) == (79, 80)


def test_the_files_that_measure_are_named_from_the_oldest_to_the_newest(collection: Index) -> None:
    files = {6: "8B5_golden.json", 7: "10B2_golden.json"}
    questions = [asked(number) for number in range(80)]
    questions = [
        replace(one, file=files.get(place // 10, "2B1_golden.json")) for place, one in enumerate(questions)
    ]
    made = name_fitting.fitted(name_fitting.gather(collection, questions), "questions", "", DATE)
    assert made.figures.data == "questions (8B5_golden.json to 10B2_golden.json)"


def test_the_figures_are_of_the_newest_questions_and_pass_the_bars(fitted: NameWeights) -> None:
    figures = fitted.figures
    assert (figures.questions, figures.date, fitted.questions) == (20, DATE, 80)
    assert figures.data == "bioasq, train (5B1_golden.json to 5B1_golden.json)"
    assert figures.earned
    assert figures.low <= figures.precision <= figures.lenient <= 1
    assert figures.share >= 0.1
    assert figures.says.startswith(f"{figures.precision:.0%} [")


def test_the_same_data_give_the_same_reader(questions: store.Dataset, fitted: NameWeights) -> None:
    assert fit(questions, date=DATE) == fitted


def test_the_name_that_is_asked_for_comes_with_its_sentence_and_the_figures(
    collection: Index, fitted: NameWeights
) -> None:
    given_ = names(collection, ASKED, replace(fitted, least=0.3))
    assert given_.answers[0].text == "TRN7"
    assert "TRN7" in given_.answers[0].evidence.text
    assert (given_.reader, given_.figures, given_.off) == ("name-features", fitted.figures, "")
    answered = ask(collection, ASKED, readers=Readers(names=NamesReader(replace(fitted, least=0.3))))
    text = " ".join(render(ask_report(answered), ".txt").split())
    assert "1. TRN7 (" in text
    assert f"Names by name-features: {fitted.figures.says}." in text


def test_a_list_has_the_names_that_are_sure_enough(collection: Index, fitted: NameWeights) -> None:
    question = "List drugs against Trunova disease 9."
    given_ = names(collection, question, replace(fitted, least=0.3)).answers
    assert {DRUGS[1], DRUGS[2]} <= {one.text for one in given_}
    assert len(given_) <= FIRST_LIST
    sure = [one.confidence for one in given_]
    assert sure == sorted(sure, reverse=True)
    assert sure[-1] >= 0.3
    level = (sure[0] + sure[-1]) / 2
    fewer = names(collection, question, replace(fitted, least=level)).answers
    assert [one.text for one in fewer] == [one.text for one in given_ if one.confidence >= level]


def test_without_what_it_takes_there_are_no_names_and_the_reason(
    collection: Index, fitted: NameWeights
) -> None:
    unearned = replace(fitted, figures=replace(fitted.figures, precision=0.59))
    few = replace(fitted, figures=replace(fitted.figures, share=0.09))
    negated = "Which gene is not mutated in Trunova disease 7?"
    assert names(collection, ASKED, unearned) == Names(off=NOT_EARNED)
    assert names(collection, ASKED, few) == Names(off=NOT_EARNED)
    assert names(collection, negated, fitted) == Names(off=NEGATED)
    assert names(collection, ASKED, replace(fitted, least=1.0)) == Names(off=NONE_SURE)
    assert ask(collection, ASKED).names == Names(off=NO_READER)
    assert ask(collection, "Does tea help adults?").names is None


def test_what_is_not_answered_here_gets_no_names(
    collection: Index, fitted: NameWeights, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "state_of", lambda *_: CLOSEST)
    assert names(collection, ASKED, fitted) == Names(off=NOT_ANSWERED)


def test_a_folder_of_readers_with_names_is_loaded(
    tmp_path: Path, collection: Index, fitted: NameWeights
) -> None:
    store_name_weights(tmp_path / "names", fitted)
    for place in (tmp_path, tmp_path / "names"):
        assert load_readers(place).names == NamesReader(fitted)


@each_row(
    ("sentence", "name", "is_denied"),
    [
        ("Aspirin did not reduce mortality.", "Aspirin", True),
        ("Without diabetes, patients took aspirin.", "aspirin", False),
        ("EGF was not expressed; EGFR was.", "EGFR", False),
        ("EGFR was not expressed.", "EGF", False),
        ("Aspirin did not reduce mortality.", "aspirin", True),
        ("aspirin did not reduce mortality.", "Aspirin", True),
        ("The cat was not sold.", "CAT", False),
        ("Zorimab helped, but kelonib did not help.", "Zorimab", False),
        ("Zorimab helped, but kelonib did not help.", "kelonib", True),
        ("Patients without asthma got zorimab.", "zorimab", True),
        ("Patients without asthma, however, got zorimab.", "zorimab", False),
        ("EGFR was expressed, but EGF did not increase growth.", "EGF", True),
    ],
)
def test_a_name_in_the_scope_of_a_negation_is_denied(sentence: str, name: str, is_denied: bool) -> None:
    assert denied(sentence, name) == is_denied


def test_a_name_is_denied_in_all_its_spellings() -> None:
    assert denied("Acetylsalicylic acid did not help.", "aspirin", "acetylsalicylic acid")
    assert not denied(
        "Acetylsalicylic acid did not help, but aspirin helped.", "aspirin", "acetylsalicylic acid"
    )
    assert not denied("Aspirin did not help.", "tea")


def test_an_aim_finds_nothing() -> None:
    assert finds_nothing("We aimed to compare statins with placebo.")
    assert finds_nothing("The aim of this study was to compare statins with placebo.")
    assert not finds_nothing("Statins reduced mortality.")


def test_a_name_that_its_sentences_deny_is_not_shown(collection: Index) -> None:
    question = "Which drug helps against Trunova disease?"
    texts = ("Zorimab does not help against Trunova disease.", "Kelonib helps against Trunova disease.")
    hits = [Hit(Passage(str(n), 0, "abstract", "", "", text), 1.0) for n, text in enumerate(texts)]
    found = highlighted(collection, Topic(question), hits)
    given_ = NamesReader(NAME_WEIGHTS).answer(collection, Topic(question), LIST, found)
    shown = {one.text for one in given_.answers}
    assert "Kelonib" in shown
    assert "Zorimab" not in shown


@each_row(
    ("other", "shown"),
    [
        ("Zorimab was given orally against Trunova disease.", True),
        ("Zorimab did not help more against Trunova disease.", False),
        ("In men, zorimab did not help against Trunova disease.", False),
        ("Kelonib did not help against Trunova disease.", True),
    ],
)
def test_a_name_that_its_paper_denies_elsewhere_is_not_shown(
    collection: Index, other: str, shown: bool
) -> None:
    question = "Which drug helps against Trunova disease?"
    text = f"Zorimab helps against Trunova disease. {other}"
    hits = highlighted(collection, Topic(question), [Hit(Passage("1", 0, "abstract", "", "", text), 1.0)])
    given_ = NamesReader(NAME_WEIGHTS).answer(collection, Topic(question), LIST, hits)
    assert ("Zorimab" in {one.text for one in given_.answers}) == shown


def test_a_sentence_of_an_aim_is_no_evidence(collection: Index) -> None:
    question = "Which drug helps against Trunova disease?"
    text = "We aimed to test whether zorimab helps against Trunova disease."
    hits = highlighted(collection, Topic(question), [Hit(Passage("1", 0, "abstract", "", "", text), 1.0)])
    assert not NamesReader(NAME_WEIGHTS).answer(collection, Topic(question), LIST, hits).answers


def test_too_few_questions_are_refused(tmp_path: Path) -> None:
    few = writing.write(
        tmp_path / "few", {"train": [asked(n) for n in range(9)]}, {"dataset": "bioasq", "kind": QUESTION}
    )
    with pytest.raises(InputError, match="are needed"):
        fit(few, date=DATE)


def test_the_test_part_and_its_repetitions_are_left_alone(
    monkeypatch: pytest.MonkeyPatch, questions: store.Dataset, tmp_path: Path
) -> None:
    every = list(store.instances(questions, "train"))
    parts = {
        "train": every,
        "test": [replace(asked(7), id="f" * 24, question="which GENE is mutated in Trunova disease 7")],
    }
    other = writing.write(tmp_path / "parts", parts, {"dataset": "bioasq", "kind": QUESTION})
    seen = list[str]()

    def gather(index: Index, chosen: list[QuestionInstance]) -> list[object]:
        seen.extend(one.id for one in chosen)
        raise InputError("enough", "", "")

    monkeypatch.setattr(name_fitting, "gather", gather)
    with pytest.raises(InputError, match="enough"):
        fit(other, date=DATE)
    assert seen == [one.id for one in every if one.id != every[7].id]


def test_a_threshold_that_is_not_right_often_enough_turns_names_off() -> None:
    judged = [
        name_fitting.Judged(asked(n), np.zeros((1, 1)), ["x"], [n % 2 == 0], [True], answered=True)
        for n in range(20)
    ]
    newest = np.ones(20, bool)
    assert name_fitting.least_confidence(judged, [np.array([0.9])] * 20, newest) == name_fitting.OFF
    right = [one._replace(right=[True]) for one in judged]
    assert name_fitting.least_confidence(right, [np.array([0.9])] * 20, newest) == 0.9


def test_nothing_to_read_is_no_answer(collection: Index) -> None:
    assert NamesReader(NAME_WEIGHTS).answer(collection, Topic("Which gene?"), FACTOID, []) == Names(
        off=NONE_SURE
    )


SENTENCE = st.lists(
    st.sampled_from(
        ["TNF-α", "TNF alpha", "kinase", "kinases", "(", ")", "the", "of", "IL-2", "(IL2)", "binds", "causes", "12 %",
         "growth hormone", "(GH)", "is", "not", "fever", "Haemophilia", "hemophilia", "XXXX", "\n", "  ", "🙂"]
    ),
    min_size=1, max_size=30,
).map(" ".join)  # fmt: skip


@given(st.lists(SENTENCE | st.text(max_size=60), min_size=1, max_size=4), SENTENCE)
def test_every_answer_is_verbatim_in_its_sentence_which_does_not_deny_it(
    collection: Index, texts: list[str], question: str
) -> None:
    hits = [Hit(Passage(str(n), 0, "abstract", "", "", text), 1.0) for n, text in enumerate(texts)]
    found: list[Hit] = highlighted(collection, Topic(question), hits)
    for kind in (FACTOID, LIST):
        for one in NamesReader(NAME_WEIGHTS).answer(collection, Topic(question), kind, found).answers:
            assert one.text in one.evidence.text
            assert not denied(one.evidence.text, one.text, *one.names)  # in one of its spellings at least
            begin, end = one.evidence.begin, one.evidence.end
            assert one.evidence.passage.text[begin:end] == one.evidence.text
            assert texts[one.evidence.rank - 1] == one.evidence.passage.text
            assert np.isfinite(one.confidence)
            assert one.text not in one.names


def test_few_right_names_do_not_pass_by_chance() -> None:
    assert NAMES.earned
    assert not replace(NAMES, names=2, precision=1.0, low=0.34).earned
    assert not replace(NAMES, precision=0.59).earned
    assert not replace(NAMES, share=0.09).earned
