"""The tokens of people's links: the same after a restart, secret, and one server a folder."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest

from anagnosis.errors import InputError
from anagnosis.labelling import links


def test_each_person_has_a_token_that_stays_the_same(tmp_path: Path) -> None:
    with links.opened(tmp_path) as made:
        tokens = [made.token(name) for name in ("ann", "bea", "Ann", "Ö. ‮")]
    assert all(re.fullmatch("[0-9a-f]{32}", token) for token in tokens)
    assert len(set(tokens)) == 4
    with links.opened(tmp_path) as again:
        assert [again.token(name) for name in ("ann", "bea")] == tokens[:2]
    assert [path.name for path in tmp_path.iterdir()] == [links.FILE]


def test_another_folder_has_other_tokens(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with links.opened(tmp_path) as ours, links.opened(tmp_path / "other") as theirs:
        assert ours.token("ann") != theirs.token("ann")


def test_only_the_user_may_read_the_secret(tmp_path: Path) -> None:
    with links.opened(tmp_path):
        pass
    path = tmp_path / links.FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    with (
        pytest.raises(InputError, match=r"links\.key: other users may read or write it; chmod 600"),
        links.opened(tmp_path),
    ):
        pass


def test_a_second_server_of_the_folder_is_refused_until_the_first_ends(tmp_path: Path) -> None:
    with (
        links.opened(tmp_path),
        pytest.raises(InputError, match="another server serves the pages of this folder; end it"),
        links.opened(tmp_path),
    ):
        pass
    with links.opened(tmp_path):
        pass


@pytest.mark.parametrize("data", [b"", b"0" * 64, b"g" * 64 + b"\n", b"0" * 65 + b"\n", b"0" * 64 + b"\n\n"])
def test_a_damaged_secret_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / links.FILE).write_bytes(data)
    (tmp_path / links.FILE).chmod(0o600)
    with pytest.raises(InputError, match="is no secret of links; delete it"), links.opened(tmp_path):
        pass


def test_a_link_to_another_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("0" * 64 + "\n")
    (tmp_path / links.FILE).symlink_to(tmp_path / "mine")
    with pytest.raises(InputError), links.opened(tmp_path):
        pass
