"""What a user gives wrong when CliCR-like queries are built, and the line that answers it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.datasets.clicr.reports import CASE, POINTS, TITLE, case_report, text
from tests.refusals import refused

from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.documents.document import Document


def build(at: Path, *documents: Document, options: tuple[str, ...] = ()) -> list[str]:
    (at / "reports.jsonl").write_bytes(text(*(documents or (case_report(),))))
    return ["build", "clicr", str(at / "reports.jsonl"), "--out", str(at / "out"), *options]


def no_query_section(at: Path) -> list[str]:
    return build(at, case_report(TITLE, CASE))


def nothing_but_a_query_section(at: Path) -> list[str]:
    return build(at, case_report(TITLE, POINTS))


def no_entity(at: Path) -> list[str]:
    return build(at, case_report(TITLE, CASE, ("body", "Key points", ["Rest helps."])))


def unknown_query_section(at: Path) -> list[str]:
    return build(at, options=("--set", "query_section=summary"))


def a_query_section_for_the_program(at: Path) -> list[str]:
    return build(at, options=("--recipe", "clicr-as-published", "--set", "query_section=conclusion"))


def last_sentences_without_a_number(at: Path) -> list[str]:
    return build(at, options=("--set", "query_section=last-sentences"))


def unknown_type(at: Path) -> list[str]:
    return build(at, options=("--set", "types={Disease = 'illness'}"))


def unknown_tokenizer(at: Path) -> list[str]:
    return build(at, options=("--set", "tokens=word"))


def terms_missing(at: Path) -> list[str]:
    return build(at, options=("--terms", str(at / "MRCONSO.RRF")))


def terms_without_a_name(at: Path) -> list[str]:
    (at / "names.tsv").write_text("id\tname\nC1\t\n")
    return build(at, options=("--terms", str(at / "names.tsv")))


def terms_of_no_format(at: Path) -> list[str]:
    (at / "names.tsv").write_text("%PDF-1.7\n")
    return build(at, options=("--terms", str(at / "names.tsv")))


def terms_on_standard_input(at: Path) -> list[str]:
    return build(at, options=("--terms", "-"))


def terms_for_another_dataset(at: Path) -> list[str]:
    terms = str(carried("terms-tsv"))
    return ["build", "biomrc", str(carried()), "--terms", terms, "--out", str(at / "out")]


def terms_to_explain(at: Path) -> list[str]:
    return [*build(at, options=("--explain", "1")), "--terms", str(carried("terms-tsv"))]


def a_report_at_which_the_program_stops(at: Path) -> list[str]:
    points = ("body", "Learning points", ["So [[( CT )|test|C1]] it is ."])
    published = ("--recipe", "clicr-as-published")
    return build(at, case_report(TITLE, ("body", "", ["A man ."]), points), options=published)


def json_without_a_layout(at: Path) -> list[str]:
    (at / "mine.json").write_text('{"version":"1.0","data":[{"source":"x"}]}')
    return ["import", str(at / "mine.json"), "--out", str(at / "out")]


REFUSED: list[tuple[Callable[[Path], list[str]], str]] = [
    (json_without_a_layout, "is no file of biomrc; try --layout clicr"),
    (no_query_section, "no instance could be built: of 1 document no_query_section dropped 1"),
    (no_query_section, "section: --set query_section=conclusion, or 'last-sentences(3)'"),
    (nothing_but_a_query_section, "no_passage dropped 1"),
    (no_entity, "no_entity_in_query_section dropped 1"),
    (unknown_query_section, "'summary' is none of learning-points, conclusion, last-sentences(N)"),
    (a_query_section_for_the_program, "query_section: as-published looks for learning points itself; leave"),
    (last_sentences_without_a_number, "'last-sentences' is none of learning-points"),
    (unknown_type, "clicr: 1 problem: types:"),
    (unknown_tokenizer, "unknown tokenizer 'word'; did you mean words"),
    (terms_missing, "MRCONSO.RRF: no such file or folder; check the path"),
    (terms_without_a_name, "no term with a name"),
    (terms_of_no_format, "names.tsv:1: no vocabulary format recognises its first bytes"),
    (terms_on_standard_input, "--terms -: can't be read twice; save it and name the file"),
    (terms_for_another_dataset, "--terms: this dataset has no answers with synonyms; leave it away"),
    (terms_to_explain, "--since, --dates, --terms and --limit do not apply"),
    (a_report_at_which_the_program_stops, ": the published program stops here: an answer is empty"),
]


@pytest.mark.parametrize(("given", "line"), REFUSED, ids=[f"{each.__name__}" for each, _ in REFUSED])
def test_one_line_answers_a_wrong_build(
    given: Callable[[Path], list[str]], line: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert line in refused(given(tmp_path), capfd)
    assert not (tmp_path / "out").exists()


def test_a_split_without_a_report_is_empty_and_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run([*build(tmp_path), "--workers", "1"]) == 0
    assert (
        "train has 1 document and dev has 0 documents and test has 0 documents, too few"
        in capfd.readouterr().err
    )
    line = refused(
        ["predict", "first-entity", str(tmp_path / "out"), "--split", "test", "--out", "p.jsonl"], capfd
    )
    assert "no split 'test'; its splits: train" in line
