"""Screen, settle, write: the same bytes whatever the blocks, the workers and what went wrong before."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import re
import shutil
import signal
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builds import contents

from anagnosis import api, cli, shards
from anagnosis.corpus import carried, synthetic
from anagnosis.datasets import store, three_phases
from anagnosis.datasets.biomrc import build as biomrc
from anagnosis.datasets.store import Dataset
from anagnosis.documents import pubtator
from anagnosis.documents.document import Document
from anagnosis.errors import InputError
from anagnosis.files import open_input
from anagnosis.progress import Progress

BLOCK_BYTES = 12_000


@dataclass(frozen=True, slots=True)
class Builder:
    """Builds from the same files in small blocks; with one worker where nothing else is said."""

    paths: list[Path]
    folder: Path

    def __call__(self, out: str, **given: Any) -> Dataset:
        given = {"workers": 1, "block_bytes": BLOCK_BYTES, **given}
        return api.build("biomrc", self.paths, self.folder / out, **given)

    def files(self, out: str, **given: Any) -> dict[str, bytes]:
        return contents(self(out, **given).folder)

    def partial_results(self, out: str) -> set[str]:
        return {path.name for path in (self.folder / out / store.WORK).rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The carried corpus, which every rule drops something of, synthetic documents, and some of these again."""
    folder = tmp_path_factory.mktemp("sources")
    shutil.copy(carried(), folder / "carried.pubtator")
    api.generate(40, folder / "synthetic.pubtator.gz", seed=5)
    api.generate(10, folder / "repeated.pubtator", seed=5)
    return [folder / name for name in ("carried.pubtator", "synthetic.pubtator.gz", "repeated.pubtator")]


