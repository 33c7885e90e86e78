"""The index: only what is new is done, and newer and fuller texts win."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest
from tests.searching.engines.contract_trial import PAPERS

from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError
from anagnosis.io.files import write_json
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index, create_index, open_index
from anagnosis.searching.index.settings import FORMAT
from anagnosis.searching.passages import passages
from anagnosis.searching.records.hits import Counts


def paper(ident: str, text: str, label: str = "abstract", **facts: str) -> Document:
    return Document(ident, (Section("title", f"Paper {ident}"), Section(label, text)), facts=facts)


def added(index: Index, *papers: Document) -> Counter[str]:
    counts = Counter[str]()
    for each in papers:
        index.add(each, counts)
    index.commit()
    return counts


def test_only_what_is_new_or_has_changed_is_done(index: Index) -> None:
    assert added(index, *PAPERS) == {"unchanged": 4}
    index.close()
    later = open_index(index.folder)
    assert added(later, *PAPERS) == {"unchanged": 4}
    assert added(later, paper("4", "Now about salt."), paper("5", "Salt.")) == {"replaced": 1, "added": 1}
    assert later.count() == Counts(5, 6)
    assert [one.text for one in later.stored("4").passages] == ["Now about salt."]
    assert added(later, paper("6", "")) == {"added": 1}
    assert added(later, Document("7", (Section("title", ""),))) == {"without_text": 1}
    later.close()


def test_papers_that_were_written_anew_are_found_as_before(index: Index) -> None:
    """Until files are merged the engine counts the words of the deleted ones too."""
    papers = [paper(f"p{number}", "Salt helps.") for number in range(40)]
    for tags in ("read", "unread", "read later"):
        added(index, *(msgspec.structs.replace(one, facts={"tags": tags}) for one in papers))
        index.close()
        index = open_index(index.folder)
    found = index.best_papers("paper salt", Filters(sections=("abstract",)), 60)
    assert {f"p{number}" for number in range(40)} <= {hits[0].passage.document for hits in found}
    assert all(hit.score > 0 for hits in found for hit in hits)
    index.close()


@pytest.mark.parametrize(
    ("lesser", "fuller"),
    [
        (paper("8", "One."), paper("8", "Two and more.")),
        (paper("8", "One."), paper("8", "Two.", journal="J")),
    ],
)
def test_of_one_id_in_a_run_the_fuller_record_is_kept_whatever_the_order(
    lesser: Document, fuller: Document, tmp_path: Path
) -> None:
    for name, order in (("replaced", (lesser, fuller)), ("repeated", (fuller, lesser))):
        index = create_index(tmp_path / name)
        assert added(index, *order) == {"added": 1, name: 1}
        assert index.stored("8").passages == passages(fuller)
        index.close()
        again = open_index(tmp_path / name)
        assert added(again, *order) == {"unchanged": 2}
        # A later run takes the text it is given.
        assert added(again, paper("8", "Three.")) == {"replaced": 1}
        assert again.stored("8").passages[0].text == "Three."
        again.close()


def test_a_newer_version_and_a_fuller_text_stay(index: Index) -> None:
    added(index, paper("8", "Second.", version="2"))
    assert added(index, paper("8", "First.", version="1")) == {"older_version": 1}
    assert added(index, paper("8", "A copy.")) == {"joined": 1}
    assert index.stored("8").passages[0].text == "Second."
    for label in ("body", "methods", "fig_caption"):
        assert added(index, paper(label, "Whole.", label)) == {"added": 1}
        assert added(index, paper(label, "Third.", version="3")) == {"joined": 1}
        assert [(one.text, one.source) for one in index.stored(label).passages] == [
            ("Whole.", ""),
            ("Third.", label),
        ]
    assert added(index, paper("8", "Whole.", "body")) == {"joined": 1}
    assert index.stored("8").passages[0].text == "Whole."


@pytest.mark.parametrize("first", ["fuller", "abstract", "versioned"])
def test_a_retraction_is_never_lost(first: str, index: Index) -> None:
    """The text of one record is kept; that the paper was retracted may stand in another, read before or after."""
    records = {
        "fuller": paper("8", "Whole.", "body", journal="J"),
        "abstract": paper("8", "Abstract.", retracted="9", date="2020"),
        "versioned": paper("8", "Abstract, too.", version="1", doi="10.1/x"),
    }
    order = [records[first], *(record for name, record in records.items() if name != first)]
    for record in order:
        added(index, record)
        index.close()
    kept, *_ = index.stored("8").passages
    assert kept.text == "Whole."
    assert kept.facts == {"date": "2020", "journal": "J", "doi": "10.1/x", "retracted": "9"}


def test_copies_unite_their_states_and_show_them_in_one_order(index: Index) -> None:
    added(index, paper("8", "Whole.", "body", doi="10.1/x", retracted="unnamed", withdrawn="unnamed"))
    added(index, paper("PMC9", "Short.", doi="10.1/x", erratum="3", retracted="2; 10.1/y"))
    (kept, *_) = index.stored("8").passages
    assert [(one.kind, one.about) for one in kept.notices] == [
        ("retracted", "2; 10.1/y"), ("erratum", "3"), ("withdrawn", ""),
    ]  # fmt: skip
    assert not kept.counted


def test_a_record_that_says_that_a_paper_is_gone_takes_it_out(index: Index) -> None:
    gone = Document("1", (), facts={"deleted": "yes"})
    assert added(index, gone) == {"deleted": 1}
    assert index.count().documents == 3
    assert added(index, gone) == {"not_there": 1}


def test_an_id_that_is_none_is_counted(index: Index) -> None:
    assert added(index, paper("9" * 70_000, "Salt.")) == {"id_too_long": 1}


def test_documents_go(index: Index) -> None:
    counts = Counter[str]()
    index.delete(["1", "nowhere"], counts)
    index.commit()
    assert counts == {"deleted": 1, "not_there": 1}
    assert index.count().documents == 3
    with pytest.raises(InputError, match="no document '1'"):
        index.stored("1")


def test_documents_are_ranked_by_their_best_passage(index: Index) -> None:
    ranked = index.documents("sleep tea", 10)
    assert [ident for ident, _ in ranked] == ["1", "4"]
    assert ranked[0][1] == index.search("sleep tea")[0].score
    assert index.documents("sleep tea", 1) == ranked[:1]


BROKEN = {
    "empty": ({}, "cannot be read"),
    "of another format": (
        {"format": FORMAT - 1},
        "was made by another version; delete it, and make the index again",
    ),
    "of another format, with other fields": (
        {"format": FORMAT - 1, "terms": ""},
        "was made by another version",
    ),
    "a damaged name": ({"format": FORMAT, "unfjnished": "a call"}, "cannot be read"),
    "not json": (b"{", "cannot be read"),
    "engine": ({"format": FORMAT, "engine": "lucene"}, "unknown engine 'lucene'"),
}


@pytest.mark.parametrize("case", list(BROKEN))
def test_an_index_that_cannot_be_opened_is_one_line(case: str, index: Index) -> None:
    data, what = BROKEN[case]
    path = index.folder / "index.json"
    if isinstance(data, bytes):
        path.write_bytes(data)
    else:
        write_json(path, data)
    with pytest.raises(InputError, match=what):
        open_index(index.folder)


def test_a_folder_that_is_none_or_holds_other_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no index here; make one with `anagnosis index PAPERS --out "):
        open_index(tmp_path / "nothing")
    (tmp_path / "notes.txt").touch()
    with pytest.raises(InputError, match="is a file, not the folder of an index; name the folder"):
        open_index(tmp_path / "notes.txt")
    with pytest.raises(InputError, match="holds other files"):
        create_index(tmp_path)
