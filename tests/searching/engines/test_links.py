"""An index that cannot be written is searched all the same, and sees what others commit; nobody writes into it."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.searching.conftest import PAPERS

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError
from anagnosis.searching.engines import embedded
from anagnosis.searching.engines.links import META, Links
from anagnosis.searching.index import Index, open_index

ONE_LINE = "embedded: cannot be written; give yourself the right to, or copy it$"


@contextmanager
def not_writable(folder: Path) -> Generator[None]:
    """The library's locks cannot be taken; also not by one who may write everywhere, as tests often may."""
    locks = [folder / f".tantivy-{name}.lock" for name in ("meta", "writer")]
    for lock in locks:
        lock.unlink(missing_ok=True)
        lock.mkdir()
    yield
    for lock in locks:
        lock.rmdir()


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def test_it_is_searched_and_leaves_nothing(index: Index, places: Path) -> None:
    expected = index.search("cold tea")
    index.close()
    with not_writable(index.folder / "embedded"):
        there = open_index(index.folder)
        assert there.search("cold tea") == expected
        assert there.document("1") == index.document("1")
        assert there.count() == index.count()
        assert len(list(places.iterdir())) == 1
        there.close()
        assert list(places.iterdir()) == []
        assert there.search("cold tea") == expected


def test_what_others_commit_is_seen_and_what_they_take_away_goes(index: Index, places: Path) -> None:
    index.close()
    folder = index.folder / "embedded"
    with not_writable(folder):
        there = open_index(index.folder)
    before = there.engine.version()
    later = open_index(index.folder)
    for number in range(12):  # more commits than the library leaves unmerged
        paper = Document(f"new{number}", (Section("title", "New"), Section("abstract", "Cold tea again.")))
        later.add(paper, Counter())
        later.commit()
        assert there.count() == (5 + number, 6 + number)
    later.delete(["1"], Counter())
    later.commit()
    later.close()
    assert there.engine.version() != before
    assert {hit.passage.document for hit in there.search("cold tea", limit=20)} == {
        f"new{number}" for number in range(12)
    }
    (links,) = places.iterdir()
    assert {path.name for path in links.iterdir() if path.is_symlink()} == {
        path.name for path in folder.iterdir() if not path.name.startswith(".") and path.name != META
    }
    assert all(path.exists() for path in links.iterdir())
    there.close()


def test_nobody_writes_into_it(index: Index) -> None:
    index.close()
    with not_writable(index.folder / "embedded"):
        there = open_index(index.folder)
        with pytest.raises(InputError, match=ONE_LINE):
            there.begin()
        with pytest.raises(InputError, match=ONE_LINE):
            there.engine.delete("1")
        there.close()
        for call in ({"paths": [carried()]}, {"paths": [], "remove": ["1"]}):
            with pytest.raises(InputError, match=ONE_LINE):
                api.index(out=index.folder, **call)  # pyright: ignore[reportArgumentType]
    assert open_index(index.folder).count().documents == len(PAPERS)


def test_a_commit_that_goes_while_it_is_read_is_followed_by_the_next(index: Index, places: Path) -> None:
    folder = index.folder / "embedded"
    links, seen = Links(folder), list[bytes]()

    def commit() -> int:
        seen.append((links.at / META).read_bytes())
        if len(seen) < 3:
            (folder / META).write_bytes(seen[-1] + b" ")
            raise ValueError("gone")
        return len(seen)

    assert links.read(commit) == 3
    assert [len(meta) - len(seen[0]) for meta in seen] == [0, 1, 2]

    def broken() -> int:
        seen.clear()
        raise ValueError("damaged")

    with pytest.raises(ValueError, match="damaged"):
        links.read(broken)
    links.close()
    assert list(places.iterdir()) == []


def test_a_commit_that_may_not_be_read_yet_is_seen_later(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.close()
    folder = index.folder / "embedded"
    with not_writable(folder):
        there = open_index(index.folder)
    later = open_index(index.folder)
    later.delete(["1"], Counter())
    later.commit()
    whole = Path.read_bytes

    def refused(path: Path) -> bytes:
        if path == folder / META:
            raise PermissionError(13, "Permission denied")
        return whole(path)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", refused)
        assert there.count().documents == 4
        assert there.engine.version() == ""
    assert there.count().documents == 3
    there.close()


def test_a_damaged_one_is_one_line(index: Index) -> None:
    index.close()
    folder = index.folder / "embedded"
    next(folder.glob("*.term")).unlink()
    with not_writable(folder), pytest.raises(InputError, match=r"cannot be read .*; make the index again"):
        embedded.open(folder)


def test_without_a_place_for_temporary_files_it_is_one_line(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.close()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with (
        not_writable(index.folder / "embedded"),
        pytest.raises(InputError, match="no place for temporary files"),
    ):
        open_index(index.folder)


def test_everybody_may_read_what_was_written(index: Index) -> None:
    for closed in (False, True):
        if closed:
            index.close()
        for path in (index.folder / "embedded").iterdir():
            assert path.stat().st_mode & 0o444 == 0o444, path.name
