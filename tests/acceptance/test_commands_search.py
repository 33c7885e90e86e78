"""`index`, `search` and `ask` as their users drive them."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from tests.encoders.tiny import tiny_encoder
from tests.typed import Said

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis import api
from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.documents.document import Document, Section
from anagnosis.io.folders import only_writer
from anagnosis.searching.index.index import open_index


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The carried papers: PubTator as it is, citations in an archive inside a folder."""
    folder = tmp_path_factory.mktemp("papers")
    with tarfile.open(folder / "citations.tar.gz", "w:gz") as archive:
        archive.add(carried("medline"), "a/carried.xml")
    (folder / "carried.pubtator").write_bytes(carried().read_bytes())
    assert run(["-q", "index", str(folder), "--out", str(folder.parent / "index")]) == 0
    return folder.parent / "index"


def test_index_search_ask(said: Said, collection: Path) -> None:
    out = said("search", collection, "cold brew coffee", "--limit", 2)
    assert "165 documents" in out
    assert "1. score " in out
    assert "title: Cold brew coffee raises gastric pH less than espresso in healthy volunteers." in out
    assert "https://pubmed.ncbi.nlm.nih.gov/99000027/" in out
    assert "\n3. " not in out
    out = said("ask", collection, "Does cold brew coffee raise gastric pH less than espresso?")
    assert "For half an hour, cold brew raises gastric pH less than espresso does." in out
    assert "What papers conclude" in out
    assert "That is no probability." in out


def test_a_second_run_does_nothing_and_documents_go(said: Said, tmp_path: Path) -> None:
    index = tmp_path / "index"
    said("index", carried("medline"), "--out", index)
    before = api.search(index, "coffee")
    out = said("index", carried("medline"), "--out", index, "--json")
    counts = json.loads(out)["counts"]
    assert counts["unchanged"] > 80
    assert "replaced" not in counts
    assert api.search(index, "coffee") == before
    out = said("index", "--out", index, "--remove", "99000027", "--remove", "nothing")
    assert "deleted" in out
    assert "not_there" in out
    assert all(found.passage.document != "99000027" for found in api.search(index, "coffee").found)


def test_things_are_counted_in_the_singular(said: Said, tmp_path: Path) -> None:
    (tmp_path / "a.nbib").write_text("PMID- 1\nTI  - Tea\nAB  - Tea helps.\n")
    assert said("index", tmp_path / "a.nbib", "--out", tmp_path / "index").startswith(
        "1 document, 1 passage in"
    )
    found = said("search", tmp_path / "index", '"tea helps"[tiab:~1]')
    assert "1 document, 1 passage, ranked by their words." in found
    assert "(at most 1 word between)" in found


def test_filters_narrow_what_is_found(said: Said, collection: Path) -> None:
    def sections(*options: str) -> set[str]:
        found = json.loads(said("search", collection, "stay surgery", *options, "--json"))
        return {one["passage"]["section"] for one in found["found"]}

    assert sections("--section", "conclusion") == {"conclusion"}
    assert sections("--section", "conclusion", "--section", "results") == {"conclusion", "results"}
    dates = [
        one["passage"]["facts"]["date"]
        for one in json.loads(said("search", collection, "patients", "--since", "2015", "--json"))["found"]
    ]
    assert dates
    assert all(date >= "2015" for date in dates)
    assert sections("--journal", "nowhere journal of surgery", "--until", "2013-02") != set()


@pytest.mark.parametrize("verb", ["search", "ask"])
def test_a_report_is_replaced_where_it_lies_below_the_working_folder(
    verb: str, said: Said, collection: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "score").mkdir()
    for out in ("found.md", "score/found.md"):
        for options in ((), ("--replace",)):
            said(verb, collection, "surgery", "--out", out, *options)
        assert (tmp_path / out).read_text()


def test_a_retracted_paper_says_so_first(said: Said, tmp_path: Path) -> None:
    paper = Document(
        "1",
        (Section("title", "Tea"), Section("abstract", "Tea cures all.")),
        facts={"date": "2019", "journal": "J", "retracted": "2"},
    )
    api.write([paper], tmp_path / "one.jsonl")
    said("index", tmp_path / "one.jsonl", "--out", tmp_path / "index")
    for command in ("search", "ask"):
        out = said(command, tmp_path / "index", "Does tea cure all?")
        assert out.index("RETRACTED") < out.index("Tea cures all.")


