"""A dataset of which a bit has flipped: every command that reads it stops with one line, and writes nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.builds import contents
from tests.refusals import refused
from tests.typed import World

# All commands read through `store`: here a command for each way of reading it, whole, one part or some columns.
COMMANDS = (
    "train biomrc-attention-sum-local --data {} --threads 1 --out {out}",
    "score {} {predictions}",
    "show {}",
    "export {} --layout jsonl --view names --out {out}",
    "sample {} --set test=5 --out {out}",
    "leaderboard build {submissions} --gold {} --out {out}",
    "label draw {} --kind answers --draw 2 --people ann --split test --sheets {out}",
)


@pytest.mark.parametrize("words", COMMANDS)
def test_a_flipped_bit_stops_every_command_that_reads_it(
    words: str, world: World, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    damaged = tmp_path / "damaged"
    shutil.copytree(world.dataset, damaged)
    (part,) = (damaged / "data").glob("train-*" if words.startswith("train") else "test-*")
    data = bytearray(part.read_bytes())
    data[len(data) * 2 // 3] ^= 32
    part.write_bytes(data)
    entry = tmp_path / "submissions" / "ours"
    entry.mkdir(parents=True)
    shutil.copy(world["BASE4"], entry / "test.jsonl")
    (entry / "system.toml").write_text(
        'name = "ours"\nteam = "ours"\ndate = 2020-01-01\nview = ""\ntraining_data = ""\n'
    )
    values = {
        "predictions": world["BASE4"],
        "submissions": entry.parent,
        "out": tmp_path / "out",
    }
    before = contents(tmp_path)
    line = refused([word.format(damaged, **values) for word in words.split()], capfd)
    assert ".parquet: is not the file that was written here (its SHA-256 differs); build or import" in line
    assert {name: data for name, data in contents(tmp_path).items() if "/.lock" not in name} == before
