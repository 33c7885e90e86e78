"""`anagnosis build` and every option of it, and what the user gets to see."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from tests.builds import contents
from tests.typed import Said, World, build

from anagnosis import api, parallel
from anagnosis.corpus import carried
from anagnosis.datasets.folder import store


class TestBuild:
    def test_says_what_was_read_dropped_mended_and_what_to_do_next(self, said: Said, tmp_path: Path) -> None:
        out = said(*build("--recipe", "biomrc-demo", "--out", tmp_path / "out"))
        assert "81 documents read, 62 kept, 0 refused" in out
        assert re.search(r"too_few_sentences +2\n", out)
        assert re.search(r"answer_most_frequent +13\n", out)
        assert re.search(r"mention_without_identifier +5\n", out)
        assert "219 instances: train 121, dev 36, test 62" in out
        assert f"wrote {tmp_path / 'out'}\n  next: anagnosis show {tmp_path / 'out'}" in out

    def test_recipe_may_be_a_name_or_a_file(self, said: Said, tmp_path: Path) -> None:
        mine = tmp_path / "mine.toml"
        mine.write_text(api.recipe_text("biomrc-demo"))
        named = said(*build("--recipe", "biomrc-demo", "--out", tmp_path / "a"))
        filed = said(*build("--recipe", mine, "--out", tmp_path / "b"))
        plain = said(*build("--out", tmp_path / "c"))
        assert "dev 36" in named
        assert "dev 36" in filed
        assert "dev 36" not in plain
        assert contents(tmp_path / "a") == contents(tmp_path / "b")

    def test_set_changes_keys(self, said: Said, tmp_path: Path) -> None:
        out = said(
            *build(
                "--set", "minimum_mentions=25", "--set", "minimum_identifiers=3", "--out", tmp_path / "out"
            )
        )
        assert re.search(r"too_few_mentions +43\n", out)
        recipe = (tmp_path / "out/recipe.toml").read_text()
        assert "minimum_mentions = 25\n" in recipe
        assert "minimum_identifiers = 3\n" in recipe

    def test_limit_reads_so_many(self, said: Said, tmp_path: Path) -> None:
        assert "10 documents read, 10 kept" in said(*build("--limit", 10, "--out", tmp_path / "out"))

    def test_since_needs_dates_and_keeps_what_is_not_older(self, said: Said, tmp_path: Path) -> None:
        dates = tmp_path / "dates.tsv"
        dates.write_text("ana0001\t2020-01-01\nana0002\t2024-06-01\nana0003\t2025\n")
        out = said(*build("--dates", dates, "--since", "2024-01", "--out", tmp_path / "out"))
        assert "81 documents read, 2 kept" in out
        assert re.search(r"published_before +1\n", out)
        assert re.search(r"date_unknown +59\n", out)
        kept = {i.document: i.date for i in store.instances(store.load(tmp_path / "out"), "train")}
        assert kept == {"ana0002": "2024-06-01", "ana0003": "2025"}
        undated = said(*build("--dates", dates, "--out", tmp_path / "all"))
        assert "published_before" not in undated

    def test_format_overrules_the_first_bytes(self, said: Said, tmp_path: Path) -> None:
        out = said(*build("--format", "bioc-json", "--out", tmp_path / "out"), code=2)
        assert "carried.pubtator:1: " in out
        assert "81 documents" in said(*build("--format", "pubtator", "--out", tmp_path / "out"))

    def test_encoding_reads_what_would_be_refused(self, said: Said, tmp_path: Path) -> None:
        text = tmp_path / "latin.pubtator"
        text.write_bytes("1|t|Café against headaches\n1|a|Short.\n\n".encode("latin-1"))
        refused = said("build", "biomrc", text, "--out", tmp_path / "a", code=2)
        assert "of 1 document 1 could not be read" in refused
        assert "(at latin.pubtator:1): not UTF-8; name its encoding with --encoding" in refused
        read = said("build", "biomrc", text, "--encoding", "latin-1", "--out", tmp_path / "b", code=2)
        assert "of 1 document abstract_too_short dropped 1; change the recipe" in read
        assert not (tmp_path / "a").exists()

    def test_accept_truncated_uses_what_comes_before_the_break(self, said: Said, tmp_path: Path) -> None:
        whole = gzip.compress(carried().read_bytes())
        cut = tmp_path / "cut.pubtator.gz"
        cut.write_bytes(whole[: len(whole) // 2])
        assert "ends too early" in said("build", "biomrc", cut, "--out", tmp_path / "a", code=2)
        out = said("build", "biomrc", cut, "--accept-truncated", "--out", tmp_path / "b")
        assert re.search(r"truncated_file +1\n", out)
        assert int(re.match(r"(\d+) documents read", out)[1]) in range(20, 60)  # pyright: ignore

    def test_workers_are_as_many_as_asked_for_and_change_no_byte(
        self, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, world: World
    ) -> None:
        asked: list[int | None] = []
        local = parallel.local
        monkeypatch.setattr(parallel, "local", lambda count: asked.append(count) or local(count))
        command = ["build", "biomrc", carried(), "--recipe", "biomrc-demo", "--out", tmp_path / "out"]
        said(*command, "--workers", 2)
        assert asked == [2]
        assert contents(tmp_path / "out") == contents(world.dataset)

    def test_cluster_is_the_address_given(
        self, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[str] = []
        monkeypatch.setattr(parallel, "dask", lambda address: asked.append(address) or parallel.local(1))
        said(*build("--cluster", "tcp://host:8786", "--out", tmp_path / "out"))
        assert asked == ["tcp://host:8786"]

    def test_replace_lets_another_dataset_go(self, said: Said, tmp_path: Path) -> None:
        said(*build("--limit", 20, "--out", tmp_path / "out"))
        another = build("--limit", 20, "--set", "minimum_mentions=8", "--out", tmp_path / "out")
        before = contents(tmp_path / "out")
        assert "--replace" in said(*another, code=2)
        assert contents(tmp_path / "out") == before
        said(*another, "--replace")
        assert store.load(tmp_path / "out").recipe["minimum_mentions"] == 8

    def test_json_is_the_receipt(self, said: Said, tmp_path: Path) -> None:
        got = json.loads(said(*build("--recipe", "biomrc-demo", "--out", tmp_path / "out", "--json")))
        assert got == json.loads((tmp_path / "out/receipt.json").read_text())
        assert list(got)[:4] == ["version", "recipe_sha256", "inputs", "documents"]
        assert got["documents"]["dropped"]["too_few_sentences"] == 2
        assert got["inputs"][0]["name"] == "carried.pubtator"

    def test_explain_of_a_kept_document_shows_its_questions(self, said: Said) -> None:
        out = said(*build("--explain", "ana0001"))
        assert out.startswith("ana0001 (carried.pubtator:1)\n")
        assert re.search(r"sentences +13\n", out)
        assert "DROPPED" not in out
        assert "  question: XXXX as an overlooked cause of peripheral neuropathy during" in out

    def test_explain_of_a_dropped_document_names_the_rule(self, said: Said) -> None:
        out = said(*build("--explain", "ana0063"))
        assert re.search(r"title_characters +14\n", out)
        assert "DROPPED  title_too_short" in out
        assert "question:" not in out
        changed = said(*build("--explain", "ana0063", "--set", "minimum_title_characters=14"))
        assert "DROPPED  title_too_short" not in changed

    def test_explain_as_json(self, said: Said) -> None:
        (got,) = json.loads(said(*build("--explain", "ana0063", "--json")))
        assert (got["id"], got["facts"]["title_characters"]) == ("ana0063", 14)
        assert ["title_too_short", True] in got["verdicts"]
