"""A folder of CliCR-like queries: its instances, its receipt, its splits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
from tests.datasets.bioread.passages import text
from tests.datasets.clicr.reports import CASE, CT, FEVER, LINES, TITLE, case_report

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.datasets.build.synonyms import Synonyms
from anagnosis.datasets.clicr.build import names_of
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.dataset_check import check_dataset
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.entities.concepts import Concept
from anagnosis.entities.vocabulary import store as store_vocabulary
from anagnosis.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.documents.document import Document

NAMES = "cui\tname\tsynonyms\nC0015967\tFever\tpyrexia|ended|Fever\nC0040405\tX-ray CT\tCAT scan\n"
POINTS = ("body", "Learning points", [f"Order a {CT} for [[ague|problem|C0015967]].", f"Rest, {FEVER}."])


def built(folder: Path, *documents: Document, **given: Any) -> Dataset:
    folder.mkdir(exist_ok=True)
    (folder / "reports.jsonl").write_bytes(text(*(documents or (case_report(TITLE, CASE, POINTS),))))
    (folder / "names.tsv").write_text(NAMES)
    settings = {**LINES, **given.pop("settings", {})}
    given = {"workers": 1, "terms": [folder / "names.tsv"], **given}
    return api.build("clicr", [folder / "reports.jsonl"], folder / "out", settings=settings, **given)


def test_answers_have_all_names_of_their_identifier_with_type_and_origin(tmp_path: Path) -> None:
    dataset = built(tmp_path)
    assert check_dataset(dataset).problems == []
    scan, ague, _ = store.instances(dataset, store.ALL, of=ClozeInstance)
    assert scan.answers == ("CT scan", "CAT scan", "X-ray CT")
    assert scan.answer_identifiers == ("C0040405",) * 3
    assert scan.answer_types == ("test",) * 3
    assert scan.answer_origins == ("dataset", "UMLS", "UMLS")
    assert ague.answers == ("ague", "Fever", "ended", "pyrexia")
    # A name that is no entity of the passage ("ended") is no candidate.
    assert ague.candidates[ague.answer or 0].key == "fever"
    rows = pq.read_table(dataset.folder / "entities.parquet").to_pylist()
    counts = {row["key"]: (row["documents"], row["instances"]) for row in rows}
    assert counts == {"fever": (1, 3), "ct scan": (1, 3), "ague": (0, 0)}


def test_the_receipt_states_the_vocabulary_the_splitter_and_what_was_dropped(tmp_path: Path) -> None:
    other = case_report(TITLE, CASE, ident="2")
    receipt = built(tmp_path, case_report(TITLE, CASE, POINTS), other).receipt
    assert [source["name"] for source in receipt.choices["terms"]] == ["names.tsv"]
    assert len(receipt.choices["terms"][0]["sha256"]) == len(receipt.recipe_sha256)
    assert receipt.choices["sentence_splitter"] == "lines of the documents"
    assert receipt.documents.dropped == {"no_query_section": 1}
    assert (receipt.documents.read, receipt.documents.kept, receipt.instances.kept) == (2, 1, 3)


def test_another_vocabulary_is_another_dataset(tmp_path: Path) -> None:
    built(tmp_path)
    without = built(tmp_path, terms=(), replace=True)
    assert [q.answers for q in store.instances(without, store.ALL, of=ClozeInstance)] == [
        ("CT scan",),
        ("ague",),
        ("fever",),
    ]


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"types": {"Disease": "illness"}}, "types"),
        ({"sentences": "none"}, "unknown sentence splitter"),
        ({"tokens": "none"}, "unknown tokenizer"),
        ({"split_weights": {"train": 0, "dev": 0, "test": 0}}, "split_weights"),
    ],
)
def test_a_wrong_value_is_refused_before_anything_is_read(
    tmp_path: Path, settings: dict[str, Any], problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        built(tmp_path, settings=settings)
    assert not (tmp_path / "out").exists()


def test_terms_are_refused_where_no_answer_has_synonyms(tmp_path: Path) -> None:
    (tmp_path / "names.tsv").write_text(NAMES)
    with pytest.raises(InputError, match="no answers with synonyms"):
        api.build("biomrc", [carried()], tmp_path / "out", terms=[tmp_path / "names.tsv"], workers=1)
    assert not (tmp_path / "out").exists()


@pytest.fixture
def synonyms(tmp_path: Path) -> Synonyms:
    concepts = [
        Concept("C0010346", "Crohn's disease", ("Crohn's disease", "Crohn 's disease", "CD")),
        Concept("D1", "Salt", ("Salt",), alternatives=("D2",)),
        Concept("MESH:D3", "Sugar", ("Sugar",)),
    ]
    store_vocabulary(concepts, tmp_path / "mesh.terms")
    return Synonyms(str(tmp_path / "mesh.terms"), "mesh")


def test_names_are_tokenised_as_the_reports_are_and_come_once_sorted(synonyms: Synonyms) -> None:
    expected = [("CD", "UMLS"), ("Crohn 's disease", "UMLS")]
    assert list(names_of(synonyms, "words")("C0010346")) == expected
    blank = [each[0] for each in names_of(synonyms, "blanks")("C0010346")]
    assert blank == ["CD", "Crohn 's disease", "Crohn's disease"]


def test_only_cuis_are_of_umls_and_others_of_their_vocabulary(synonyms: Synonyms) -> None:
    names = names_of(synonyms, "words")
    assert names("D1") == names("D2") == (("Salt", "mesh"),)


def test_a_prefix_is_left_away_where_the_vocabulary_lacks_it(synonyms: Synonyms) -> None:
    names = names_of(synonyms, "words")
    assert names("UMLS:C0010346") == names("C0010346")
    assert names("MESH:D3") == (("Sugar", "mesh"),)
    assert names("MESH:D1") == names("D1")
    assert names("D9") == ()


def test_without_a_vocabulary_there_are_no_names() -> None:
    assert names_of(None, "words")("C0010346") == ()
