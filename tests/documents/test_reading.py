"""The documents of an input: what every format's reader shares."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from anagnosis.api.index_inputs import IndexInputs, ReadingHow
from anagnosis.documents.reading import documents
from anagnosis.documents.repairs import Repairs

JSONL = '{"id":"1","title":"<i>Zn</i> &amp;amp; p < 0.05","text":"Zn fell.","facts":{"journal":"Zinc &amp; Co"}EXTRA}\n'
PUBTATOR = "1|t|Zn &lt; <i>Cu</i>\n1|a|Zn fell.\n1\t0\t2\tZn\tChemical\tMESH:D015032\n"
PLAIN, KEPT = "Zn & p < 0.05", "<i>Zn</i> &amp;amp; p < 0.05"
MEDLINE = (
    "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>IL-1&beta;&nbsp;&amp;lt;"
    "</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"
)
BIOC = (
    f"<collection><infon>{'x' * ((1 << 18) - 90)}</infon><document><id>1</id><passage><infon key='type'>title</infon>"
    "<offset>0</offset><text>" + "&alpha;&beta; " * 20 + "</text></passage></document></collection>"
)


@pytest.mark.parametrize(
    ("file", "text", "title", "counts"),
    [
        ("a.jsonl", JSONL.replace("EXTRA", ""), PLAIN, {"escaped_markup_decoded": 2}),
        (
            "a.jsonl",
            JSONL.replace('"}EXTRA', '","sentence_offsets":"0 27 28 36"}'),
            KEPT,
            {"escaped_markup_kept": 2},
        ),
        ("a.pubtator", PUBTATOR, "Zn &lt; <i>Cu</i>", {"escaped_markup_kept": 1}),
        ("a.xml", MEDLINE, "IL-1β\xa0<", {"named_entity_resolved": 2, "escaped_markup_decoded": 1}),
        ("a.bioc.xml", BIOC, "αβ " * 20, {"named_entity_resolved": 40}),
    ],
)
def test_escaped_markup_and_named_characters_are_decoded_and_counted(
    tmp_path: Path, file: str, text: str, title: str, counts: dict[str, int]
) -> None:
    repairs = Repairs()
    (tmp_path / file).write_text(text, "utf-8")
    (document,) = documents(tmp_path / file, repairs)
    assert document.title.strip() == title.strip()
    assert document.facts.get("journal", "Zinc") in ("Zinc", "Zinc & Co", "Zinc &amp; Co")
    assert {
        name: count for name, count in repairs.counts.items() if "escaped" in name or "named" in name
    } == counts


@pytest.mark.parametrize("name", [None, "pubtator"])
@pytest.mark.parametrize("is_member", [True, False])
def test_a_file_of_utf_16_is_read_as_one_of_utf_8(name: str | None, is_member: bool, tmp_path: Path) -> None:
    files = {"a.pubtator": PUBTATOR.encode("utf-16"), "b.pubtator": PUBTATOR.encode()}
    packed = tmp_path / "papers.zip"
    with ZipFile(packed, "w") as archive:
        for file, data in files.items():
            (tmp_path / file).write_bytes(data)
            archive.writestr(file, data)
    repairs = Repairs()
    paths = [packed] if is_member else [tmp_path / file for file in files]
    one, other = (one for path in paths for one in documents(path, repairs, format=name, in_folder=True))
    assert one == other
    assert not repairs.refusals


@pytest.mark.parametrize(
    ("file", "text", "stated", "is_companion"),
    [
        ("._a.xml", "\0\5\x16\7", None, True),
        ("._a.xml.gz", "\0\5\x16\7", "medline", True),
        ("p/a.json", '{"license": "CC BY"}', None, True),
        ("p/NOTES.txt", "a note", None, True),
        ("manifest.xml", "<manifest/>", None, True),
        ("page.xml", "<html/>", None, False),
        ("cut.json", "", None, False),
        ("library.json", '[{"id": "1", "type": "article", "title": "Zn"}]', None, False),
    ],
)
def test_companions_of_papers_are_counted_and_cost_nothing(
    file: str, text: str, stated: str | None, is_companion: bool, tmp_path: Path
) -> None:
    beside = {"a.xml": MEDLINE, file: text}
    with ZipFile(tmp_path / "a.meca", "w") as archive:
        for name, content in beside.items():
            archive.writestr(name, content)
            (tmp_path / "folder" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "folder" / name).write_text(content, "utf-8")
    (tmp_path / "archives").mkdir()
    (tmp_path / "a.meca").rename(tmp_path / "archives" / "a.meca")
    for given in ("folder", "archives"):
        repairs = Repairs()
        inputs = IndexInputs([tmp_path / given], tmp_path / "index", ReadingHow(format=stated), repairs)
        is_library = given == "folder" and file == "library.json"  # `index` reads it there
        assert [document.id for _, document in inputs.documents()][is_library:] == ["1"]
        assert repairs.counts["companion_file"] == is_companion
        assert repairs.counts["file_refused"] == repairs.refused == (not is_companion and not is_library)
        assert len(repairs.left_out) == is_companion
