"""What true PubTator files do beyond the format: one small sample a fault, and the facts of the real files."""

from __future__ import annotations

from pathlib import Path

from tests.documents.formats.test_pubtator import Read, read
from tests.rows import each_row

from anagnosis.documents.document import Relation

SAMPLES = Path(__file__).parents[2] / "samples/pubtator"


def sample(name: str) -> Read:
    return read((SAMPLES / name).read_bytes(), name)


# file → (what is counted, how many mentions each document keeps).
FOUND: dict[str, tuple[dict[str, int], list[int]]] = {
    "abstract-offset-0.txt": ({"abstract_offset_0": 1}, [4]),
    "abstract-offset-2.txt": ({"abstract_offset_2": 1}, [4]),
    "blank-line-inside-document.txt": ({}, [4, 1]),
    "blank-lines-around.txt": ({}, [4, 1]),
    "clean.txt": ({}, [4, 2]),
    "composite-identifier.txt": ({}, [4]),
    "duplicate-row.txt": ({"duplicate_row": 1}, [2]),
    "empty-abstract.txt": ({}, [1]),
    "five-columns.txt": ({"mention_without_identifier": 2}, [2]),
    "identifier-missing.txt": ({"mention_without_identifier": 3}, [4]),
    "kinds-mixed-without-blank-lines.txt": ({}, [4, 1]),
    "line-of-no-document.txt": ({"row_unreadable": 3}, [4]),
    "mention-beyond-text.txt": ({"mention_beyond_text": 1}, [2]),
    "mention-text-differs.txt": ({"mention_text_differs": 1}, [2]),
    "mention-text-normalised.txt": ({"mention_text_normalised": 2}, [2]),
    "mention-without-text.txt": ({"row_unreadable": 1}, [1]),
    "no-abstract-line.txt": ({"document_without_abstract_line": 1}, [2, 1]),
    "no-blank-line-between-documents.txt": ({}, [4, 1, 0]),
    "no-final-newline.txt": ({}, [4, 2]),
    "offsets-by-majority.txt": ({"mention_text_differs": 1}, [3]),
    "offsets-differ-by-document.txt": ({"abstract_offset_0": 1, "abstract_offset_2": 1}, [3, 3, 3]),
    "offsets-fit-nowhere.txt": ({"mention_text_differs": 2, "offsets_fit_nowhere": 1}, [1]),
    "relation-rows.txt": ({}, [4]),
    "repeated-id.txt": ({}, [4, 1]),
    "row-of-another-document.txt": ({"row_unreadable": 2}, [2]),
    "row-unreadable.txt": ({"row_unreadable": 7}, [4]),
    "row-without-type.txt": ({"row_unreadable": 5}, [1]),
    "rows-out-of-order.txt": ({}, [4]),
    "second-abstract-line.txt": ({}, [5]),
    "seven-columns.txt": ({}, [4]),
    "title-abstract-body.txt": ({}, [5, 0]),
    "title-mark-inside-abstract.txt": ({}, [4, 1]),
}


def test_every_sample_has_its_line_in_the_table() -> None:
    assert sorted(FOUND) == sorted(path.name for path in SAMPLES.glob("*.txt"))


@each_row("name", FOUND)
def test_each_kind_of_fault_is_counted_under_its_name(name: str) -> None:
    found = sample(name)
    assert (found.counts, [len(d.mentions) for d in found.documents]) == FOUND[name]


def test_composite_identifiers_are_kept_as_they_were_read() -> None:
    (document,) = sample("composite-identifier.txt").documents
    assert [m.identifier for m in document.mentions] == [
        "MESH:D015032;MESH:D000",
        "D003139|D000",
        "D1+D2",
        "c|DEL|-1607|G;Gene:1",
    ]


def test_a_normalised_mention_gets_the_words_of_the_text() -> None:
    (document,) = sample("mention-text-normalised.txt").documents
    assert [m.text for m in document.mentions] == ["CXCR-1", "TNF-α"]


def test_relation_rows_become_relations_and_no_mentions() -> None:
    (document,) = sample("relation-rows.txt").documents
    assert document.relations == (
        Relation("CID", ("D015032", "D003139")),
        Relation("Positive_Correlation", ("MESH:D015032", "MESH:D003139", "Novel")),
    )


def test_the_words_title_abstract_and_body_stand_for_their_letters() -> None:
    whole, bare = sample("title-abstract-body.txt").documents
    assert [s.label for s in whole.sections] == ["title", "abstract", "body"]
    assert whole.mentions[4].text == "Zinc"
    assert whole.mentions[4].start == len("\n".join(s.text for s in whole.sections[:2])) + 1
    assert [s.label for s in bare.sections] == ["title", "abstract"]


def test_a_document_without_an_abstract_line_has_no_abstract() -> None:
    document, _ = sample("no-abstract-line.txt").documents
    assert document.text == "Zinc against colds Zinc was taken daily. Colds were shorter."
    assert [s.label for s in document.sections] == ["title"]


def test_what_is_left_out_keeps_its_place() -> None:
    assert sample("line-of-no-document.txt").refusals == [
        (f"line-of-no-document.txt:{line}", "a line that belongs to no title line") for line in (1, 9, 10)
    ]
    assert sample("mention-beyond-text.txt").refusals == [
        ("mention-beyond-text.txt:1", "mention_beyond_text: 1, left out")
    ]


def rows(title: str, abstract: str, *mentions: str) -> tuple[list[str], dict[str, int]]:
    """The surfaces that are kept of rows below a document 1, and what is counted."""
    lines = [f"1|t|{title}", f"1|a|{abstract}", *(f"1\t{mention}" for mention in mentions)]
    found = read("\n".join(lines).encode())
    return [mention.text for mention in found.documents[0].mentions], found.counts


def test_a_row_that_ends_with_the_text_is_not_beyond_it() -> None:
    # The text has 18 characters with the line end between title and abstract.
    assert rows("Salt", "Aspirin helps", "13\t18\tother\tChemical\tD1") == (
        [],
        {"offsets_fit_nowhere": 1, "mention_text_differs": 1},
    )
    assert rows("Salt", "Aspirin helps", "13\t19\tother\tChemical\tD1") == (
        [],
        {"offsets_fit_nowhere": 1, "mention_beyond_text": 1},
    )


def test_offsets_of_more_digits_than_any_text_has_characters_are_none() -> None:
    row = "{}\t{}\tsalt\tChemical"
    assert rows("Salt", "", row.format(10**8, 10**8 + 4))[1]["mention_beyond_text"] == 1
    assert rows("Salt", "", row.format(10**9, 10**9 + 4))[1] == {"row_unreadable": 1}
    # Of a row of 4,000 characters none is made a number without a look at its length.
    long = "\t{}\tsalt\tChemical\tD1"
    digits = 4_000 - len("1\t\t0" + long.format(""))
    assert rows("Salt", "", "0" + long.format("9" * (digits + 1)))[1] == {"row_unreadable": 1}
