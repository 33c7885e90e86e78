"""Documents written as MEDLINE text: what was read comes back, and what the format cannot hold is counted."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from anagnosis import api
from anagnosis.documents.document import Document, Relation, Section
from anagnosis.documents.formats.medline import format as medline
from anagnosis.documents.formats.nbib import format as nbib
from anagnosis.documents.repairs import Repairs

SAMPLES = Path(__file__).parents[3] / "samples"


def read(data: bytes) -> list[Document]:
    repairs = Repairs()
    documents = list(nbib.read(io.BytesIO(data), repairs))
    assert repairs.refused == 0
    return documents


def written(documents: list[Document]) -> tuple[bytes, dict[str, int]]:
    stream = io.BytesIO()
    losses = nbib.write(documents, stream)
    return stream.getvalue(), losses


@pytest.mark.parametrize("name", ["records.nbib", "hostile.txt"])
def test_the_carried_files_come_back(name: str) -> None:
    documents = list(nbib.read(io.BytesIO((SAMPLES / "nbib" / name).read_bytes()), Repairs()))
    data, losses = written(documents)
    assert losses == {}
    assert read(data) == documents


def test_a_substance_without_a_registry_number_has_0_as_in_pubmed() -> None:
    numbered = Relation("chemical", ("D012965", "Sodium Chloride", "451W47IQ8X"))
    for relations, facts, expected in (
        ((numbered,), {}, "RN  - 451W47IQ8X (Sodium Chloride)\n"),
        ((), {"chemicals": "Salts (Table)"}, "RN  - 0 (Salts (Table))\n"),
    ):
        data, _ = written([Document("5", (Section("title", "T."),), relations=relations, facts=facts)])
        assert expected in data.decode()


def test_lines_are_as_pubmed_breaks_them() -> None:
    data, _ = written(read((SAMPLES / "nbib/records.nbib").read_bytes())[:1])
    lines = data.decode().splitlines()
    assert lines[0] == "PMID- 90000001"
    assert max(map(len, lines)) <= 88
    assert lines[4:6] == [
        "      on in another line.",
        "AB  - BACKGROUND: Hiccups at night are a nuisance. METHODS: We gave 40 people a glass of",
    ]


def test_a_word_longer_than_a_line_stays_whole() -> None:
    document = Document("1", (Section("title", "a " + "x" * 200 + " b"),))
    data, losses = written([document])
    assert losses == {}
    assert read(data) == [document]


def test_what_citations_lose_in_text_is_told_by_name(tmp_path: Path) -> None:
    source = SAMPLES / "medline/citations.xml"
    converted = api.convert([source], tmp_path / "a.nbib", to="nbib")
    # Identifiers of headings (one has none), references, and classes of labels.
    assert converted.losses == {"relation": 3, "fact": 2, "section_category": 7, "deleted_citation": 2}
    with source.open("rb") as stream:
        citations = [document for document in medline.read(stream, Repairs()) if document.sections]
    again = list(api.read(tmp_path / "a.nbib"))
    assert [document.id for document in again] == [document.id for document in citations]
    kept = [{name: d.facts[name] for name in d.facts if name != "references"} for d in citations]
    assert [document.facts for document in again] == kept
    assert [s.title for s in again[0].sections] == [s.title for s in citations[0].sections]
