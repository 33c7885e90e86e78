"""Who may read and write an embedded index: without the right to write there is one line, and nothing is lost."""

from __future__ import annotations

import os
import shutil
from collections import Counter

import pytest
from tests.another_user import another_user, open_to_all

from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError
from anagnosis.io import paths
from anagnosis.searching.engines.embedded.segments import META
from anagnosis.searching.index.index import Index, open_index


def test_without_the_right_to_write_it_is_one_line(index: Index) -> None:
    index.close()
    blocked = index.folder / "embedded" / ".tantivy-meta.lock"
    blocked.unlink(missing_ok=True)
    blocked.mkdir()  # where the library would write its lock: that stops also one who may write everywhere
    with pytest.raises(
        InputError, match=r"embedded: cannot be read .*; give yourself the right to, or copy it$"
    ):
        open_index(index.folder)
    blocked.rmdir()
    assert open_index(index.folder).count() == index.count()


def test_a_commit_that_may_not_be_read_yet_is_seen_later(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.close()
    there, later = open_index(index.folder), open_index(index.folder)
    later.delete(["1"], Counter())
    later.commit()
    opened = os.open

    def refused(path: str, flags: int) -> int:
        if path == str(index.folder / "embedded" / META):
            raise PermissionError(13, "Permission denied")
        return opened(path, flags)

    with monkeypatch.context() as patch:
        patch.setattr(paths, "_opened", refused)
        assert there.count().documents == 4
        assert there.engine.committed().version == ""
    assert there.count().documents == 3


def test_everybody_may_read_what_was_written(index: Index) -> None:
    for closed in (False, True):
        if closed:
            index.close()
        for path in (index.folder / "embedded").iterdir():
            assert path.stat().st_mode & 0o444 == 0o444, path.name


@pytest.mark.parametrize("hidden", [META, "*.del"])
def test_what_was_read_stays_while_a_commit_may_not_be_read(index: Index, hidden: str) -> None:
    many = [Document(f"m{number}", (Section("title", "Milk"),)) for number in range(40)]
    index.add_all([("", one) for one in many], Counter())
    index.commit()  # a segment that keeps most of its papers has a list of deleted ones
    index.close()
    with open_to_all() as place:
        shutil.copytree(index.folder, place / "index")
        folder = place / "index" / "embedded"
        folder.chmod(0o777)
        for lock in folder.glob(".*.lock"):
            lock.chmod(0o666)
        with another_user():
            there = open_index(place / "index")
            assert there.count().documents == 44
        later = open_index(place / "index")
        later.delete(["m7"], Counter())
        later.commit()
        later.close()
        not_yet = [*folder.glob(hidden)]
        assert not_yet
        for path in not_yet:
            path.chmod(0o600)  # as between a commit and what lets all read it
        with another_user():
            assert there.count().documents == 44
            assert [hit.passage.document for hit in there.search("salt")] == ["3"]
            assert bool(there.engine.committed().version) == (hidden != META)
            with pytest.raises(InputError, match=r"embedded: cannot be read \(.*\); let it be read$"):
                open_index(place / "index")
        for path in not_yet:
            path.chmod(0o644)
        with another_user():
            assert there.count().documents == 43
