"""A dataset of which a bit has flipped: every command that reads it stops with one line, and writes nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.builds import contents
from tests.refusals import refused
from tests.typed import World

COMMANDS = (
    "score {} {predictions}",
    "score {} {predictions} --split test",
    "compare {} {predictions} {predictions}",
    "report {} {predictions} --out {out}.html",
    "protocols {} {predictions} --split test",
    "show {}",
    "show {} --instance {id}",
    "export {} --out {out}",
    "export {} --layout jsonl --view names --out {out}",
    "export {} --layout lm-eval --out {out}",
    "predict BASE4 {} --out {out}",
    "predict entity-prior {} --out {out}",
    "sample {} --set test=5 --out {out}",
    "leaderboard withhold {} --out {out}",
    "leaderboard check {predictions} --dataset {}",
    "label {} --kind answers --draw 2 --people ann --sheets {out}",
    "label {} --kind skills --draw 2 --sheets {out}",
    "diff {} {whole}",
)


@pytest.fixture
def damaged(world: World, tmp_path: Path) -> Path:
    folder = tmp_path / "damaged"
    shutil.copytree(world.dataset, folder)
    for part in (folder / "data").iterdir():
        data = bytearray(part.read_bytes())
        data[len(data) * 2 // 3] ^= 32
        part.write_bytes(data)
    return folder


@pytest.mark.parametrize("words", COMMANDS)
def test_a_flipped_bit_stops_every_command_that_reads_it(
    words: str, damaged: Path, world: World, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out, before = tmp_path / "out", contents(damaged)
    values = {"predictions": world["BASE4"], "out": out, "id": world.instances[0].id, "whole": world.dataset}
    line = refused([word.format(damaged, **values) for word in words.split()], capfd)
    assert ".parquet: is not the file that was written here (its SHA-256 differs); build or import" in line
    assert contents(damaged) == before
    assert not contents(tmp_path).keys() - {f"damaged/{name}" for name in before}
