"""An index with a damaged file ends in one line, or says what it said before."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest
from tests.damage import DELETE, KINDS, damage, files_of

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis import api
from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.searching.index.index import Index, open_index
from anagnosis.searching.rank.dense import FILE as VECTORS

COMMANDS = (
    ["search", "{}", "stay after surgery", "--limit", "30", "--since", "2012", "--json"],
    ["ask", "{}", "Does cold brew coffee raise gastric pH?", "--json"],
    ["search", "{}", "patients", "--limit", "100", "--journal", "nowhere journal of surgery"],
)  # fmt: skip
# What says nothing of papers, so that nothing shows that it was damaged: locks, the list of files that may be removed,
# which version wrote a list of deleted entries, and (meta.json) how many operations there were; in index.json a number
# of runs above that of the papers, and in footers the version of the library.
SILENT = re.compile(rb'"runs": ?[2-9][0-9]*|"version":\{[^}]*\}')
UNREAD = (".lock", ".managed.json", ".del", "meta.json")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index in several segments, one with deleted papers."""
    folder = tmp_path_factory.mktemp("sound") / "index"
    api.index([carried("medline")], folder)
    api.index([carried()], folder, remove=["99000029", "99000031"])
    return folder


def said(folder: Path, capfd: pytest.CaptureFixture[str]) -> list[tuple[int, str, str]]:
    """(exit code, output, errors) of each command."""
    found: list[tuple[int, str, str]] = []
    for words in COMMANDS:
        capfd.readouterr()
        code = run([word.format(folder) for word in words])
        out, errors = capfd.readouterr()
        found.append((code, out, errors))
    return found


def another(sound: Path, before: Path, number: int) -> Path:
    """A copy under a new name; the one before goes. The engine that has it open may still write a lock file there."""
    shutil.rmtree(before, ignore_errors=True)
    return shutil.copytree(sound, before.with_name(f"copy {number}"))


