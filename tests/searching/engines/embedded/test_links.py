"""An index that cannot be written is searched all the same, and sees what others commit; nobody writes into it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.another_user import NOBODY, another_user, open_to_all
from tests.searching.engines.contract_trial import PAPERS

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError
from anagnosis.io import paths
from anagnosis.searching.engines import embedded
from anagnosis.searching.engines.embedded.links import META, Links
from anagnosis.searching.engines.embedded.segments import Segments
from anagnosis.searching.index.index import Index, open_index
from anagnosis.searching.records.hits import Counts

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


def test_a_lock_of_the_library_s_own_thread_does_not_keep_the_folder(
    index: Index, places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    links, remove = Links(index.folder / "embedded"), shutil.rmtree
    before = [lambda: (links.at / ".tantivy-meta.lock").touch()]

    def while_locked(folder: Path, **options: bool) -> None:
        if before:
            before.pop()()
            return  # the file came after the folder was listed: it is not empty, and stays
        remove(folder, **options)

    monkeypatch.setattr(shutil, "rmtree", while_locked)
    links.close()
    assert not before
    assert list(places.iterdir()) == []


def test_what_others_commit_is_seen_and_what_they_take_away_goes(index: Index, places: Path) -> None:
    index.close()
    folder = index.folder / "embedded"
    with not_writable(folder):
        there = open_index(index.folder)
    before = there.engine.committed().version
    later = open_index(index.folder)
    for number in range(12):  # more commits than the library leaves unmerged
        paper = Document(f"new{number}", (Section("title", "New"), Section("abstract", "Cold tea again.")))
        later.add(paper, Counter())
        later.commit()
        assert there.count() == Counts(5 + number, 6 + number)
    later.delete(["1"], Counter())
    later.commit()
    later.close()
    assert there.engine.committed().version != before
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
    folder, seen = index.folder / "embedded", list[bytes]()
    links, files = Links(folder), Segments(folder)

    def replaced(times: int, *, fails: bool = True) -> int:
        seen.append((links.at / META).read_bytes())
        if len(seen) < times:
            (folder / META).write_bytes(seen[-1] + b" ")
            if fails:
                raise ValueError("gone")
        return len(seen)

    assert files.read(lambda: links.read(lambda: replaced(3)))[0] == 3
    assert [len(meta) - len(seen[0]) for meta in seen] == [0, 1, 2]
    seen.clear()
    assert files.read(lambda: links.read(lambda: replaced(3, fails=False)))[0] == 3
    with pytest.raises(InputError, match=r"is changed faster than it can be read; try again later$"):
        files.read(lambda: links.read(lambda: replaced(99)))

    def broken() -> int:
        raise ValueError("damaged")

    with pytest.raises(ValueError, match="damaged"):
        files.read(lambda: links.read(broken))
    (folder / META).unlink()
    with pytest.raises(
        InputError, match=r"embedded: cannot be read \(No such file or directory\); let it be read$"
    ):
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
    opened = os.open

    def refused(path: str, flags: int) -> int:
        if path == str(folder / META):
            raise PermissionError(13, "Permission denied")
        return opened(path, flags)

    with monkeypatch.context() as patch:
        patch.setattr(paths, "_opened", refused)
        assert there.count().documents == 4
        assert there.engine.committed().version == ""
    assert there.count().documents == 3
    there.close()


def test_a_damaged_one_is_one_line(index: Index) -> None:
    index.close()
    folder = index.folder / "embedded"
    next(folder.glob("*.term")).unlink()
    with not_writable(folder), pytest.raises(InputError, match=r"\.term: is missing; make the index again"):
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


def test_a_folder_that_was_swept_away_is_made_again(index: Index, places: Path) -> None:
    links = Links(index.folder / "embedded")
    links.at.rmdir()
    assert links.read(lambda: (links.at / META).is_file())
    assert links.at.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("kind", ["link", "open", "foreign"])
def test_what_others_put_where_it_was_swept_away_is_refused(
    index: Index, places: Path, tmp_path: Path, kind: str
) -> None:
    links, theirs = Links(index.folder / "embedded"), tmp_path / "theirs"
    links.at.rmdir()
    theirs.mkdir(0o700)
    if kind == "link":
        links.at.symlink_to(theirs)
    else:
        links.at.mkdir()
        links.at.chmod(0o777 if kind == "open" else 0o700)
    if kind == "foreign":
        if not hasattr(os, "geteuid") or os.geteuid() != 0:
            pytest.skip("only root can give a folder away")
        os.chown(links.at, NOBODY, NOBODY)
    with pytest.raises(InputError, match=r"is not the folder that we made; start again$"):
        links.read(lambda: None)
    assert not list(theirs.iterdir())
    assert not list(links.at.iterdir())


def test_links_that_lead_elsewhere_are_made_anew(index: Index, places: Path, tmp_path: Path) -> None:
    folder = index.folder / "embedded"
    links = Links(folder)
    links.read(lambda: None)
    first, second = [path for path in sorted(links.at.iterdir()) if path.is_symlink()][:2]
    first.unlink()
    first.symlink_to(tmp_path / "elsewhere")
    second.unlink()
    second.write_bytes(b"no link")
    links.read(lambda: None)
    assert first.readlink() == folder / first.name
    assert second.readlink() == folder / second.name


def test_links_that_cannot_be_made_are_one_line(
    index: Index, places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    links = Links(index.folder / "embedded")

    def full(path: Path, to: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "symlink_to", full)
    with pytest.raises(InputError, match=r"no links can be made there \(No space left on device\)"):
        links.read(lambda: None)


@pytest.mark.parametrize("hidden", [META, "*.del"])
@pytest.mark.parametrize("writable", [False, True])
def test_what_was_read_stays_while_a_commit_may_not_be_read(
    index: Index, writable: bool, hidden: str
) -> None:
    index.close()
    with open_to_all() as place:
        shutil.copytree(index.folder, place / "index")
        folder = place / "index" / "embedded"
        if writable:
            folder.chmod(0o777)
            for lock in folder.glob(".*.lock"):
                lock.chmod(0o666)
        with another_user():
            there = open_index(place / "index")
            assert there.count().documents == 4
        later = open_index(place / "index")
        later.delete(["1"], Counter())
        later.commit()
        later.close()
        not_yet = [*folder.glob(hidden)]  # of the two passages, each may have a file
        assert not_yet
        for path in not_yet:
            path.chmod(0o600)  # as between a commit and what lets all read it
        try:
            with another_user():
                assert there.count().documents == 4
                assert [hit.passage.document for hit in there.search("salt")] == ["3"]
                assert bool(there.engine.committed().version) == (hidden != META)
                with pytest.raises(InputError, match=r"embedded: cannot be read \(.*\); let it be read$"):
                    open_index(place / "index")
            for path in not_yet:
                path.chmod(0o644)
            with another_user():
                assert there.count().documents == 3
        finally:
            there.close()
