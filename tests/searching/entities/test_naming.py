"""Names that answer, from what a search found, by a cloze reader that was trained here, and fitted."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import measured
from tests.readers import tiny_readers

pytest.importorskip("torch", reason="the extra train is not installed")

from anagnosis import api
from anagnosis.calibration.parameters import FORMAT
from anagnosis.checksums import write_checked_json
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.question import FACTOID, LIST, QuestionInstance, Snippet
from anagnosis.datasets.kinds.table import CLOZE, QUESTION
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.free_answers import FIRST_FACTOID, FIRST_LIST
from anagnosis.folder_names import ANSWERS as FILE
from anagnosis.reports import render
from anagnosis.reports.search.results import ask_report
from anagnosis.searching.answers.asking import ASKED as ASKED_AGAIN
from anagnosis.searching.answers.asking import NOT_MEASURED, ask, highlighted
from anagnosis.searching.answers.readers import Readers, load_readers
from anagnosis.searching.entities.naming import Namer, known, load_namer
from anagnosis.searching.fit.name_fitting import pool, retrieved
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.answers import Hit, Off
from anagnosis.searching.records.passage import Passage

DRUGS = ("zorimab", "kelonib", "vastipril", "ombrastatin")
ASKED = "Which gene is mutated in Trunova disease 7?"


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
        f"{number:024x}", kind, question, (), snippets, exact, file="6B1_golden.json", place=number
    )


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> store.Dataset:
    found = [asked(number) for number in range(60)]
    folder = tmp_path_factory.mktemp("questions") / "built"
    return writing.write(folder, {"train": found}, {"dataset": "bioasq", "kind": QUESTION})


@pytest.fixture(scope="module")
def collection(questions: store.Dataset, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    made = pool(store.instances(questions, "train"), tmp_path_factory.mktemp("pool") / "index")
    yield made
    made.close()


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, questions: store.Dataset) -> Path:
    """exact: fitted. plain/exact: the same, not fitted."""
    folder = tmp_path_factory.mktemp("readers")
    data = tiny_readers.dataset(folder / "built", signal=True, kind=CLOZE, train=40, dev=10)
    changed = {**tiny_readers.TINY["attention-sum"].settings, "epochs": 2}
    for place in ("exact", "plain/exact"):
        api.train("biomrc-attention-sum-local", data, folder / place, settings=changed, threads=1)
    api.calibrate_names(folder / "exact", questions)
    return folder


def test_the_name_that_is_asked_for_comes_first(runs: Path, collection: Index) -> None:
    for place in (runs, runs / "plain"):
        exact = replace(load_namer(place / "exact", "cpu"), held_out=measured.NAMES)
        answered = ask(collection, ASKED, readers=Readers(exact=exact))
        assert answered.off is None
        assert answered.exact is not None
        assert answered.exact.answers[0].text == "TRN7"
        assert answered.exact.calibrated is (place == runs)
        assert len(answered.exact.answers) <= FIRST_FACTOID
        sure = [one.confidence for one in answered.exact.answers]
        assert sure == sorted(sure, reverse=True)
        assert all(0 <= value <= 1 for value in sure)


def test_names_are_given_beside_their_mrr_on_held_out_questions_or_not_at_all(
    runs: Path, collection: Index, questions: store.Dataset
) -> None:
    answered = ask(collection, ASKED, readers=load_readers(runs / "plain", "cpu", answers=True))
    assert (answered.exact, answered.off) == (
        None,
        Off(
            "the name that is asked for",
            NOT_MEASURED,
            ["anagnosis calibrate readers/exact DATASET", ASKED_AGAIN],
        ),
    )
    answered = ask(collection, ASKED, readers=load_readers(runs, "cpu", answers=True))
    assert answered.exact is not None
    reached = answered.exact.held_out
    newest = list(store.instances(questions, "train"))[45:]
    assert (reached.measure, reached.questions) == ("MRR", sum(one.type == FACTOID for one in newest))
    ranks = list[float]()
    namer = load_namer(runs / "exact", "cpu")
    for one in newest:
        if one.type == FACTOID:
            had = known(collection.engine, one.question, retrieved(collection, one.question))
            given_ = [own.text for own in namer.answers(collection.engine, FACTOID, had)]
            gold = {name.lower() for entry in one.exact or () for name in entry}
            right = [place for place, name in enumerate(given_, 1) if name.lower() in gold]
            ranks.append(1 / right[0] if right else 0.0)
    assert reached.value == pytest.approx(sum(ranks) / len(ranks), abs=1e-6)
    assert 0 < reached.low <= reached.value <= reached.high <= 1
    text = render(ask_report(answered), ".txt")
    assert f"attention-sum on held-out questions: {reached.says}." in " ".join(text.split())


def test_the_report_names_the_answer_and_its_sentence(runs: Path, collection: Index) -> None:
    answered = ask(collection, ASKED, readers=load_readers(runs, "cpu", answers=True))
    text = render(ask_report(answered), ".txt")
    assert "1. TRN7 (" in text
    assert "TRN7 gene" in text


def test_a_list_has_the_names_that_are_sure_enough(runs: Path, collection: Index) -> None:
    answered = ask(
        collection, "List drugs against Trunova disease 9.", readers=load_readers(runs, "cpu", answers=True)
    )
    assert answered.exact is not None
    given_ = [one.text for one in answered.exact.answers]
    assert {DRUGS[1], DRUGS[2]} <= set(given_[:3])
    assert len(given_) <= FIRST_LIST


def test_what_is_fitted_for_other_weights_is_refused(runs: Path, tmp_path: Path) -> None:
    place = tmp_path / "exact"
    shutil.copytree(runs / "exact", place)
    kept = json.loads((place / FILE).read_text())
    for wrong, why in (({"weights": ["0"]}, "other weights"), ({"format": 0}, "another version")):
        write_checked_json(place / FILE, kept | wrong)
        with pytest.raises(InputError, match=why):
            load_namer(place, "cpu")


def test_too_few_questions_are_refused(runs: Path, tmp_path: Path) -> None:
    few = writing.write(
        tmp_path / "few", {"train": [asked(n) for n in range(9)]}, {"dataset": "bioasq", "kind": QUESTION}
    )
    with pytest.raises(InputError, match="are needed"):
        api.calibrate_names(runs / "plain" / "exact", few)
    with pytest.raises(
        InputError, match="--kept does not apply to a reader of cloze questions; leave it out"
    ):
        api.calibrate(runs / "plain" / "exact", few, kept=tmp_path)


def test_a_kind_that_the_newest_questions_lack_is_one_line(runs: Path, tmp_path: Path) -> None:
    found = [each for number in range(90) if (each := asked(number)).type == FACTOID]
    data = writing.write(tmp_path / "d", {"train": found}, {"dataset": "bioasq", "kind": QUESTION})
    shutil.copytree(runs / "plain" / "exact", tmp_path / "exact")
    with pytest.raises(InputError, match="the newest questions have no list with right and wrong names"):
        api.calibrate_names(tmp_path / "exact", data)


def test_the_test_part_is_left_alone_and_the_rest_gives_the_same_again(
    runs: Path, questions: store.Dataset, tmp_path: Path
) -> None:
    every = list(store.instances(questions, "train"))
    parts = {"train": every, "test": [msgspec.structs.replace(asked(500), exact=(("wrong",),))]}
    other = writing.write(tmp_path / "parts", parts, {"dataset": "bioasq", "kind": QUESTION})
    place = tmp_path / "exact"
    shutil.copytree(runs / "plain" / "exact", place)
    made = api.calibrate_names(place, other)
    assert (made.format, made.dataset, made.ranked, made.judged) == (FORMAT, "bioasq, train", 45, 15)
    assert (place / FILE).read_bytes() == (runs / "exact" / FILE).read_bytes()


def test_nothing_to_read_is_no_answer(collection: Index) -> None:
    assert Namer().answer(collection, "Which gene?", FACTOID, []) is None


def test_a_reader_of_numbers_or_of_nothing_such_is_one_line(runs: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no run.json here"):
        load_namer(tmp_path)
    data = tiny_readers.dataset(tmp_path / "built", signal=True, kind=CLOZE, train=20, dev=8)
    changed = {**tiny_readers.TINY["attention-sum"].settings, "epochs": 1}
    api.train("biomrc-attention-sum-global", data, tmp_path / "global", settings=changed, threads=1)
    with pytest.raises(InputError, match='train one with view = "local"'):
        load_namer(tmp_path / "global", "cpu")


SENTENCE = st.lists(
    st.sampled_from(
        ["TNF-α", "TNF alpha", "kinase", "kinases", "(", ")", "the", "of", "IL-2", "(IL2)", "binds", "causes", "12 %",
         "growth hormone", "(GH)", "fever.", "is", "fever", "Haemophilia", "hemophilia", "XXXX", "\n", "  ", "🙂"]
    ),
    min_size=1, max_size=30,
).map(" ".join)  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(st.lists(SENTENCE | st.text(max_size=60), min_size=1, max_size=4), SENTENCE)
def test_every_answer_stands_verbatim_in_its_sentence(
    runs: Path, collection: Index, texts: list[str], question: str
) -> None:
    hits = [Hit(Passage(str(n), 0, "abstract", "", "", text), 1.0) for n, text in enumerate(texts)]
    found: list[Hit] = highlighted(collection, question, hits)
    namer = replace(load_namer(runs / "plain" / "exact", "cpu"), held_out=measured.NAMES)
    for kind in (FACTOID, LIST):
        exact = namer.answer(collection, question, kind, found)
        for one in exact.answers if exact is not None else ():
            assert one.text in one.evidence.text
            begin, end = one.evidence.begin, one.evidence.end
            assert one.evidence.passage.text[begin:end] == one.evidence.text
            assert texts[one.evidence.rank - 1] == one.evidence.passage.text
            assert np.isfinite(one.confidence)
            assert one.text not in one.names
