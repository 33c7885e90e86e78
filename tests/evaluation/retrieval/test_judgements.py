"""Judgements in two forms; what is none is refused with its line, and what stands twice is counted."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.evaluation.retrieval.judgements import read_judgements

TREC = "1 0 105q161g 2\n1 0.5 4ilpph77 0\n2 0 a 1\n2\t0\tb\t-1\n"
BEIR = "query-id\tcorpus-id\tscore\n1\t105q161g\t2\n1\t4ilpph77\t0\n2\ta\t1\n2\tb\t-1\n"


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "qrels"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize("text", [TREC, BEIR, BEIR.replace("\n", "\r\n")])
def test_both_forms_say_the_same(text: str, tmp_path: Path) -> None:
    found = read_judgements(written(tmp_path, text))
    assert found.grades == {"1": {"105q161g": 2, "4ilpph77": 0}, "2": {"a": 1, "b": -1}}
    assert found.relevant("2") == [1]
    assert found.relevant("3") == []
    assert found.fingerprint == read_judgements(written(tmp_path, TREC)).fingerprint
    assert not found.problems


def test_the_fingerprint_tells_other_grades_and_not_another_order(tmp_path: Path) -> None:
    mark = read_judgements(written(tmp_path, TREC)).fingerprint
    turned = "".join(reversed(TREC.splitlines(keepends=True)))
    assert read_judgements(written(tmp_path, turned)).fingerprint == mark
    assert read_judgements(written(tmp_path, TREC.replace("a 1", "a 2"))).fingerprint != mark


def test_a_document_of_beir_may_have_blanks_in_its_id(tmp_path: Path) -> None:
    assert read_judgements(written(tmp_path, "query-id\tcorpus-id\tscore\nq 1\td 1\t1\n")).grades == {
        "q 1": {"d 1": 1}
    }


def test_the_same_judgement_again_is_counted(tmp_path: Path) -> None:
    problem = read_judgements(written(tmp_path, TREC + "2 0 a 1\n")).problems["judged_twice"]
    assert (problem.count, problem.first) == (1, ("2 a",))


@each_row(
    ("text", "line"),
    [
        (TREC + "1 0 a\n", "qrels:5: 3 columns, not 4; a line is QUERY 0 DOCUMENT GRADE"),
        (BEIR + "1\ta\n", "qrels:6: 2 columns, not 3"),
        (
            "1\ta\t1\n",
            "qrels:1: 3 columns, not 4; a line is QUERY 0 DOCUMENT GRADE, or QUERY<tab>DOCUMENT<tab>GRADE",
        ),
        (BEIR.replace("score", "grade"), "qrels:1: a header of other columns"),
        (TREC + "1 0 a 1.5\n", "qrels:5: the grade '1.5' is no whole number up to 100"),
        (TREC + "1 0 a 101\n", "qrels:5: the grade '101' is no whole number"),
        (TREC + f"1 0 a {'9' * 5000}\n", "qrels:5: the grade '99999999999999999999' is no whole number"),
        (
            TREC + "1 0 105q161g 1\n",
            "qrels:5: '105q161g' has the grades 2 and 1 for query '1'; keep one of them",
        ),
        (b"1 0 \xff 1\n", "qrels:1: not UTF-8"),
        (f"1 0 {'d' * 513} 1\n", "qrels:1: an id of 513 letters for the document"),
        (BEIR + "1\t \t1\n", "qrels:6: no id for the document"),
        ("\n", "qrels: no judgements"),
        (BEIR.partition("\n")[0], "qrels: no judgements"),
        ("1 0 " + "d" * (1 << 20), "qrels:1: the line is longer than 1 MiB"),
    ],
)
def test_what_is_no_judgement_is_refused_with_its_line(text: str | bytes, line: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        read_judgements(written(tmp_path, text))
    assert line in str(refused.value)
    assert "\n" not in str(refused.value)


@given(data=st.binary(max_size=200))
def test_whatever_the_bytes_are_they_are_read_or_refused(
    data: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = written(tmp_path_factory.mktemp("qrels"), data)
    with contextlib.suppress(InputError):
        assert read_judgements(path).grades
