"""The figures of phase A are those that the organisers' program printed."""

from __future__ import annotations

import gzip
import json
import math
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.golden_files import written
from tests.phase_a_figures import KINDS, figures, figures_of
from tests.rows import each_row

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import RelevantItems, Snippet
from anagnosis.errors import InputError
from anagnosis.evaluation.phase_a import MOST_IN_ORDER, Span, joined
from anagnosis.evaluation.retrieval import runs, scoring
from anagnosis.evaluation.retrieval.judgements import read_judgements
from anagnosis.evaluation.retrieval.measures import requested_measure
from anagnosis.predictions.matching import match_files


def program(golden: str, system: str, folder: Path) -> dict[str, float]:
    """The figures of two whole files, imported and matched."""
    built = folder / "built"
    if not built.exists():
        written(folder / "8B1_golden.json", golden)
        written(folder / "system.json", system)
        api.import_dataset(folder / "8B1_golden.json", built, layout="bioasq", split="test")
    gold, (run,) = match_files([folder / "system.json"], store.load(built), "test")
    return figures(gold, run)


def demand(found: Mapping[str, float], expected: Mapping[str, float | str], case: str) -> None:
    """Demand the printed figures, whose NaN is a string."""
    own = {name: value for name, value in expected.items() if name.split()[1] in KINDS}
    assert found.keys() == own.keys()
    for name, value in own.items():
        assert found[name] == pytest.approx(float(value), rel=1e-12, abs=1e-15, nan_ok=True), (case, name)


