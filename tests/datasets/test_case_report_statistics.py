"""What is counted of case reports: by hand on a few, and as the published program counts its own."""

from __future__ import annotations

import json
from ast import literal_eval
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.datasets.clicr.files import answer, file, query, report

from anagnosis import api
from anagnosis.datasets.case_report_statistics import CaseReportCounts, CaseReportStatistics, LengthCount
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance


def imported(folder: Path, **files: bytes) -> Dataset:
    (folder / "given").mkdir()
    for split, data in files.items():
        (folder / "given" / f"{split}1.0.json").write_bytes(data)
    return api.import_dataset(folder / "given", folder / "built", layout="clicr")


def counted(instances: list[ClozeInstance]) -> CaseReportStatistics | None:
    counts = CaseReportCounts()
    assert list(counts.passing(instances)) == instances
    return counts.statistics()


ONE = report(
    query(
        "a.1",
        "@placeholder .",
        answer("Gout"),
        answer("podagra", origin="UMLS"),
        answer("GOUT", origin="UMLS"),
    ),
    query("a.2", "@placeholder ?", answer("uric acid test", type="test")),
    query("a.3", "@placeholder !", answer("Sea"), answer("Big Toe", origin="UMLS")),
    source="a",
    title="BEG__Gout__END !",
    context="A big BEG__toe__END and BEG__gout__END .",
)
TWO = report(
    query("b.1", "@placeholder", answer("toe"), answer("Uric  acid", origin="UMLS")),
    source="b",
    title="BEG__Big toe__END",
    context="Swollen .",
)


def test_reports_count_once_and_answers_once_a_query(tmp_path: Path) -> None:
    found = api.show(imported(tmp_path, train=file(ONE), test=file(TWO))).statistics.case_reports
    assert (found.reports, found.queries, found.tokens) == (2, 4, 12)
    assert found.tokens_by_report == pytest.approx(6)
    assert found.tokens_by_query == pytest.approx((3 * 8 + 4) / 4)
    # gout ! a big toe and . swollen
    assert found.word_types == 8
    assert found.entity_types == 3
    # gout, uric acid test, sea, toe; podagra, big toe, uric  acid
    assert (found.distinct_answers, found.distinct_names) == (4, 7)
    assert found.other_names == pytest.approx(4 / 4)
    # Gout; the others are part of no passage or of another one only, as "big toe" and "toe" are.
    assert (found.hidden_in_passage, found.in_passage, found.in_any_passage) == (0.25, 0.25, 0.75)
    assert found.answer_types == {"problem": 3, "test": 1}
    assert found.answer_lengths == (LengthCount(1, 1, 3), LengthCount(2, 2, 0), LengthCount(3, 3, 1))
    assert found.passage_lengths == (LengthCount(0, 9, 2),)


def test_an_entity_without_letters_counts_as_the_program_counts_it(tmp_path: Path) -> None:
    emptied = report(ONE["document"]["qas"][0], title="x", context="The BEG____END ( CT )")
    found = api.show(imported(tmp_path, test=file(emptied))).statistics.case_reports
    assert (found.tokens, found.word_types, found.entity_types) == (6, 5, 1)


def test_instances_without_origins_of_answers_are_not_counted(tmp_path: Path) -> None:
    instances = list(store.instances(imported(tmp_path, test=file(ONE)), "test", of=ClozeInstance))
    assert counted([msgspec.structs.replace(each, answer_origins=()) for each in instances]) is None
    assert counted([]) is None


def test_lengths_have_at_most_twenty_bins_and_one_of_the_longest(tmp_path: Path) -> None:
    (given,) = store.instances(imported(tmp_path, test=file(TWO)), "test", of=ClozeInstance)
    lengths = [*range(5, 1000, 5), 7_000]
    found = counted(
        [
            msgspec.structs.replace(given, document=str(n), passage="x " * n, answers=("y " * (n % 14 + 1),))
            for n in lengths
        ]
    )
    assert found is not None
    bins = found.passage_lengths
    assert (bins[0], bins[-1]) == (LengthCount(0, 49, 9), LengthCount(1000, None, 1))
    assert len(bins) == 21
    assert sum(each.count for each in bins) == len(lengths)
    words = found.answer_lengths
    assert [each.low for each in words] == list(range(1, 11))
    assert words[-1].high is None
    assert sum(each.count for each in words) == len(lengths)


def test_the_published_program_counts_the_same(shared: Path, tmp_path: Path) -> None:
    folder = shared / "vectors" / "clicr" / "dataset"
    published: dict[str, Any] = json.loads((folder / "statistics.json").read_text())
    reports = json.loads((folder / "dataset-without-repeats1.0.json").read_text())["data"]
    files = {
        split: file(*(each for each in reports if each["source"] in published[split]))
        for split in ("train", "dev", "test")
    }
    found = api.show(imported(tmp_path, **files)).statistics
    printed = dict(line.split(": ", 1) for line in published["printed"])
    ours = found.case_reports
    assert ours.reports == int(printed["N of cases"])
    assert ours.queries == int(printed["N of queries"])
    assert (
        ours.tokens
        == published["passage_tokens"]
        == int(printed["N of tokens in passages without recounting"])
    )
    assert ours.tokens_by_query == pytest.approx(float(printed["Avg len of passage"]), abs=1e-9)
    assert ours.word_types == published["passage_word_types"]
    assert ours.entity_types == published["entity_types_passage"]
    assert ours.distinct_answers == int(printed["N of distinct answers"])
    assert ours.distinct_names == int(printed["N of distinct answers (incl. extended)"])
    shares = [100 * ours.hidden_in_passage, 100 * ours.in_passage]
    assert shares == pytest.approx(published["percentage_of_concept_ans_in_doc"], abs=1e-9)
    assert 100 * ours.in_any_passage == pytest.approx(
        published["percentage_of_concept_ans_in_docs"][1], abs=1e-9
    )
    lengths = literal_eval(printed["Distribution of ans length"])
    assert [(each.low, each.count) for each in ours.answer_lengths if each.count] == sorted(
        (words, count) for words, count, _ in lengths
    )
    types = literal_eval(printed["Most freq ans types"])
    assert list(ours.answer_types.items()) == [(name, count) for name, count, _ in types]
    for split in files:
        assert found.splits[split].instances == int(printed[f"N of queries in {split}"])
