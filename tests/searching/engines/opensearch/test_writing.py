"""The writer of a cluster, killed before each of its requests, beside late bulks, refusals and other writers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.searching.engines.opensearch.kept_cluster import Items, Kept, KeptCluster

pytest.importorskip("opensearchpy", reason="the extra opensearch is not installed")

from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError
from anagnosis.searching.engines.opensearch import lease, writing
from anagnosis.searching.engines.opensearch.lease import Lease
from anagnosis.searching.engines.opensearch.writing import Writer
from anagnosis.searching.papers.records import StoredPaper, record_of

Input = Mapping[str, str]
OLD = {"a": "one", "b": "two", "c": "three", "d": "four"}
NEW = {"a": "one", "b": "other", "d": "four", "e": "five", "f": "six"}


class Killed(BaseException):
    """The process ends here."""


@pytest.fixture(autouse=True)
def short_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "LEASE", 0.0)
    monkeypatch.setattr(lease, "_PAUSE", 0.01)
    monkeypatch.setattr(writing, "_FIRST_PAUSE", 0.01)


def paper(name: str, text: str, source: str = "", run: int = 1) -> StoredPaper:
    return StoredPaper(name, (record_of(Document(name, (Section("abstract", text),)), source, run),))


def papers(wanted: Input) -> dict[str, StoredPaper]:
    return {name: paper(name, text) for name, text in wanted.items()}


def command(cluster: KeptCluster, wanted: Input, *, small: int = 1_000) -> None:
    """What `index` does: write what differs from what it sees, remove the rest, commit."""
    writer = Writer(cluster)
    try:
        there = cluster.kept.papers()
        for number, (name, stored) in enumerate(papers(wanted).items()):
            if there.get(name) != stored:
                writer.write(name, stored)
            if number % small == small - 1:
                writer.commit()
        for name in there.keys() - wanted.keys():
            writer.write(name, None)
        writer.commit()
    finally:
        writer.close()


def loaded(*inputs: Input) -> Kept:
    kept = Kept()
    for one in inputs:
        command(KeptCluster(kept), one)
    return kept


def killing(at: int) -> Callable[[int, str], None]:
    """Ends the process before request `at`, and refuses all that it would still send."""

    def before(number: int, path: str) -> None:
        if number >= at:
            raise Killed(path)

    return before


@settings(max_examples=30)
@given(st.lists(st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("xyz")), max_size=4))
def test_any_inputs_after_each_other_leave_the_last(inputs: list[Input]) -> None:
    kept = loaded(*inputs)
    assert kept.papers() == papers(inputs[-1] if inputs else {})
    assert not inputs or kept.version
    assert "lease" not in kept.documents


@pytest.mark.parametrize("following", [NEW, OLD, {**NEW, "a": "more"}])
def test_a_command_finishes_what_a_killed_one_left(monkeypatch: pytest.MonkeyPatch, following: Input) -> None:
    """At each of its requests, with the same input afterwards or another one."""
    monkeypatch.setattr(writing, "MOST_PAPERS", 2)
    monkeypatch.setattr(lease, "BEAT", 100.0)
    at = 0
    while True:
        kept = loaded(OLD)
        version = kept.version
        try:
            command(KeptCluster(kept, killing(at)), NEW, small=3)
        except Killed:
            pass
        else:
            break
        kept.shown = dict(kept.documents)  # a shard that moves shows all
        assert kept.papers() == papers(OLD) or kept.version != version, f"killed before request {at}"
        command(KeptCluster(kept), following)
        assert kept.papers() == papers(following), f"killed before request {at}"
        assert kept.version != version
        at += 1
    assert at > 12


def test_bulks_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MOST_PAPERS", 3)
    monkeypatch.setattr(writing, "MOST_LETTERS", 3_000)
    cluster = KeptCluster(Kept())
    wanted = {f"d{number}": "text " * size for number, size in enumerate([1, 1, 1, 1, 900, 1, 1])}
    command(cluster, wanted)
    assert cluster.bulks == [3, 2, 2]
    assert cluster.kept.papers() == papers(wanted)


def test_changes_of_one_command_follow_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MOST_PAPERS", 1)
    kept = loaded(OLD)
    writer = Writer(KeptCluster(kept))
    committed = {name: writing.Found(kept.shown[writing.ident(name)][0], 1) for name in "ab"}
    for name, texts in (("a", ("longer than it", None, "x")), ("b", ("longer than it", "y")), ("g", ("z",))):
        for text in texts:
            writer.write(name, None if text is None else paper(name, text))
            if name in committed:
                writer.has_read(name, committed[name])
    writer.commit()
    writer.write("g", paper("g", "other"))
    writer.commit()
    writer.close()
    assert kept.papers() == papers({**OLD, "a": "x", "b": "y", "g": "other"})


@pytest.mark.parametrize("late", ["late", "new"])
def test_what_another_command_has_written_meanwhile_is_not_replaced(late: str) -> None:
    """A killed writer's bulk arrives between what the next command reads and what it writes; the same is no matter."""
    kept = loaded(OLD)
    writer = Writer(KeptCluster(kept))
    writer.has_read("a", writing.Found(kept.shown[writing.ident("a")][0], 1))
    lines = writer._lines("a", paper("a", late, run=2))  # pyright: ignore[reportPrivateUsage]
    KeptCluster(kept).send("POST", "/papers/_bulk", b"\n".join(lines))
    writer.write("a", paper("a", "new", run=2))
    if late == "new":
        writer.commit()
    else:
        with pytest.raises(InputError, match="has meanwhile written a; give the same command again"):
            writer.commit()
    writer.close()
    assert kept.documents[writing.ident("a")][1]["content"] == [late]
    command(KeptCluster(kept), NEW)
    assert kept.papers() == papers(NEW)


