"""`convert`, `demo` and the lists of what there is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.typed import Said

from anagnosis import api
from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.documents.formats import pubtator
from anagnosis.documents.repairs import Repairs
from anagnosis.io.files import open_input

SAMPLES = Path(__file__).resolve().parents[1] / "samples"


class TestConvert:
    @pytest.mark.parametrize(
        ("suffix", "head"), [("", b"ana0001|t|"), (".gz", b"\x1f\x8b"), (".zst", b"\x28\xb5\x2f\xfd")]
    )
    def test_convert_compresses_by_the_ending(
        self, said: Said, tmp_path: Path, suffix: str, head: bytes
    ) -> None:
        out = tmp_path / f"copy.pubtator{suffix}"
        told = said("convert", carried(), "--out", out)
        assert "81 documents written, 0 refused" in told
        assert re.search(r"mention_without_identifier +5\n", told)
        assert out.read_bytes().startswith(head)
        with open_input(out) as stream:
            copied = list(pubtator.read(stream, Repairs()))
        assert copied == list(api.read(carried()))

    def test_convert_to_standard_output_says_the_counts_elsewhere(
        self, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        assert run(["convert", str(carried()), "--out", str(tmp_path / "copy")]) == 0
        capfd.readouterr()
        assert run(["convert", str(carried()), "--out", "-"]) == 0
        printed = capfd.readouterr()
        assert printed.out == (tmp_path / "copy").read_text("utf-8")
        assert "81 documents written, 0 refused" in printed.err

    def test_convert_reads_bioc_and_writes_what_can_be_written(self, said: Said, tmp_path: Path) -> None:
        source = SAMPLES / "bioc/two-documents.xml"
        got = json.loads(said("convert", source, "--out", tmp_path / "a", "--json"))
        assert got["documents"] == 2
        assert list(got) == ["documents", "refused", "refusals", "left_out", "repairs", "losses", "replaced"]
        read = (tmp_path / "a").read_text("utf-8")
        assert "900001|a|Renal and hepatic failure were rare; naïve women did well." in read
        assert "900002|t|An editorial.\n\n" in read
        assert "jats can be read, not written" in said(
            "convert", carried(), "--to", "jats", "--out", tmp_path / "b", code=2
        )
        assert not (tmp_path / "b").exists()


class TestLists:
    @pytest.mark.parametrize(
        ("command", "names"),
        [
            ("formats", ["pubtator", "bioc-xml", "bioc-json"]),
            ("datasets", ["biomrc"]),
            ("readers", ["first-entity", "neighbour-overlap", "ngram-occurrences", "entity-prior"]),
            ("measures", ["accuracy", "ndcg", "map", "recall", "reciprocal_rank"]),
            ("recipes", ["biomrc", "biomrc-demo", "biomrc-strict", "bioread-ngram-occurrences"]),
        ],
    )
    def test_each_name_with_what_it_is(self, said: Said, command: str, names: list[str]) -> None:
        out, data = said(command), json.loads(said(command, "--json"))
        for name in names:
            assert re.search(rf"^{re.escape(name)} +{re.escape(data[name])}$", out, re.MULTILINE)
            assert len(data[name]) > 10
        assert len(out.splitlines()) == len(data)

    def test_a_recipe_with_its_comments_and_as_data(self, said: Said) -> None:
        text = said("recipes", "biomrc")
        assert re.search(r"^minimum_sentences = 10 +# section 2", text, re.MULTILINE)
        data = json.loads(said("recipes", "biomrc", "--json"))
        assert (data["minimum_sentences"], data["split_weights"]["train"]) == (10, 700000)


def test_demo_builds_compares_asks_and_ends_with_three_sentences(said: Said, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    out = said("demo", "--out", mine)
    assert (mine / "carried.pubtator").read_bytes() == carried().read_bytes()
    assert (mine / "carried.xml").read_bytes() == carried("medline").read_bytes()
    assert all((mine / made).exists() for made in ("report.html", "pubmedqa", "bioread", "clicr", "index"))
    assert len(out.splitlines()) < 300
    built, better, then = (line for line in out.splitlines()[-5:] if line)
    assert re.match(rf"Built: \d+ questions in {mine}/biomrc, \d+ questions in {mine}/pubmedqa, ", built)
    assert re.fullmatch(rf"Of 8 readers of {mine}/biomrc, \S+ is better than \S+\.", better)
    assert then.startswith(f"Next: open {mine}/report.html in a browser")
