"""A library is indexed with the files of its entries, and follows the library when it is indexed again."""

from __future__ import annotations

import gzip
import json
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("pypdfium2", reason="the extra pdf is not installed")
pytest.importorskip("bibtexparser", reason="the extra libraries is not installed")

from tests.documents.formats.pdf.printed import Page, printed
from tests.documents.libraries.library_files import HEAD, ROW
from tests.documents.libraries.zotero_folders import ZoteroFolder

from anagnosis import api
from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.searching.index.index import open_index
from anagnosis.searching.index.sources import LIBRARIES_FILE

COFFEE = "Cold brew coffee raises the pH of the stomach less than espresso."
TEA = "Green tea is drunk by one half of all people in the evening."


def paper(title: str, sentence: str) -> bytes:
    return printed(Page().text(50, 740, title, size=20).text(50, 700, sentence))


def entry(key: str, title: str, *fields: str) -> str:
    return f"@article{{{key}, title={{{title}}}, {', '.join(fields)}}}\n"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "library"
    (folder / "files").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (folder / "files" / "coffee.pdf").write_bytes(paper("A printed title of coffee", COFFEE))
    (folder / "files" / "more.pdf").write_bytes(
        paper("A supplement on cups and beans", "Cups were made of white clay by hand in both of the houses.")
    )
    (tmp_path / "elsewhere" / "tea.pdf").write_bytes(paper("A printed title of tea", TEA))
    write(folder)
    return folder / "mine.bib"


def write(folder: Path, *without: str) -> None:
    tea = folder.parent / "elsewhere" / "tea.pdf"
    entries = {
        "coffee": entry(
            "coffee", "Coffee in the library", "doi={10.1234/c}", "year={2020}", "keywords={beans}",
            "file={:files/coffee.pdf:PDF;:files/more.pdf:PDF;:files/gone.pdf:PDF}",
        ),
        "tea": entry("tea", "Tea in the library", "pmid={31}", f"file={{:{tea}:PDF}}"),
        "milk": entry("milk", "Milk without a file", "pmid={32}", "abstract={Milk was white in every cup.}"),
    }  # fmt: skip
    text = "".join(text for key, text in entries.items() if key not in without)
    (folder / "mine.bib").write_text(text)


def papers(index: Path) -> set[str]:
    return {hit.passage.document for hit in api.search(index, "library OR milk OR printed OR cups").found}