@pytest.fixture
def build(paths: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Builder:
    monkeypatch.setattr(store, "PART_ROWS", 25)
    return Builder(paths, tmp_path)


def texts(count: int, seed: int) -> list[bytes]:
    """Synthetic documents as PubTator text, one by one."""
    return [text(document) for document in synthetic.documents(count, seed)]


def text(document: Document) -> bytes:
    stream = io.BytesIO()
    pubtator.write([document], stream)
    return stream.getvalue()


class Killed(BaseException):
    """Ends a build on the spot."""


def kill_at(monkeypatch: pytest.MonkeyPatch, place: Any, name: str, build: Callable[[], object]) -> None:
    """Run a build that dies when it calls that function."""

    def die(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(place, name, die)
        with pytest.raises(Killed):
            build()


# The same bytes


@pytest.mark.parametrize("block_bytes", [1, 5_000, 8 << 20])
def test_the_size_of_the_blocks_changes_no_byte(
    build: Builder, block_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "GROUP_ROWS", 10)  # so that groups gather rows of several blocks
    assert build.files("other", block_bytes=block_bytes) == build.files("out")


DIRT: dict[str, Callable[[bytes], bytes]] = {
    "none": lambda text: text,
    "windows line ends": lambda text: text.replace(b"\n", b"\r\n"),
    "NUL": lambda text: text.replace(b" ", b"\0", 2),
    "not UTF-8": lambda text: text.replace(b"a", b"\xe9", 1),
    "a blank line inside": lambda text: text.replace(b"\nsynthetic", b"\n\nsynthetic", 3),
    "no abstract": lambda text: b"\n".join(line for line in text.split(b"\n") if b"|a|" not in line),
    "a stray line": lambda text: text.replace(b"\n\n", b"\nstray\n\n"),
    "no blank line after": lambda text: text.removesuffix(b"\n"),
    "many blank lines after": lambda text: text + b"\n\n\n",
    "rows out of order": lambda text: (
        b"\n".join([*text.split(b"\n")[:2], *text.split(b"\n")[:1:-1]]) + b"\n\n"
    ),
}


@settings(max_examples=12)
@given(
    st.lists(st.sampled_from(sorted(DIRT)), min_size=1, max_size=8),
    st.integers(1, 12_000),
    st.none() | st.integers(1, 9),
)
def test_no_dirt_makes_the_blocks_matter(dirt: list[str], block_bytes: int, limit: int | None) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "dirty.pubtator"
        dirty = zip(texts(len(dirt), 3), dirt, strict=True)
        source.write_bytes(b"".join(DIRT[name](clean) for clean, name in dirty))
        build = Builder([source], Path(scratch))
        small = build.files("small", block_bytes=block_bytes, limit=limit)
        assert small == build.files("large", block_bytes=8 << 20, limit=limit)


def test_two_workers_give_the_bytes_of_one(build: Builder) -> None:
    assert build.files("two", workers=2) == build.files("one")


def test_a_cluster_that_loses_a_worker_gives_the_same_bytes(
    build: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed")
    advance = Progress.advance
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50, host="127.0.0.1"
    ) as cluster:
        address: str = cluster.scheduler_address
        assert address.startswith("tcp://")
        with distributed.Client(address, set_as_default=False) as client:
            workers: list[int] = list(client.run(os.getpid).values())

        def kill_one_midway(bar: Progress, n: int = 1, share: float | None = None) -> None:
            advance(bar, n, share)
            if bar.label == "screen" and bar.done > 30 and len(workers) == 2:
                os.kill(workers.pop(), signal.SIGKILL)

        monkeypatch.setattr(Progress, "advance", kill_one_midway)
        # The workers run in another directory than the one to which this path is relative.
        monkeypatch.chdir(build.folder)
        api.build("biomrc", build.paths, "cluster", cluster=address, block_bytes=BLOCK_BYTES)
    assert len(workers) == 1
    assert contents(build.folder / "cluster") == build.files("one")


def test_documents_of_a_structured_format_are_cut_into_blocks_too(tmp_path: Path) -> None:
    documents = list(synthetic.documents(30, 3))
    (tmp_path / "a.pubtator").write_bytes(b"".join(map(text, documents)))
    (tmp_path / "a.json").write_text(json.dumps({"documents": [bioc(document) for document in documents]}))
    plain = Builder([tmp_path / "a.pubtator"], tmp_path)("plain")
    structured = Builder([tmp_path / "a.json"], tmp_path)
    once = structured.files("once", block_bytes=8 << 20, limit=20)
    assert structured.files("small", block_bytes=5_000, limit=20) == once
    assert structured("all").receipt.documents == plain.receipt.documents
    assert store.fingerprint(structured("all"), "train") == store.fingerprint(plain, "train")


def bioc(document: Document) -> dict[str, Any]:
    passages: list[dict[str, Any]] = []
    offset = 0
    for section in document.sections:
        end = offset + len(section.text)
        passages.append(
            {
                "infons": {"type": section.label},
                "offset": offset,
                "text": section.text,
                "annotations": [
                    {
                        "infons": {"type": mention.type, "identifier": mention.identifier},
                        "text": mention.text,
                        "locations": [{"offset": mention.start, "length": len(mention.text)}],
                    }
                    for mention in document.mentions
                    if offset <= mention.start < end
                ],
            }
        )
        offset = end + 1
    return {"id": document.id, "passages": passages}


# Killed and started again


@pytest.mark.parametrize(
    ("place", "name", "again"),
    [(three_phases, "settle", {"write"}), (Path, "rename", set[str]()), (store, "card", {"write"})],
    ids=["before settling", "before the parts take their names", "before the card"],
)
def test_done_work_is_not_done_again(
    build: Builder, monkeypatch: pytest.MonkeyPatch, place: Any, name: str, again: set[str]
) -> None:
    kill_at(monkeypatch, place, name, lambda: build("out"))
    done: set[str] = set()
    screen, write_part = biomrc.screen, store.write_part
    monkeypatch.setattr(biomrc, "screen", lambda *given: (done.add("screen"), screen(*given))[1])
    monkeypatch.setattr(store, "write_part", lambda *given: (done.add("write"), write_part(*given))[1])
    files = build.files("out")
    assert done == again
    assert files == build.files("untroubled")


def test_killed_before_the_input_changed_the_result_is_that_of_the_new_input(
    build: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = build.folder / "changed.pubtator"
    whole = build.paths[0].read_bytes()
    changed.write_bytes(whole)
    build = replace(build, paths=[changed, *build.paths[1:]])
    kill_at(monkeypatch, three_phases.entities, "write", lambda: build("out"))
    changed.write_bytes(whole.replace(b"patients", b"children"))
    assert build.files("out") == build.files("untroubled")


@pytest.mark.parametrize("place", ["settle", "finish"])
def test_killed_before_the_recipe_changed_the_result_is_that_of_the_new_recipe(
    build: Builder, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    where = {"settle": three_phases, "finish": store}[place]
    kill_at(monkeypatch, where, place, lambda: build("out"))
    other = {"recipe": "biomrc-strict", "settings": {"minimum_sentences": 12, "split": "document"}}
    assert build.files("out", **other) == build.files("untroubled", **other)


def test_a_finished_folder_is_built_over_again(build: Builder) -> None:
    files = build.files("out")
    build("out", settings={"minimum_sentences": 13})
    assert contents(build.folder / "out") != files
    assert build.files("out") == files


def test_what_an_aborted_write_left_goes_and_disturbs_nothing(build: Builder) -> None:
    out = build.folder / "out"
    for name in (
        ".receipt.json.x1.part",
        ".recipe.toml.x2.part",
        ".entities.parquet.x3.part",
        "data/.train-00000-of-00002.parquet.x4.part",
        "data/train-00000-of-00009.parquet",
        ".work/screen/.0123.arrow.x5.part",
        ".work/screen/0123.arrow",
        ".work/write/.4567.parquet.x6.part",
        ".work/input/89ab-0",
    ):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_bytes(b"half")
    assert build.files("out") == build.files("untroubled")


@pytest.mark.parametrize("changed", ["nothing", "a document", "the recipe", "the version", "a library"])
def test_a_partial_result_is_named_by_block_recipe_and_program(
    build: Builder, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    source = build.folder / "a.pubtator"
    documents = texts(20, 4)
    source.write_bytes(b"".join(documents))
    build = replace(build, paths=[source])
    kill_at(monkeypatch, three_phases, "settle", lambda: build("out"))
    before = build.partial_results("out")
    given: dict[str, Any] = {}
    if changed == "a document":
        source.write_bytes(
            b"".join([*documents[:15], documents[15].replace(b"|t|", b"|t|x ", 1), *documents[16:]])
        )
    elif changed == "the recipe":
        given["settings"] = {"minimum_sentences": 9}
    elif changed == "the version":
        monkeypatch.setattr(three_phases, "__version__", "0.0.0")
    elif changed == "a library":
        monkeypatch.setattr(three_phases, "version", lambda name: f"0.0.0 of {name}")
    three_phases.program_digest.cache_clear()
    kill_at(monkeypatch, three_phases, "settle", lambda: build("out", **given))
    three_phases.program_digest.cache_clear()
    new = build.partial_results("out") - before
    if changed == "nothing":
        assert not new
    elif changed == "a document":
        assert 0 < len(new) < len(before)
    else:
        assert len(new) == len(before)


def test_a_full_disk_is_one_line_and_leaves_what_was_done(
    build: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = 10

    def fsync(_: int) -> None:
        nonlocal room
        room -= 1
        if room < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        with pytest.raises(InputError, match=r"writing failed: no space left on device; free some space"):
            build("out")
    names = build.partial_results("out")
    assert len(names) == 10
    assert not any(name.endswith(".part") for name in names)
    assert build.files("out") == build.files("untroubled")


def test_a_cluster_reads_blocks_from_the_disk_and_gives_their_room_back(
    build: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "dask", lambda address: shards.local(1))
    kill_at(monkeypatch, three_phases, "settle", lambda: build("out", cluster="tcp://here"))
    assert list((build.folder / "out/.work/screen").iterdir())
    assert not list((build.folder / "out/.work/input").iterdir())
    assert build.files("out", cluster="tcp://here") == build.files("untroubled")


# What is read, and what is left of it


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
        b"".join([*clean[:4], *(DIRT["not UTF-8"](DIRT["windows line ends"](text)) for text in clean[4:])])
    )
    build = Builder([tmp_path / "a.pubtator"], tmp_path)
    assert build("all").receipt.documents.refused == 2
    receipt = build("four", limit=4).receipt
    assert (receipt.documents.read, receipt.documents.refused, receipt.repairs) == (4, 0, {})


@pytest.mark.parametrize("settings", [{"minimum_sentences": 500}, {"minimum_identifiers": 21}])
def test_a_dataset_of_nothing_is_sound_and_says_so(
    build: Builder, settings: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    out = build.folder / "out"
    assigned = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    command = ["build", "biomrc", *map(str, build.paths), "--workers", "1", "--out", str(out)]
    assert cli.run([*command, *assigned]) == 0
    assert "0 instances: none" in capsys.readouterr().out
    built = api.load(out)
    assert (built.rows, built.receipt.documents.kept, built.receipt.instances.kept) == ({}, 0, 0)
    assert built.receipt.documents.read > 100
    assert api.check(built).sound


def test_a_collection_without_documents_is_a_dataset_of_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"source": "none", "documents": []}')
    built = Builder([tmp_path / "a.json"], tmp_path)("out")
    assert (built.rows, built.receipt.documents.read) == ({}, 0)
    assert api.check(built).sound


# Dates and splits from the command line


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
