"""Run files: written and read again, ordered as trec_eval orders them, refused with their line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.evaluation.retrieval.runs import of_results, read, write

LINES = "1 Q0 a 1 5.5 x\n1 Q0 b 2 5.5 x\n1 Q0 c 3 9 x\n2 Q0 a 1 -1e-3 x\n"


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "x.run"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_the_score_orders_and_the_greater_id_breaks_ties(tmp_path: Path) -> None:
    assert read(written(tmp_path, LINES), "x").ranked == {"1": ["c", "b", "a"], "2": ["a"]}


def test_ties_can_keep_the_order_that_the_engine_gave(tmp_path: Path) -> None:
    assert read(written(tmp_path, LINES), "x", ties="rank").ranked["1"] == ["c", "a", "b"]


def test_scores_that_are_equal_in_32_bits_are_equal(tmp_path: Path) -> None:
    """As for trec_eval, which holds them so: 5.5 is not above 5.4999999999."""
    assert read(written(tmp_path, "1 Q0 a 1 5.5 x\n1 Q0 b 2 5.4999999999 x\n"), "x").ranked["1"] == ["b", "a"]


def test_ids_are_ordered_by_their_bytes(tmp_path: Path) -> None:
    text = "".join(f"1 Q0 {id} 1 1 x\n" for id in ("é", "z", "Z", "10", "9", "𝛼", "ﬁ"))
    assert read(written(tmp_path, text), "x").ranked["1"] == ["𝛼", "ﬁ", "é", "z", "Z", "9", "10"]


NAMES = st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=6)
SCORES = st.floats(-1e30, 1e30) | st.sampled_from([1.0, 1.5, 0.1])
RESULTS = st.dictionaries(
    NAMES,
    st.dictionaries(NAMES, SCORES, max_size=8).map(lambda own: list(own.items())),
    min_size=1,
    max_size=4,
).filter(lambda results: any(results.values()))


@given(results=RESULTS, ties=st.sampled_from(["trec", "rank"]))
def test_a_run_file_is_worth_what_the_engine_was(
    results: dict[str, list[tuple[str, float]]], ties: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    results = {query: sorted(own, key=lambda one: -one[1]) for query, own in results.items()}
    path = tmp_path_factory.mktemp("runs") / "own.run"
    assert write(path, "own", results.items()) == sum(map(len, results.values()))
    asked = of_results("own", results, ties=ties).ranked
    assert read(path, "own", ties=ties).ranked == {query: own for query, own in asked.items() if own}


@each_row("id", ["", "a b", " a", "a\u00a0", "a\nb"])
def test_an_id_that_has_no_place_in_a_run_file_is_refused(id: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot stand in a run file"):
        write(tmp_path / "x.run", "x", [("1", [(id, 1.0)])])
    assert not list(tmp_path.iterdir())


@each_row(
    ("text", "line"),
    [
        (LINES + "1 Q0 d 4 5\n", "x.run:5: 5 columns, not 6; a line is QUERY Q0 DOCUMENT RANK SCORE NAME"),
        (LINES + "1 Q0 d 4 5 x y\n", "x.run:5: 7 columns, not 6"),
        (LINES + "1 Q0 d 4 high x\n", "x.run:5: the score 'high' is no finite number"),
        (LINES + "1 Q0 d 4 nan x\n", "x.run:5: the score 'nan' is no finite number"),
        (LINES + "1 Q0 d 4 1e39 x\n", "x.run:5: the score '1e39' is no finite number"),
        (LINES + "\n1 Q0 a 4 1 x\n", "x.run:6: document 'a' stands twice for query '1'; keep its best line"),
        (LINES + f"1 Q0 {'d' * 513} 4 1 x\n", "x.run:5: an id of 513 letters for the document"),
        (b"\xff Q0 d 4 1 x\n", "x.run:1: not UTF-8"),
        ("", "x.run: no results"),
        ("1 Q0 d 4 1 " + "x" * (1 << 20), "x.run:1: the line is longer than 1 MiB"),
    ],
)
def test_what_is_no_run_is_refused_with_its_line(text: str | bytes, line: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        read(written(tmp_path, text), "x")
    assert line in str(refused.value)


@pytest.mark.parametrize("rank", ["first", "-1", "99999999999"])
def test_ranks_are_read_only_where_they_count(rank: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"1 Q0 a {rank} 1 x\n")
    assert read(path, "x").ranked == {"1": ["a"]}
    with pytest.raises(InputError, match=r"x\.run:1: the rank .* is no whole number; take --ties trec"):
        read(path, "x", ties="rank")


def test_an_engine_that_gives_a_document_twice_or_no_number_is_refused() -> None:
    with pytest.raises(InputError, match="'a' stands twice"):
        of_results("own", {"1": [("a", 2.0), ("a", 1.0)]})
    with pytest.raises(InputError, match="the score nan"):
        of_results("own", {"1": [("a", float("nan"))]})


def test_more_lines_than_can_be_held_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anagnosis.evaluation.retrieval.judgements.MOST_LINES", 3)
    with pytest.raises(InputError, match=r"x\.run:4: more than 3 lines"):
        read(written(tmp_path, LINES), "x")