def test_an_entry_has_its_files_and_takes_precedence(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = api.index([library], tmp_path / "index")
    assert papers(tmp_path / "index") == {"10.1234/c", "31", "32"}
    assert done.repairs["file_outside"] == done.repairs["file_missing"] == 1
    assert f"1 of the files that the library names are in another folder, and were not read; add --files-from " \
        f"{tmp_path / 'elsewhere'}" in capsys.readouterr().err  # fmt: skip
    (hit,) = api.search(tmp_path / "index", "espresso").found
    assert (hit.passage.title, hit.passage.date) == ("Coffee in the library", "2020")
    assert hit.file == f"{library.parent / 'files' / 'coffee.pdf'}#page=1"
    (supplement,) = api.search(tmp_path / "index", "clay").found
    assert supplement.passage.document == "10.1234/c"
    assert supplement.file == f"{library.parent / 'files' / 'more.pdf'}#page=1"
    assert not api.search(tmp_path / "index", "green").found


def test_an_index_follows_its_library(library: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    api.index([library], index)
    assert api.index([library], index).counts == {"unchanged": 4}
    write(library.parent, "milk", "coffee")
    done = api.index([library], index)
    assert (done.documents, done.counts["removed_from_library"]) == (1, 3)
    assert papers(index) == {"31"}
    write(library.parent, "milk")
    assert api.index([library], index).documents == 2


def test_entries_that_are_gone_stay_where_that_is_not_sure(library: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    api.index([library], index)
    write(library.parent, "milk")
    # A broken entry may be the one that is not there.
    library.write_text(library.read_text() + "@article{milk, title={Milk")
    assert api.index([library], index).documents == 3
    write(library.parent, "milk")
    assert api.index([library], index).documents == 2


def test_an_entry_of_two_libraries_stays_until_both_are_without_it(library: Path, tmp_path: Path) -> None:
    index, other = tmp_path / "index", library.with_name("other.bib")
    other.write_text(
        entry("m", "Milk without a file", "pmid={32}", "abstract={Milk was white in every cup.}")
    )
    api.index([library, other], index)
    write(library.parent, "milk")
    assert api.index([library], index).counts["removed_from_library"] == 1
    assert "32" in papers(index)
    other.write_text(entry("n", "Water", "pmid={33}", "abstract={Water was cold.}"))
    assert api.index([other], index).counts["removed_from_library"] == 1
    assert "32" not in papers(index)


@pytest.mark.parametrize("ending", ["ris", "csv"])
def test_a_file_that_is_cut_short_removes_nothing(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    papers = "".join(f"TY  - JOUR\nID  - k{n}\nTI  - Tea printed {n}\nER  - \n" for n in range(9))
    if ending == "csv":
        papers = HEAD + "".join(
            ROW.replace("27000083", f"{n}7").replace("PMC7", "").replace("10.1000/x", "") for n in range(1, 9)
        )
    file, index = tmp_path / f"mine.{ending}", tmp_path / "index"
    file.write_text(papers)
    there = api.index([file], index).documents
    for cut in (len(papers) // 3, len(papers) // 3 * 2, len(papers) - 4):
        file.write_text(papers[:cut].rstrip() if ending == "csv" else papers[: papers.rindex("ER", 0, cut)])
        done = api.index([file], index)
        assert (done.documents, done.refused > 0) == (there, True)
    file.write_text(papers[: len(papers) // 3 + 7])
    capsys.readouterr()
    assert run(["index", str(file), "--out", str(index)]) == 0
    printed = capsys.readouterr()
    assert f"mine.{ending} that are not in it any more stay, since it cannot be read whole" in printed.err
    assert "it may be cut short" in printed.out or ending == "csv"
    file.write_text(
        papers[: papers.index("\n", papers.index("ER  -") if ending == "ris" else len(HEAD) + 1) + 1]
    )
    assert api.index([file], index).documents == 1


def test_a_library_s_keys_and_titles_are_those_of_its_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.bib").write_text(
        r"@article{Shi2024EXO, title={Tea -- ``CO$_2$'' and 10$^{5}$ of {DNA}}, author={Nu\~nez, Ana}, pmid={31}}"
        "\n@misc{b_2:x, title={Tea alone}}\n@misc{b_2:x, title={Tea again}}\n"
    )
    zotero = ZoteroFolder(tmp_path / "Zotero")
    zotero.item(title="Tea in Zotero", extra="Citation Key: doe_Tea", DOI="10.1234/z")
    zotero.item(title="Tea without key")
    titles: list[set[str]] = []
    for given in ([tmp_path / "one.bib", zotero.folder], [tmp_path / "out.bib"]):
        index = tmp_path / f"index{len(titles)}"
        api.index(given, index)
        assert run(["export-results", str(index), "tea", "--to", "bibtex"]) == 0
        exported = capsys.readouterr().out
        (tmp_path / "out.bib").write_text(exported[exported.index("@") :])
        titles.append({hit.passage.title for hit in api.search(index, "tea").found})
        keys = [line.partition("{")[2].rstrip(",") for line in exported.splitlines() if line.startswith("@")]
        assert {"Shi2024EXO", "b_2:x", "b_2:x-2", "doe_Tea"} < {*keys}
        assert len({*keys}) == 5
    assert titles[0] == titles[1] >= {"Tea – “CO2” and 10⁵ of DNA"}


def test_a_file_that_was_a_paper_of_its_own_becomes_part_of_its_entry(library: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    api.index([library.parent / "files" / "coffee.pdf"], index)
    api.index([library], index)
    assert papers(index) == {"10.1234/c", "31", "32"}


def test_in_a_folder_the_files_of_a_library_are_read_once_and_stay_without_their_entry(
    library: Path, tmp_path: Path
) -> None:
    (library.parent / "files" / "alone.pdf").write_bytes(
        paper("A printed title of water", "Water was cold in every one of the houses of that town.")
    )
    assert api.index([library.parent], tmp_path / "index").documents == 4
    assert (tmp_path / "index" / LIBRARIES_FILE).exists()
    write(library.parent, "coffee")
    api.index([library.parent], tmp_path / "index")
    assert api.search(tmp_path / "index", "espresso").found


def test_a_zotero_folder_is_one_library_of_which_the_storage_is_not_walked(tmp_path: Path) -> None:
    zotero = ZoteroFolder(tmp_path / "Zotero")
    item = zotero.item(title="Coffee in Zotero", DOI="10.1234/z", date="2020-05-00 May 2020")
    zotero.run("INSERT INTO retractedItems VALUES (?, '{}', 0)", item)
    Path(zotero.stored(zotero.attach(item))).write_bytes(paper("A printed title of coffee", COFFEE))
    Path(zotero.stored(zotero.attach(item, "storage:s.pdf"), "s.pdf")).write_bytes(
        paper("A supplement on cups and beans", "Cups were made of white clay by hand in both of the houses.")
    )
    (zotero.folder / "storage" / "nobodys.pdf").write_bytes(
        paper("A file of nobody here", "Nobody has this file in any library of the world.")
    )
    zotero.database.execute("BEGIN EXCLUSIVE")  # as Zotero does while it runs
    index = tmp_path / "index"
    done = api.index([zotero.folder], index)
    zotero.database.execute("ROLLBACK")
    assert done.documents == 1
    (hit,) = api.search(index, "espresso").found
    assert (hit.passage.document, hit.passage.title) == ("10.1234/z", "Coffee in Zotero")
    assert [notice.kind for notice in hit.passage.notices] == ["retracted"]
    assert api.search(index, "clay").found
    zotero.run("INSERT INTO deletedItems VALUES (?)", item)
    zotero.item(title="Tea instead")
    assert api.index([zotero.folder], index).counts["removed_from_library"] == 2
    assert not api.search(index, "espresso").found


@pytest.mark.parametrize("has_file", [True, False])
def test_notes_are_found_as_the_user_s_and_go_when_they_are_deleted(tmp_path: Path, has_file: bool) -> None:
    made, index = ZoteroFolder(tmp_path / "zotero"), tmp_path / "index"
    item = made.item(title="Tea", abstractNote="Tea was green.", DOI="10.1234/t")
    if has_file:
        Path(made.stored(made.attach(item))).write_bytes(paper("A printed title of tea", TEA))
    note = made.note(item, f"<p>“{TEA}” Order genmaicha.</p>")
    api.index([made.folder], index)
    (hit,) = api.search(index, "genmaicha").found
    assert (hit.passage.section, hit.passage.heading) == ("note", "User's notes")
    assert not api.search(index, "genmaicha[tiab]").found
    assert api.search(index, "green[tiab]").found
    made.run("INSERT INTO deletedItems VALUES (?)", note)
    api.index([made.folder], index)
    assert not api.search(index, "genmaicha").found
    assert [one.passage.document for one in api.search(index, "green").found] == ["10.1234/t"]


def test_notes_stand_behind_the_abstract_that_another_file_has(tmp_path: Path) -> None:
    made, index = ZoteroFolder(tmp_path / "zotero"), tmp_path / "index"
    made.note(made.item(title="Tea", DOI="10.1234/t"), "Order genmaicha. " * 50)
    other = tmp_path / "other.jsonl"
    other.write_text('{"id": "10.1234/t", "title": "Tea", "text": "Tea was green."}\n')
    api.index([made.folder, other], index)
    (paper,) = api.search(index, "genmaicha").found
    with closing(open_index(index)) as opened:
        stored = opened.stored(paper.passage.document).passages
    assert [one.section for one in stored] == ["abstract", "note"]


def test_a_library_without_an_entry_removes_nothing(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zotero, index = ZoteroFolder(tmp_path / "Zotero"), tmp_path / "index"
    item = zotero.item(title="Coffee in Zotero", DOI="10.1234/z")
    there = api.index([zotero.folder, library], index).documents
    zotero.run("INSERT INTO deletedItems VALUES (?)", item)
    done = api.index([zotero.folder, library], index)
    assert (done.documents, done.counts.get("removed_from_library", 0)) == (there, 0)
    assert "1 paper of Zotero that are not in it any more stay, since it is empty" in capsys.readouterr().err


LINKS: dict[str, tuple[str, str]] = {
    "the storage": ("storage", "disk"),
    "a folder of the storage": ("storage/AAAAAAAC", "disk/AAAAAAAC"),
    "a file of the storage": ("storage/AAAAAAAC/a.pdf", "disk/AAAAAAAC/a.pdf"),
}


@pytest.mark.parametrize("kind", ["bibtex", "zotero"])
@pytest.mark.parametrize("link", LINKS)
def test_a_link_leads_to_no_file_but_of_a_named_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kind: str, link: str
) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path("disk/AAAAAAAC/a.pdf")
    file.parent.mkdir(parents=True)
    file.write_bytes(paper("A printed title of coffee", COFFEE))
    secret = tmp_path / "secret.pdf"
    secret.write_bytes(paper("A printed title of tea", TEA))
    home, source = Path("library"), Path("library")
    if kind == "zotero":
        made = ZoteroFolder(home)
        item = made.item(title="Coffee in the library")
        made.attach(item, exists=False)
        made.attach(item, str(secret), mode=2)
    else:
        home.mkdir()
        source = home / "mine.bib"
        stated = f"file={{:storage/AAAAAAAC/a.pdf:PDF;:{secret}:PDF}}"
        source.write_text(entry("coffee", "Coffee in the library", stated))
    name, target = LINKS[link]
    (home / name).parent.mkdir(parents=True, exist_ok=True)
    (home / name).symlink_to(Path(target).absolute())
    done = api.index([source], "index")
    assert (done.documents, done.repairs["file_outside"]) == (1, 2)
    assert "2 of the files that the library names are in another folder" in capsys.readouterr().err
    assert not api.search("index", "espresso OR evening").found
    done = api.index([source], "named", files_from="disk")
    assert done.repairs["file_outside"] == 1
    assert api.search("named", "espresso").found
    assert not api.search("named", "evening").found


def test_a_link_inside_a_library_is_followed(library: Path, tmp_path: Path) -> None:
    (library.parent / "storage").symlink_to("files")
    library.write_text(entry("coffee", "Coffee", "file={:storage/coffee.pdf:PDF}"))
    (tmp_path / "other").symlink_to("library")
    done = api.index([tmp_path / "other" / "mine.bib"], tmp_path / "index")
    assert "file_outside" not in done.repairs
    assert api.search(tmp_path / "index", "espresso").found


def test_one_file_that_cannot_be_read_costs_itself(library: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    (library.parent / "files" / "coffee.pdf").write_bytes(b"")
    whole = gzip.compress(b'[{"id": "1", "type": "article", "title": "Paper"}]')
    library.with_name("cut.json.gz").write_bytes(whole[:20])
    done = api.index([library, library.with_name("cut.json.gz")], index)
    assert (done.documents, done.repairs["file_refused"]) == (3, 2)
    assert api.search(index, "clay").found
    # Entries that are gone go nevertheless.
    write(library.parent, "milk")
    assert api.index([library], index).documents == 2


def test_hostile_paths_of_files_are_missing_files(library: Path, tmp_path: Path) -> None:
    link = library.parent / "files" / "circle.pdf"
    link.symlink_to(link)
    secret = tmp_path / "secret.pdf"
    secret.write_bytes(
        paper("A secret of somebody else", "Nobody is to read this secret of them in any index at all.")
    )
    (library.parent / "files" / "link.pdf").symlink_to(secret)
    paths = [f"{'a' * 300}.pdf", "files/circle.pdf", "files/link.pdf", "C\\:\\\\papers\\\\a.pdf"]
    library.write_text(
        entry("k", "Coffee", "pmid={31}", f"file={{{';'.join(f':{path}:PDF' for path in paths)}}}")
    )
    done = api.index([library], tmp_path / "index")
    assert (done.repairs["file_missing"], done.repairs["file_outside"]) == (3, 1)
    assert not api.search(tmp_path / "index", "secret").found


def test_entries_with_one_identifier_are_a_paper_with_both_texts_and_keys_of_two_files_do_not_meet(
    library: Path, tmp_path: Path
) -> None:
    library.write_text(
        entry("one", "Chapter one", "pmid={31}", "file={:files/coffee.pdf:PDF}")
        + entry("two", "Chapter two", "pmid={31}", "file={:files/more.pdf:PDF}")
        + entry("k1", "Coffee alone")
    )
    library.with_name("other.bib").write_text(entry("k1", "Tea alone"))
    index = tmp_path / "index"
    assert api.index([library, library.with_name("other.bib")], index).documents == 3
    assert api.search(index, "espresso").found
    assert api.search(index, "clay").found


def test_what_stands_before_a_break_does_not_depend_on_workers(tmp_path: Path) -> None:
    text = carried("medline").read_text("utf-8")
    (tmp_path / "items.xml").write_text(text[: text.rindex("</PubmedArticle>")], "utf-8")
    one, four = (api.index([tmp_path / "items.xml"], tmp_path / str(n), workers=n) for n in (1, 4))
    assert one.documents == four.documents == 84
    assert one.repairs["file_refused"] == four.repairs["file_refused"] == 1


def tagged(tmp_path: Path) -> tuple[ZoteroFolder, Path]:
    """A library with three papers, two of them in collections, and its index."""
    zotero = ZoteroFolder(tmp_path / "Zotero")
    coffee, tea = (zotero.item(title=f"Printed {title}") for title in ("coffee", "tea"))
    zotero.item(title="Printed milk")
    for item in (coffee, tea):
        zotero.tag(item, "To read")
    zotero.tag(tea, "réseau; social")
    zotero.collection("Leaves", zotero.collection("Drinks", None, coffee), tea)
    api.index([zotero.folder], tmp_path / "index")
    return zotero, tmp_path / "index"


def test_papers_of_a_collection_or_with_a_tag_are_searched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zotero, index = tagged(tmp_path)

    def titles(*given: str) -> set[str]:
        """What a search with these options finds."""
        capsys.readouterr()
        assert run(["search", str(index), "printed", *given, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)["found"]
        return {hit["passage"]["title"].removeprefix("Printed ") for hit in found}

    assert titles("--collection", "drinks") == {"coffee", "tea"}
    assert titles("--collection", "Drinks > Leaves") == {"tea"}
    assert titles("--tag", "to READ") == {"coffee", "tea"}
    assert titles("--tag", "to read", "--collection", "Drinks > Leaves") == {"tea"}
    assert titles("--added-since", "2024-05") == {"coffee", "tea", "milk"}
    assert titles("--added-since", "2024-06") == set()
    assert run(["search", str(index), "printed", "--collection", "Leaves"]) == 0
    assert "No such collection here: Leaves; for example Drinks › Leaves" in capsys.readouterr().out
    facets = api.search(index, "printed", facets=True).facets
    assert facets is not None
    assert [(one.name, one.papers) for one in facets.collections] == [("Drinks", 2), ("Drinks › Leaves", 1)]
    assert [one.papers for one in facets.tags] == [2, 1]
    assert run(["search", str(index), "printed", "--tag", "RESEAU; social"]) == 0
    assert "No such tag" not in capsys.readouterr().out
    zotero.run("DELETE FROM itemTags")
    assert api.index([zotero.folder], index).counts["replaced"] == 2
    assert titles("--tag", "to read") == set()


def names(index: Path) -> dict[str, list[str]]:
    """The tags and collections of the papers about tea, and when the last of them was added."""
    facets = api.search(index, "tea", facets=True).facets
    assert facets is not None
    added = max(hit.passage.facts["added"] for hit in api.search(index, "tea").found)
    named = (sorted(one.name for one in some) for some in (facets.tags, facets.collections))
    return {**dict(zip(("tags", "collections"), named, strict=True)), "added": [added]}


def test_a_paper_has_the_tags_of_each_library_that_has_it(tmp_path: Path) -> None:
    index, libraries = tmp_path / "index", list[ZoteroFolder]()
    for name in ("one", "two"):
        zotero = ZoteroFolder(tmp_path / name)
        for _ in range(len(libraries) + 1):
            zotero.item(title="Nothing")  # so that the items have different keys, and no library is empty
        item = zotero.item(title="Tea", DOI="10.1234/t")
        zotero.tag(item, name)
        zotero.collection(f"In {name}", None, item)
        libraries.append(zotero)
    (tmp_path / "mine.bib").write_text(
        "@article{t, title={Tea}, doi={10.1234/t}, timestamp={2026.02.14}, groups={Drinks > Hot}}"
    )
    three = [*(one.folder for one in libraries), tmp_path / "mine.bib"]
    api.index(three, index)
    every = ["Drinks", "Drinks › Hot", "In one", "In two"]
    assert names(index) == {"tags": ["one", "two"], "collections": every, "added": ["2026-02-14"]}
    assert api.index(three[:1], index).counts == {"unchanged": 2}
    libraries[0].run("DELETE FROM items WHERE itemID = (SELECT MAX(itemID) FROM items)")
    api.index(three, index)
    assert names(index) == {"tags": ["two"], "collections": [*every[:2], "In two"], "added": ["2026-02-14"]}


def test_a_tag_that_was_taken_away_is_gone_though_the_file_is_missing(tmp_path: Path) -> None:
    zotero = ZoteroFolder(tmp_path / "Zotero")
    item = zotero.item(title="Tea")
    zotero.tag(item, "secret")
    path = Path(zotero.stored(zotero.attach(item)))
    path.write_bytes(paper("Printed tea", TEA))
    api.index([zotero.folder], tmp_path / "index")
    path.unlink()
    zotero.run("DELETE FROM itemTags")
    api.index([zotero.folder], tmp_path / "index")
    assert api.search(tmp_path / "index", "drunk").found
    assert names(tmp_path / "index")["tags"] == []


def test_the_identifier_on_a_page_of_an_entry_s_file_joins_its_paper(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zotero = ZoteroFolder(tmp_path / "Zotero")
    item = zotero.item(title="A printed title of tea")
    page = Page().text(50, 740, "A printed title of tea", size=20).text(50, 700, TEA)
    Path(zotero.stored(zotero.attach(item))).write_bytes(printed(page.text(50, 60, "doi:10.1234/t")))
    (tmp_path / "papers.jsonl").write_text(
        json.dumps(
            {"id": "31", "pmid": "31", "doi": "10.1234/T", "title": "A printed title of tea.", "text": "Tea."}
        )
    )
    api.index([zotero.folder, tmp_path / "papers.jsonl"], tmp_path / "index")
    (hit,) = api.search(tmp_path / "index", "drunk").found
    assert hit.passage.document == "31"
    zotero.run("UPDATE itemDataValues SET value = 'Another title'")
    api.index([zotero.folder], tmp_path / "index")
    capsys.readouterr()
    assert run(["search", str(tmp_path / "index"), "drunk"]) == 0
    assert "DOI on page 1: 10.1234/t" in capsys.readouterr().out