def test_what_comes_after_the_next_command_changes_nothing_that_it_has_written() -> None:
    kept = loaded(OLD)
    killed = Writer(KeptCluster(kept))
    for name, place in ((name, kept.shown[writing.ident(name)][0]) for name in "ab"):
        killed.has_read(name, writing.Found(place, 1))
    lines = [line for name in "abz" for line in killed._lines(name, paper(name, "late"))]  # pyright: ignore[reportPrivateUsage]
    killed.close()
    command(KeptCluster(kept), NEW)
    KeptCluster(kept).send("POST", "/papers/_bulk", b"\n".join(lines))
    command(KeptCluster(kept), NEW)
    assert kept.papers() == papers(NEW)


def busy(targets: Items) -> Items:
    error = {"type": "rejected_execution_exception", "reason": "queue"}
    return [{"status": 429, "error": error} for _ in targets]


def refusing(targets: Items) -> Items:
    error = {"type": "mapper_parsing_exception", "reason": "too odd"}
    return [{"status": 400, "error": error} for _ in targets]


def test_a_busy_cluster_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = KeptCluster(Kept())
    cluster.answers = [busy, busy]
    command(cluster, OLD)
    assert cluster.kept.papers() == papers(OLD)
    monkeypatch.setattr(writing, "_PATIENCE", 0.0)
    cluster.answers = [busy] * 9
    with pytest.raises(InputError, match="queue"):
        command(cluster, NEW)
    assert "lease" not in cluster.kept.documents


def test_a_change_without_a_status_is_not_taken_for_written() -> None:
    cluster = KeptCluster(Kept())
    cluster.answers = [lambda items: [{} for _ in items]]
    with pytest.raises(InputError, match="a change without a status"):
        command(cluster, {"a": "one"})


def test_a_refused_paper_ends_the_command() -> None:
    cluster = KeptCluster(Kept())
    cluster.answers = [refusing]
    with pytest.raises(InputError, match=r"the cluster answers 400 \(too odd\)"):
        command(cluster, {"a": "one"})


@pytest.mark.parametrize("path", ["/papers/_refresh", "/_cluster/health/papers"])
def test_an_answer_without_shards_or_status_is_no_success(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    cluster = KeptCluster(Kept())
    reply = cluster._reply  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(cluster, "_reply", lambda how, of, *rest: {} if of == path else reply(how, of, *rest))
    with pytest.raises(InputError, match="not all shards are there"):
        Writer(cluster)


def test_one_process_writes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(lease, "BEAT", 0.02)
    monkeypatch.setattr(lease, "LEASE", 5.0)
    kept = loaded(OLD)
    held = Lease(KeptCluster(kept))
    with pytest.raises(InputError, match=r"another command is writing \(process \d+ on .*give this one"):
        Writer(KeptCluster(kept))
    assert "waiting to see whether process" in capsys.readouterr().err
    held.release()
    command(KeptCluster(kept), NEW)
    assert kept.papers() == papers(NEW)


def test_a_lease_that_is_given_back_or_taken_meanwhile_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "BEAT", 100.0)
    monkeypatch.setattr(lease, "LEASE", 1.0)
    kept = loaded(OLD)
    held = Lease(KeptCluster(kept))
    command(KeptCluster(kept, lambda number, path: held.release() if number == 2 else None), NEW)
    assert kept.papers() == papers(NEW)
    others = list[Lease]()

    def takes(number: int, path: str) -> None:
        if number == 1:
            others.append(Lease(KeptCluster(kept)))

    with pytest.raises(InputError, match=r"another command is writing \(process "):
        Lease(KeptCluster(kept, takes))
    others[0].check()
    others[0].release()


def test_a_writer_that_was_taken_over_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "BEAT", 100.0)  # as if it were stopped
    kept = loaded(OLD)
    stopped = Writer(KeptCluster(kept))
    stopped.write("a", paper("a", "late"))
    command(KeptCluster(kept), NEW)
    monkeypatch.setattr(lease, "BEAT", 0.0)
    with pytest.raises(
        InputError, match=r"another command is writing \(one that has just ended\); give this"
    ):
        stopped.commit()
    stopped.close()
    assert kept.papers() == papers(NEW)
