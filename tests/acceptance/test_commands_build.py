"""`anagnosis build` and every option of it, and what the user gets to see."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from tests.typed import Said, build

from anagnosis import parallel
from anagnosis.corpus import carried
from anagnosis.datasets.folder import store
from anagnosis.io.files import sha256


class TestBuild:
    def test_says_what_was_read_dropped_mended_and_what_to_do_next(self, said: Said, tmp_path: Path) -> None:
        out = said(*build("--recipe", "biomrc-demo", "--full", "--out", tmp_path / "out"))
        assert "81 documents read, 62 kept, 0 refused" in out
        assert re.search(r"too_few_sentences +2\n", out)
        assert re.search(r"answer_most_frequent +13\n", out)
        assert re.search(r"mention_without_identifier +5\n", out)
        assert "219 instances: train 121, dev 36, test 62" in out
        assert f"wrote {tmp_path / 'out'}\n  next: anagnosis show {tmp_path / 'out'}" in out

    def test_since_needs_dates_and_keeps_what_is_not_older(self, said: Said, tmp_path: Path) -> None:
        dates = tmp_path / "dates.tsv"
        dates.write_text("ana0001\t2020-01-01\nana0002\t2024-06-01\nana0003\t2025\n")
        out = said(*build("--dates", dates, "--since", "2024-01", "--full", "--out", tmp_path / "out"))
        assert "81 documents read, 2 kept" in out
        assert re.search(r"published_before +1\n", out)
        assert re.search(r"date_unknown +59\n", out)
        built = store.load(tmp_path / "out")
        assert built.receipt.choices["dates_sha256"] == sha256(dates)
        kept = {i.document: i.date for i in store.instances(built, "train")}
        assert kept == {"ana0002": "2024-06-01", "ana0003": "2025"}
        undated = said(*build("--dates", dates, "--out", tmp_path / "all"))
        assert "published_before" not in undated

    def test_a_torn_file_of_utf_16_is_read_as_far_as_it_goes(self, said: Said, tmp_path: Path) -> None:
        whole = gzip.compress(carried().read_text("utf-8").encode("utf-16"))
        cut = tmp_path / "cut.pubtator.gz"
        cut.write_bytes(whole[: len(whole) // 2])
        out = said("build", "biomrc", cut, "--accept-truncated", "--out", tmp_path / "out")
        assert re.search(r"\b[2-5]\d documents read, \d+ kept, 0 refused", out)
        assert re.search(r"truncated_file +1\b", out)

    def test_cluster_is_the_address_given(
        self, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[str] = []
        monkeypatch.setattr(parallel, "dask", lambda address: asked.append(address) or parallel.local(1))
        said(*build("--cluster", "tcp://host:8786", "--out", tmp_path / "out"))
        assert asked == ["tcp://host:8786"]

    def test_json_is_the_receipt(self, said: Said, tmp_path: Path) -> None:
        got = json.loads(said(*build("--recipe", "biomrc-demo", "--out", tmp_path / "out", "--json")))
        written = json.loads((tmp_path / "out/receipt.json").read_text())
        assert written == got
        assert list(got)[:4] == ["version", "recipe_sha256", "inputs", "documents"]
        assert got["documents"]["dropped"]["too_few_sentences"] == 2
        assert got["inputs"][0]["name"] == "carried.pubtator"