def same_value(one: Path, other: Path) -> bool:
    """Whether two files say the same: white space at an end is nothing."""
    first, second = (SILENT.sub(b"", path.read_bytes()).rstrip(b"\n") for path in (one, other))
    return first == second


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on the command line: threads of other tests, which have ended or wait, are none of its own."""
    monkeypatch.setattr("threading.active_count", lambda: 1)


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("faults", [40, pytest.param(600, marks=pytest.mark.slow)])
def test_damaged_files_are_one_line_or_change_nothing(
    faults: int, sound: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    expected = said(sound, capfd)
    assert [(code, errors) for code, _, errors in expected] == [(0, "")] * len(COMMANDS)
    draw, folder = Random(faults), tmp_path / "index"
    ended: Counter[str] = Counter()
    for number in range(faults):
        folder = another(sound, folder, number)
        # Every file has its turn, and every kind with it.
        path = files_of(folder)[number % len(files_of(folder))]
        kind = (*KINDS, DELETE)[number // len(files_of(folder)) % (len(KINDS) + 1)]
        if not damage(path, kind, draw):
            continue
        place = f"{kind} of {path.relative_to(folder)}"
        for (code, out, errors), (_, before, _) in zip(said(folder, capfd), expected, strict=True):
            if code == 0:
                assert (out.replace(str(folder), str(sound)), errors) == (before, ""), place
                ended["the same"] += 1
            else:
                assert (code, out, errors.count("\n")) == (2, "", 1), f"{place}: {errors}"
                assert errors.startswith("anagnosis: ")
                assert "; " in errors, "no remedy"
                ended["one line"] += 1
        code = run(["check", str(folder)])
        if code != 2 and not path.name.endswith(UNREAD):
            assert same_value(path, sound / path.relative_to(folder)), f"check finds nothing: {place}"
    assert ended["one line"] > faults


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("component", ["store", "term", "idx", "pos", "fieldnorm", "fast", "del"])
def test_a_file_of_a_segment_damaged_in_20_ways_ends_in_one_line_or_a_verified_result(
    component: str, sound: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Flipped bits at its begin, in its middle and at its end too, where blocks, their table and the footer are."""
    expected = said(sound, capfd)
    (path,) = sorted((sound / "embedded").glob(f"*.{component}"))[-1:]
    whole, lines = path.read_bytes(), 0
    ends = (0, 1, 4, len(whole) // 4, len(whole) // 2, *(len(whole) - back for back in (160, 100, 8, 1)))
    ways = [bytes([*whole[:at], whole[at] ^ 1, *whole[at + 1 :]]) for at in ends if 0 <= at < len(whole)]
    ways += [whole[: len(whole) // 2], whole[:-1], whole[1:], whole + b"\0", whole * 2, b"", whole[::-1]]
    draw = Random(20)
    while len(ways) < 20:
        ways.append(KINDS[draw.choice([*KINDS])](bytearray(whole), draw))
    folder = tmp_path / "index"
    shutil.copytree(sound, folder)
    for number, damaged in enumerate(ways):
        place = folder / path.relative_to(sound)
        place.unlink()  # the one before may be mapped still
        place.write_bytes(damaged)
        for (code, out, errors), (_, before, _) in zip(said(folder, capfd), expected, strict=True):
            if code == 0:
                assert out.replace(str(folder), str(sound)) == before, f"way {number}"
            else:
                assert (code, out, errors.count("\n")) == (2, "", 1), f"way {number}: {errors}"
                lines += 1
        assert damaged == whole or component == "del" or run(["check", str(folder)]) == 2, f"way {number}"
    assert lines > 10


def test_check_verifies_everything_and_names_what_is_wrong(
    sound: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(sound)]) == 0
    assert capfd.readouterr().out.startswith("sound: ")
    folder = tmp_path / "index"
    shutil.copytree(sound, folder)
    settings = folder / "index.json"
    whole = settings.read_text()
    settings.write_text(whole.replace('"runs": 2', '"runs": 1'))
    assert api.check(folder).places == {
        "settings": ["index.json: has 1 run, its papers 2; make the index again"]
    }
    settings.write_text(whole)
    stores = sorted((folder / "embedded").glob("*.store"))
    for path in stores:
        damage(path, "flip", Random(1))
    assert run(["check", str(folder), "--json"]) == 2
    findings = json.loads(capfd.readouterr().out)
    assert findings["counts"] == {"file": len(stores)}
    assert sorted(findings["places"]["file"]) == [
        f"embedded/{path.name}: is damaged: its checksum differs; make the index again" for path in stores
    ]


def test_an_unfinished_index_is_searched_and_says_so(
    sound: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "index"
    shutil.copytree(sound, folder)
    index = open_index(folder)
    index.begin("a call that is killed")
    index.close()
    for words in COMMANDS:
        assert run([word.format(folder) for word in words]) == 0
        out, errors = capfd.readouterr()
        assert errors.count("\n") == 1
        assert "is unfinished: indexing into it was stopped" in errors
        assert "give the same `anagnosis index` command again" in errors
        if words[-1] == "--json":
            assert json.loads(out)["unfinished"] is True
    assert run(["check", str(folder)]) == 2
    assert "indexing into it was stopped" in capfd.readouterr().out
    assert run(["-q", "index", str(carried()), "--out", str(folder)]) == 0
    assert run(["check", str(folder)]) == 0


def test_check_finds_damaged_vectors(encoded: Index) -> None:
    """A zip file has bytes that nobody reads, such as a time."""
    encoded.close()
    place = encoded.folder / VECTORS
    whole, there = place.read_bytes(), dict(np.load(place))
    found = 0
    for seed in range(20):
        assert damage(place, "flip", Random(seed))
        if api.check(encoded.folder).sound:
            assert all(np.array_equal(one, there[name]) for name, one in np.load(place).items())
        else:
            found += 1
        place.write_bytes(whole)
    assert found > 10
    assert api.check(encoded.folder).vectors == 5