def cases(shared: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(shared / "vectors/bioasq/phase_a.jsonl.gz", "rt") as lines:
        yield from map(json.loads, lines)


def test_the_constructed_cases(shared: Path, tmp_path: Path) -> None:
    compared = 0
    for case in cases(shared):
        if "error" not in (expected := case["expected"]["9"]):
            golden, system = map(json.dumps, (case["golden"], case["system"]))
            demand(program(golden, system, tmp_path / case["name"]), expected, case["name"])
            compared += 1
    assert compared == 40  # of 41; the program crashes on one


def test_the_outputs_of_a_published_system(shared: Path, tmp_path: Path) -> None:
    with tarfile.open(shared / "vectors/bioasq/phase_a_real.tar.gz") as archive:
        files = {
            Path(member.name).name: stream.read().decode()
            for member in archive
            if (stream := archive.extractfile(member)) is not None
        }
    expected = json.loads(files["expected.json"])
    assert len(expected) == 5
    for name, editions in expected.items():
        demand(program(files["golden.json"], files[name], tmp_path / name), editions["9"], name)


def snippet(begin: int, end: int, document: str = "d/1", section: str = "abstract") -> Snippet:
    return Snippet(document, section, begin, section, end, "x")


@each_row(("gold", "divisor"), [(2, 2), (12, 10)])
def test_average_precision_is_divided_by_the_gold_documents_ten_at_most(gold: int, divisor: int) -> None:
    names = tuple("abcdefghijkl"[:gold])
    found = figures_of([(RelevantItems(names), RelevantItems(documents=("x", "a", "a", "b", "b")))])
    precision = [1 / 2, 2 / 3]  # at the ranks of a and b, each document counted once
    assert found["MPrec documents"] == pytest.approx(2 / 3)
    assert found["MRec documents"] == 2 / gold
    assert found["MF1 documents"] == pytest.approx(2 * 2 / (3 + gold))
    assert found["MAP documents"] == pytest.approx(sum(precision) / divisor)
    assert found["GMAP documents"] == pytest.approx(sum(precision) / divisor + 0.00001)


def test_snippets_count_their_last_character_and_those_that_touch_are_one() -> None:
    gold = RelevantItems(snippets=(snippet(0, 9), snippet(9, 19)))
    answer = RelevantItems(snippets=(snippet(10, 29),))
    found = figures_of([(gold, answer)])
    assert found["MPrec snippets"] == 10 / 20
    assert found["MRec snippets"] == 10 / 20
    assert found["MAP snippets"] == 10 / 20  # of one joined gold snippet


def test_an_answer_in_the_right_document_is_relevant_without_overlap() -> None:
    gold = RelevantItems(snippets=(snippet(0, 9),))
    answer = RelevantItems(snippets=(snippet(0, 9), snippet(50, 59)))
    assert figures_of([(gold, answer)])["MAP snippets"] == 1 + 10 / 20


def test_addresses_count_whole_for_the_ranking_and_by_their_last_part_for_characters() -> None:
    gold = RelevantItems(("http://x/1",), snippets=(snippet(0, 9, "http://x/1"),))
    answer = RelevantItems(("https://x/1/",), snippets=(snippet(0, 9, "https://x/1/"),))
    found = figures_of([(gold, answer)])
    assert found["MPrec documents"] == 0
    assert (found["MPrec snippets"], found["MAP snippets"]) == (1, 0)


@each_row(
    ("answer", "gold", "fits"),
    [
        ("abstract", "abstract", True),
        ("title", "abstract", False),
        ("sections.0", "abstract", True),
        ("abstract", "sections.0", False),
        ("sections.3", "body.3", True),
        ("sections.1", "abstract", False),
    ],
)
def test_sections_fit_by_what_follows_their_first_full_stop(answer: str, gold: str, fits: bool) -> None:
    pair = (
        RelevantItems(snippets=(snippet(0, 9, section=gold),)),
        RelevantItems(snippets=(snippet(0, 9, section=answer),)),
    )
    assert figures_of([pair])["MRec snippets"] == float(fits)


def test_a_snippet_without_offsets_has_no_characters() -> None:
    gold = RelevantItems(snippets=(Snippet("d/1", "", None, "", None, "x"), snippet(0, 9, section="")))
    found = figures_of([(gold, RelevantItems(snippets=(snippet(0, 9, section=""),)))])
    assert (found["MPrec snippets"], found["MRec snippets"]) == (1, 1)


def test_a_question_is_left_out_by_what_is_measured() -> None:
    found = figures_of([(RelevantItems(("a",)), RelevantItems(("a",), snippets=(snippet(0, 9),)))])
    assert found["MPrec documents"] == 1
    assert math.isnan(found["MPrec snippets"])


def test_questions_that_the_system_lacks_are_left_out_and_empty_ones_count() -> None:
    gold = RelevantItems(("a",), snippets=(snippet(0, 9),))
    found = figures_of([(gold, gold), (gold, None)])
    assert (found["MRec documents"], found["MRec snippets"]) == (1, 1)
    found = figures_of([(gold, gold), (gold, RelevantItems())])
    assert (found["MRec documents"], found["MRec snippets"]) == (1 / 2, 1 / 2)


def test_answers_of_no_characters_have_no_average_precision() -> None:
    gold = RelevantItems(snippets=(snippet(0, 9),))
    found = figures_of([(gold, RelevantItems(snippets=(snippet(50, 49),)))])
    assert (found["MAP snippets"], found["GMAP snippets"]) == (0, 0)
    both = [(gold, gold), (gold, RelevantItems(snippets=(snippet(50, 49),)))]
    assert figures_of(both)["GMAP snippets"] == pytest.approx((1 + 0.00001) ** 0.5)


SPANS = st.lists(
    st.builds(
        lambda begin, size, document: Span(document, "abstract", begin, begin + size),
        st.integers(0, 30),
        st.integers(0, 8),
        st.sampled_from(["d/1", "d/2"]),
    ),
    max_size=12,
)


@given(spans=SPANS)
def test_joined_spans_cover_the_same_places_at_those_of_the_first(spans: list[Span]) -> None:
    found = joined(spans)
    for document in ("d/1", "d/2"):
        covered = {n for span in spans if span.document == document for n in range(span.begin, span.end + 1)}
        own = [set(range(span.begin, span.end + 1)) for span in found if span.document == document]
        assert set[int]().union(*own) == covered
        assert sum(map(len, own)) == len(covered)  # no two share a place
    firsts = [min(n for n, span in enumerate(spans) if _inside(span, whole)) for whole in found]
    assert firsts == sorted(firsts)


def _inside(span: Span, whole: Span) -> bool:
    return span.document == whole.document and whole.begin <= span.begin and span.end <= whole.end


def test_many_snippets_of_one_document_are_joined_at_once() -> None:
    spans = [Span("d/1", "abstract", 3 * n, 3 * n + 1) for n in range(20_000)]
    assert joined([*spans, Span("d/1", "abstract", 0, 90_000)]) == [Span("d/1", "abstract", 0, 90_000)]
    assert joined(spans) == spans


def test_snippets_that_end_before_they_begin_are_joined_in_order_up_to_a_number() -> None:
    spans = [Span("d/1", "abstract", 3 * n, 3 * n - 2) for n in range(MOST_IN_ORDER)]
    assert joined(spans) == spans
    with pytest.raises(InputError, match=r"1,001 snippets of one section, some without characters"):
        joined([*spans, Span("d/1", "abstract", 0, 3)])
    others = [Span("d/2", "abstract", 3 * n, 3 * n) for n in range(2 * MOST_IN_ORDER)]
    assert joined([*others, *spans]) == [*others, *spans]


OURS = {  # trec_eval's name → ours
    "map": "map",
    "recip_rank": "mrr",
    "P_10": "precision@10",
    "recall_100": "recall@100",
    "ndcg_cut_10": "ndcg@10",
}


@pytest.fixture(scope="module")
def folder(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("bm25")
    with tarfile.open(shared / "data/bioasq/bm25-7b.tar.gz") as archive:
        archive.extractall(out, filter="data")
    return out / "bm25-7b"


@pytest.fixture(scope="module")
def expected(folder: Path) -> Any:
    return json.loads((folder / "expected.json").read_text())


@pytest.mark.parametrize("batch", [f"7B{number}" for number in range(1, 6)])
def test_the_figures_of_trec_eval_and_of_the_organisers_program(
    folder: Path, expected: Any, batch: str
) -> None:
    gold = read_judgements(folder / f"{batch}.qrels")
    run = runs.read(folder / f"{batch}.run", batch)
    by_name = [requested_measure(name) for name in OURS.values()]
    found = scoring.evaluate(gold, [run], by_name, seed=0, draws=10).systems[0].estimates
    values = {name: found[str(measure)].value for name, measure in zip(OURS, by_name, strict=True)}
    printed = expected[batch]
    assert values == pytest.approx({name: printed[name] for name in OURS}, rel=1e-9)
    pairs = [
        (RelevantItems(tuple(own)), RelevantItems(tuple(run.ranked.get(query, ())[:10])))
        for query, own in gold.grades.items()
    ]
    ours, of_program = (
        figures_of(pairs),
        printed["bioasq_e8"],
    )  # edition 9, where every question has gold documents
    assert {name: ours[name] for name in of_program} == pytest.approx(of_program, rel=1e-12)
