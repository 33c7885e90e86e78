"""What each vocabulary format says about a term beyond its names, and the faults that each refuses."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path

import pytest

from anagnosis.entities.concepts import Synonym, Term
from anagnosis.entities.vocabulary import format_module, terms
from anagnosis.errors import InputError
from tests.entities.formats.samples import MESH_XML, MRCONSO, SAMPLES
from tests.rows import each_row


def read(name: str, text: str, counts: Counter[str] | None = None) -> list[Term]:
    return list(
        format_module(name).read(io.BytesIO(text.encode()), Counter() if counts is None else counts, "ours")
    )


def fault(name: str, text: str) -> str:
    with pytest.raises(InputError) as raised:
        read(name, text)
    return str(raised.value)


def test_obo_scopes_quotes_qualifiers_and_comments():
    (term,) = read("obo", SAMPLES["obo"])
    assert term.synonyms == (Synonym("heart attack"), Synonym('MI "short"', ("related_scope",)))


@each_row(
    ("value", "name"),
    [
        ("Yahoo! disease", "Yahoo! disease"),
        ("Yahoo! disease ! a comment ! of two", "Yahoo! disease"),
        ("C \\! x ! y", "C ! x"),
        ('set {a="b"} ! comment', "set"),
        ("set \\{1, 2\\}", "set {1, 2}"),
        (r"a back\\slash", r"a back\slash"),
    ],
)
def test_obo_a_comment_begins_behind_a_blank_and_not_behind_a_backslash(value: str, name: str):
    (term,) = read("obo", f"[Term]\nid: A\nname: {value}\n")
    assert term.name == name


def test_obo_obsolete_terms_and_other_stanzas():
    counts = Counter[str]()
    text = "[Term]\nid: A\nname: a\nis_obsolete: true\nalt_id: B\n[Typedef]\nid: part_of\nname: part of\n"
    (term,) = read("obo", text, counts)
    assert (term.obsolete, term.alternatives) == (True, ("B",))
    assert counts == {}


def test_obo_synonyms_without_quotes_are_refused_with_their_line():
    assert fault("obo", "[Term]\nid: A\nsynonym: heart EXACT []\n").startswith(
        "ours:3: a synonym that is not"
    )


def test_mesh_xml_scopes_and_types():
    (term,) = read("mesh-xml", MESH_XML)
    assert term.synonyms == (
        Synonym("heart attack"),
        Synonym("Attack, heart"),
        Synonym("Silent infarction"),
    )
    assert term.types == ("Disease",)


def test_mesh_xml_supplementary_records_map_to_headings_without_the_star():
    (term,) = read(
        "mesh-xml",
        '<SupplementalRecordSet><SupplementalRecord SCRClass="1"><SupplementalRecordUI>C1</SupplementalRecordUI>'
        "<SupplementalRecordName><String>A-23187</String></SupplementalRecordName><HeadingMappedToList><HeadingMappedTo>"
        "<DescriptorReferredTo><DescriptorUI>*D1</DescriptorUI></DescriptorReferredTo></HeadingMappedTo>"
        "</HeadingMappedToList></SupplementalRecord></SupplementalRecordSet>",
    )
    assert (term.mapped_to, term.types) == (("D1",), ("Chemical",))


def test_mesh_xml_an_entity_bomb_is_refused():
    bomb = '<!DOCTYPE a [<!ENTITY b "bb">]>' + MESH_XML.partition("<!DOCTYPE DescriptorRecordSet>")[2]
    assert "entities" in fault("mesh-xml", bomb)


def test_umls_names_with_marks_and_types():
    (term,) = read("umls", MRCONSO)
    assert [synonym.rules for synonym in term.synonyms] == [(), (), ("other_language",), ("suppressed_name",)]
    (term,) = read("umls", "C0000001|T1|A|One|X||\nC0000001|T2|B|Two|Y||\n")
    assert term == Term("C0000001", types=("One", "Two"))
    assert fault("umls", "C0000001|T1|A|One|X\n").startswith("ours:1: 5 columns, not 6")
    short = MRCONSO.splitlines()[0].removesuffix("|") + "\n"
    assert fault("umls", short).startswith("ours:1: 17 columns, not 18")


def test_tables_with_one_name_a_row():
    first, second = read("terms-tsv", "cui\tname\tkind\nC1\tfever\tP\nC1\tpyrexia\tS\n")
    assert (first.name, second.name, second.synonyms) == ("fever", "", (Synonym("pyrexia"),))


def test_a_table_needs_its_columns_and_as_many_cells_as_its_header():
    assert fault("terms-tsv", "id\tname\nX1\n").startswith("ours:2: 1 columns, the header has 2")
    assert fault("terms-tsv", "name\tsynonyms\nX1\ta\n").startswith("ours:1: no column id")
    assert fault("terms-tsv", "id\tsynonyms\nX1\ta\n").startswith("ours:1: no column name")


def test_a_file_of_no_known_format_is_refused_by_name(tmp_path: Path):
    (tmp_path / "note.txt").write_text("Fever and chills.\n")
    with pytest.raises(InputError, match=r"note\.txt:1: no vocabulary format recognises"):
        list(terms([tmp_path / "note.txt"], Counter()))


# Counted independently of this code (README of the data): rows, distinct lower-cased names.
REAL = {
    "mesh_descriptors.tsv.gz": (30_764, 168_170),
    "mesh_supplementary_diseases.tsv.gz": (6_557, 16_037),
    "doid.tsv.gz": (11_454, 29_971),
    "mondo.tsv.gz": (23_964, 114_471),
    "go.tsv.gz": (42_442, 134_444),
    "hp.obo.gz": (19_484 - 450, 41_491),
}


def test_real_vocabularies_have_as_many_names_as_counted(shared: Path):
    for file, expected in REAL.items():
        read = [t for t in terms([shared / "data" / "vocabularies" / file], Counter()) if not t.obsolete]
        names = {name.lower() for t in read for name in (t.name, *(s.text for s in t.synonyms)) if name}
        assert (len(read), len(names)) == expected
