"""Who may read and write an embedded index: without the right to write there is one line, and nothing is lost."""

from __future__ import annotations

import shutil
from collections import Counter

import pytest
from tests.another_user import another_user, open_to_all

from anagnosis.errors import InputError
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


def test_everybody_may_read_what_was_written(index: Index) -> None:
    for closed in (False, True):
        if closed:
            index.close()
        for path in (index.folder / "embedded").iterdir():
            assert path.stat().st_mode & 0o444 == 0o444, path.name


def test_without_the_right_to_read_it_is_one_line(index: Index) -> None:
    index.close()
    with open_to_all() as place:
        shutil.copytree(index.folder, place / "index")
        folder = place / "index" / "embedded"
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
        (folder / META).chmod(0o600)  # as between a commit and what lets all read it
        with another_user():
            assert there.count().documents == 4
            with pytest.raises(InputError, match=r"embedded: cannot be read or written \(.*\); let it be"):
                open_index(place / "index")
        (folder / META).chmod(0o644)
        with another_user():
            assert there.count().documents == 3