@pytest.mark.parametrize("first", [True, False])
def test_an_input_that_breaks_off_is_an_error_and_the_sound_ones_are_in(
    first: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, index = tmp_path / "bad.xml.gz", tmp_path / "index"
    data = gzip.compress(carried("medline").read_bytes(), mtime=0)
    bad.write_bytes(data[: len(data) // 2])
    inputs = [str(bad), str(carried())] if first else [str(carried()), str(bad)]
    assert run(["index", *inputs, "--out", str(index), "--json"]) == 2
    out, errors = capsys.readouterr()
    (line,) = errors.splitlines()
    assert line.startswith(f"anagnosis: {bad.name}")
    assert "all else is indexed" in line
    assert "--accept-truncated" in line
    there = open_index(index)
    assert (there.count().documents, there.settings.unfinished) == (json.loads(out)["documents"], "")
    assert there.count().documents > 81
    assert len(there.document("ana0001")) == 1
    # Accepted, it is counted, and nothing else is said.
    assert run(["-q", "index", *inputs, "--out", str(index), "--accept-truncated", "--json"]) == 0
    out, errors = capsys.readouterr()
    assert errors == ""
    assert json.loads(out)["repairs"]["truncated_file"] == 1


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes on Linux alone")
def test_a_folder_that_is_not_utf8_is_refused_with_what_helps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The engine opens paths in UTF-8 alone; it was called a full disk, and left an empty folder behind."""
    there = tmp_path / "caf\udce9"
    for out in (there, there / "index"):
        assert run(["-q", "index", str(carried()), "--out", str(out)]) == 2
        line = capsys.readouterr().err
        assert "holds bytes that are not UTF-8" in line
        assert line.endswith("; rename it, or choose another\n")
        assert line.count("\n") == 1
        assert not there.exists()
    # Moved there, it is not opened either.
    api.index([carried()], tmp_path / "index")
    (tmp_path / "index").rename(there)
    assert run(["search", str(there), "coffee"]) == 2
    assert "holds bytes that are not UTF-8" in capsys.readouterr().err


def test_a_run_that_indexes_nothing_is_an_error_and_makes_no_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty, index = tmp_path / "empty.pubtator", tmp_path / "index"
    empty.write_text("1|t|\n1|a|\n")
    for _ in range(2):
        assert run(["-q", "index", str(empty), "--out", str(index)]) == 2
        assert not index.exists()
        assert capsys.readouterr().err == (
            "anagnosis: nothing was indexed: no document has a text that can be searched (1 without_text); "
            "check the files, or name their format with --format\n"
        )
    assert run(["-q", "index", str(carried()), "--out", str(index)]) == 0
    capsys.readouterr()
    assert run(["-q", "index", str(empty), "--out", str(index)]) == 2
    assert "nothing was indexed" in capsys.readouterr().err
    assert run(["-q", "index", str(carried()), "--out", str(index)]) == 0
    assert run(["check", str(index)]) == 0
    # A list of papers to remove is something to do.
    assert run(["-q", "index", "--remove", "ana0001", "--out", str(index)]) == 0


REFUSED = {
    "an unknown section": (["search", "{index}", "x", "--section", "result"], "unknown section 'result'; did you"),
    "an impossible month": (["search", "{index}", "x", "--until", "2020-13"], "'2020-13' is no date"),
    "nothing to index": (["index", "--out", "{tmp}/index"], "nothing to index; name files or folders"),
    "a folder with other files": (["index", "{pubtator}", "--out", "{full}"], "holds other files"),
    "an empty file": (["index", "{empty}", "--out", "{tmp}/index"], "empty"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_is_one_line(
    case: str, collection: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").touch()
    (tmp_path / "empty.xml").touch()
    given, what = REFUSED[case]
    places = {"tmp": tmp_path, "index": collection, "pubtator": carried(), "full": tmp_path / "full"}
    words = [word.format(**places, empty=tmp_path / "empty.xml") for word in given]
    assert run(words) == 2
    said = capsys.readouterr().err
    assert what in said
    assert said.count("\n") == 1
    assert not (tmp_path / "index").exists()


def test_two_writers_at_once_are_refused(collection: Path, capsys: pytest.CaptureFixture[str]) -> None:
    writer = open_index(collection)
    writer.engine.delete("nothing")
    assert run(["-q", "index", str(carried()), "--out", str(collection), "--remove", "ana0001"]) == 2
    assert "another process is writing" in capsys.readouterr().err
    writer.close()


def test_of_two_that_begin_one_index_the_second_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["-q", "index", str(carried()), "--out", str(tmp_path / "index")]
    with only_writer(tmp_path / "index"):
        assert run(words) == 2
        line = f"anagnosis: {tmp_path / 'index'}: another process is writing; wait until it has ended\n"
        assert capsys.readouterr().err == line
        assert not [*(tmp_path / "index").iterdir()]
    assert not (tmp_path / "index").exists()
    assert run(words) == 0


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers", reason="the extra train is not installed")
    return tiny_encoder(tmp_path_factory.mktemp("encoders") / "tiny")


def test_vectors_by_an_encoder_that_is_remembered_and_dropped(said: Said, tmp_path: Path, tiny: Path) -> None:
    index = tmp_path / "index"
    out = said("index", carried(), "--out", index, "--encoder", tiny, "--device", "cpu")
    assert f"81 vectors by {tiny}: 81 new, 0 documents dropped" in out
    assert "only the beginning was read" in out
    assert "ranked by words and meaning." in said("search", index, "cold brew coffee")
    assert "ranked by their words." in said("search", index, "cold brew coffee", "--ranking", "lexical")
    out = said("index", carried("medline"), "--out", index, "--remove", "99000001", "--json")
    told = json.loads(out)
    assert told["vectors"]["passages"] == told["passages"]
    assert 0 < told["vectors"]["encoded"] < told["passages"]
    found = json.loads(said("search", index, "zzz qqq", "--ranking", "dense", "--limit", 3, "--json"))
    assert len(found["found"]) == 3  # words that nobody wrote are near to something
    assert "ranked by their meaning" in said("ask", index, "Does tea help?", "--ranking", "dense")
    out = said("index", "--out", index, "--no-encoder", "--json")
    assert json.loads(out)["vectors"] is None
    assert sorted(path.name for path in index.iterdir()) == ["embedded", "index.json"]
    assert "ranked by their words." in said("search", index, "cold brew coffee")
    assert "vectors by" in said("index", "--out", index, "--encoder", tiny)


NEW = ("index", "{pubtator}", "--out", "{tmp}/index")
VECTORS_REFUSED = {
    "no such encoder": ([*NEW, "--encoder", "./nowhere"], "./nowhere: no encoder of that name"),
    "both": (["index", "--out", "{index}", "--encoder", "x", "--no-encoder"], "an encoder and none at once"),
    "an unknown ranking": (["ask", "{index}", "x", "--ranking", "dens"], "unknown ranking 'dens'; did you mean"),
}  # fmt: skip


@pytest.mark.parametrize("case", VECTORS_REFUSED)
def test_what_cannot_be_with_vectors_is_one_line(
    case: str, collection: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("transformers", reason="the extra train is not installed")
    given, what = VECTORS_REFUSED[case]
    assert run([word.format(tmp=tmp_path, index=collection, pubtator=carried()) for word in given]) == 2
    said = capsys.readouterr().err
    assert what in said
    assert said.count("\n") == 1
    assert not (tmp_path / "index").exists()


def test_words_are_searched_without_torch(tmp_path: Path) -> None:
    """As where the extra train is not installed: no module of it can be imported."""
    code = (
        "import sys\nfor name in ('torch', 'transformers'): sys.modules[name] = None\n"
        "from anagnosis.cli import run\n"
        "run(['-q', 'index', sys.argv[1], '--out', sys.argv[2]])\nsys.exit(run(['search', sys.argv[2], 'coffee']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(carried()), str(tmp_path / "index")],
        check=True,
        capture_output=True,
        text=True,
    )
    assert "ranked by their words." in done.stdout


def test_listing_and_help_import_no_engine() -> None:
    code = "import sys, anagnosis.cli as c; c.run(['search', '--help']); assert 'tantivy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


# Those of the folders that are about pregnancy and COVID-19 by their titles, one of them by another name of the virus.
PREGNANCY = {
    "34088595", "34051531", "34096434", "33929653", "34020209", "32428112", "34088329", "32196655", "33771762",
}  # fmt: skip


@pytest.mark.slow
def test_the_thesis_s_question_over_all_papers_at_hand(said: Said, shared: Path, tmp_path: Path) -> None:
    folders = ("pubtator", "cord19", "medline", "jats", "structured_abstracts")
    inputs = (shared / "data" / name for name in folders)
    out = said("index", *inputs, "--out", tmp_path / "index", "--json", code=2)  # two members are refused
    assert json.JSONDecoder().raw_decode(out)[0]["documents"] > 25_000
    found = api.search(tmp_path / "index", "pregnant women and COVID-19", limit=30).found
    documents = list(dict.fromkeys(each.passage.document for each in found))
    assert set(documents[: len(PREGNANCY)]) == PREGNANCY
    for each in found:
        passage = each.passage
        source = open_index(tmp_path / "index").document(passage.document)
        assert passage in source
        assert all(passage.text[s.begin : s.end].strip() for s in each.sentences)
