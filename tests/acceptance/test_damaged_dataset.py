"""A dataset of which a bit has flipped: every command that reads it stops with one line, and writes nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.builds import contents
from tests.refusals import refused
from tests.typed import World

IN_TRAIN = ("predict entity-prior", "vectors", "train")  # what reads the train part; the others read test
COMMANDS = (
    "score {} {predictions}",
    "vectors {} --dimension 4 --threshold 1 --out {out}.txt",
    "train biomrc-attention-sum-local --data {} --threads 1 --out {out}",
    "agreement {} {people}",
    "leaderboard build {submissions} --gold {} --out {out}",
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
    "label draw {} --kind answers --draw 2 --people ann --split test --sheets {out}",
    "label draw {} --kind skills --draw 2 --split test --sheets {out}",
    "diff {} {whole}",
)


@pytest.mark.parametrize("words", COMMANDS)
def test_a_flipped_bit_stops_every_command_that_reads_it(
    words: str, world: World, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    damaged = tmp_path / "damaged"
    shutil.copytree(world.dataset, damaged)
    (part,) = (damaged / "data").glob("train-*" if words.startswith(IN_TRAIN) else "test-*")
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
        "people": world.people,
        "submissions": entry.parent,
        "out": tmp_path / "out",
        "id": world.instances[0].id,
        "whole": world.dataset,
    }
    before = contents(tmp_path)
    line = refused([word.format(damaged, **values) for word in words.split()], capfd)
    assert ".parquet: is not the file that was written here (its SHA-256 differs); build or import" in line
    left = {
        name: data
        for name, data in contents(tmp_path).items()
        if "/.work/" not in name and "/.lock" not in name
    }
    assert left == before
