"""What the choices of `anagnosis build` do: a limit, dates, splits, and rules that leave nothing."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.builds import Builder, contents, sources, texts

from anagnosis import api, cli
from anagnosis.corpus import synthetic
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.io.files import open_input


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return sources(tmp_path_factory.mktemp("sources"))


@pytest.fixture
def build(paths: list[Path], tmp_path: Path) -> Builder:
    return Builder(paths, tmp_path)


@pytest.mark.parametrize("limit", [1, 30, 100, 200])
def test_a_limit_gives_what_the_first_documents_alone_would(build: Builder, limit: int) -> None:
    limited = build("limited", limit=limit)
    alone: list[Path] = []
    left = limit
    (build.folder / "alone").mkdir()
    for path in build.paths:
        with open_input(path) as stream:
            documents = re.split(rb"(?m)^(?=[^|\t\n]+\|t\|)", stream.read())[1:]
        if left:
            alone.append(build.folder / "alone" / path.name)
            alone[-1].write_bytes(b"".join(documents[:left]))
        left = max(0, left - len(documents))
    whole = replace(build, paths=alone)("whole")
    assert limited.receipt.documents == whole.receipt.documents
    assert limited.receipt.documents.read == limit - left
    assert (limited.receipt.instances, limited.receipt.repairs, limited.receipt.refusals) == (
        whole.receipt.instances,
        whole.receipt.repairs,
        whole.receipt.refusals,
    )
    tables = {name: data for name, data in contents(limited.folder).items() if name.endswith(".parquet")}
    assert tables == {n: data for n, data in contents(whole.folder).items() if n.endswith(".parquet")}


def test_a_file_that_the_limit_cuts_short_has_no_hash(build: Builder) -> None:
    carried_file, synthetic_file = build("out", limit=100).receipt.inputs
    assert carried_file.sha256
    assert (synthetic_file.bytes, synthetic_file.sha256) == (build.paths[1].stat().st_size, "")


def test_a_limit_does_not_look_at_what_comes_after_it(tmp_path: Path) -> None:
    clean = texts(6, 3)
    (tmp_path / "a.pubtator").write_bytes(
        b"".join([*clean[:4], *(t.replace(b"\n", b"\r\n").replace(b"a", b"\xe9", 1) for t in clean[4:])])
    )
    build = Builder([tmp_path / "a.pubtator"], tmp_path)
    assert build("all").receipt.documents.refused == 2
    receipt = build("four", limit=4).receipt
    assert (receipt.documents.read, receipt.documents.refused, receipt.repairs) == (4, 0, {})


def run(build: Builder, out: str, *words: str) -> Dataset:
    command = [
        "build",
        "biomrc",
        *map(str, build.paths[1:2]),
        "--workers",
        "1",
        "--out",
        str(build.folder / out),
    ]
    assert cli.run([*command, *words]) == 0
    return api.load(build.folder / out)


@pytest.fixture
def dates(tmp_path: Path) -> dict[str, str]:
    """DATES.csv has a date for all but every tenth document, in no order of theirs."""
    dates = {
        document.id: f"{2000 + number * 7 % 20}-{1 + number % 12:02}"
        for number, document in enumerate(synthetic.documents(40, 5))
        if number % 10
    }
    (tmp_path / "DATES.csv").write_text("".join(f"{ident},{date}\n" for ident, date in dates.items()))
    return dates


def test_since_keeps_what_is_new_enough_and_counts_the_rest(build: Builder, dates: dict[str, str]) -> None:
    built = run(build, "out", "--dates", str(build.folder / "DATES.csv"), "--since", "2010-06")
    new = sorted(date for date in dates.values() if date >= "2010-06")
    assert built.receipt.documents.dropped == {"date_unknown": 4, "published_before": 36 - len(new)}
    assert built.receipt.documents.kept == len(new)
    assert (built.receipt.choices["first_date"], built.receipt.choices["last_date"]) == (new[0], new[-1])
    found = [instance for split in built.rows for instance in store.instances(built, split)]
    assert {instance.document: instance.date for instance in found} == {
        ident: date for ident, date in dates.items() if date >= "2010-06"
    }


def test_a_split_by_date_never_looks_ahead(build: Builder, dates: dict[str, str]) -> None:
    words = ["--set", "split=date", "--set", "split_weights={train=2, dev=1, test=1}"]
    built = run(build, "out", "--dates", str(build.folder / "DATES.csv"), *words)
    spans = [
        (min(found), max(found))
        for found in ([i.date for i in store.instances(built, split)] for split in ("train", "dev", "test"))
    ]
    assert spans[0][1] < spans[1][0] <= spans[1][1] < spans[2][0]
    assert built.receipt.documents.dropped == {"date_unknown": 4}


def test_a_split_by_document_stays_when_documents_come_and_go(build: Builder) -> None:
    words = ["--set", "split=document", "--set", "split_weights={train=2, dev=1, test=1}"]
    few, all_of_them = run(build, "few", "--limit", "20", *words), run(build, "all", *words)

    def documents(dataset: Dataset, split: str) -> set[str]:
        return {instance.document for instance in store.instances(dataset, split)}

    chosen = set[str]().union(*(documents(few, split) for split in few.rows))
    for split in ("train", "dev", "test"):
        assert documents(few, split) == documents(all_of_them, split) & chosen
    assert documents(run(build, "seed", "--set", "seed=1", *words), "train") != documents(
        all_of_them, "train"
    )


def test_the_receipt_names_the_dates_and_what_was_mended_in_them(build: Builder) -> None:
    citation = (
        "<MedlineCitation><PMID>{}</PMID><Article><Journal><JournalIssue><PubDate>{}</PubDate></JournalIssue>"
        "</Journal></Article></MedlineCitation>"
    )
    given = {"synthetic-0000001": "<Year>2001</Year><Month>Feb</Month><Day>31</Day>", "synthetic-0000002": ""}
    dates = build.folder / "dates.xml"
    dates.write_text(f"<S>{''.join(citation.format(*pair) for pair in given.items())}</S>")
    receipt = run(build, "out", "--dates", str(dates)).receipt
    assert receipt.choices["dates"] == "dates.xml"
    assert receipt.choices["dates_sha256"] == hashlib.sha256(dates.read_bytes()).hexdigest()
    assert receipt.repairs == {"citation_without_date": 1, "publication_day_impossible": 1}
    assert receipt.choices["first_date"] == receipt.choices["last_date"] == "2001-02"


@pytest.mark.parametrize("words", [["--since", "2010"], ["--set", "split=date"]])
def test_dates_that_are_asked_for_and_not_given_are_one_line_before_anything_is_touched(
    build: Builder, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = build.files("out")
    assert (
        cli.run(["build", "biomrc", *map(str, build.paths), "--out", str(build.folder / "out"), *words]) == 2
    )
    assert capsys.readouterr().err.splitlines() == [
        "anagnosis: --dates: the recipe asks for dates, and there are none; "
        "give a MEDLINE file or a table of PMID and date"
    ]
    assert contents(build.folder / "out") == before
