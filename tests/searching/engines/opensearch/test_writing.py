"""A writer writes whole papers, and what it leaves when it is killed, the next one finishes, whatever it writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.searching.engines.opensearch.kept_cluster import Kept, KeptCluster, KeptSearches

from anagnosis.errors import InputError
from anagnosis.searching.engines.opensearch import lock, writing
from anagnosis.searching.engines.opensearch.entries import digest, entry
from anagnosis.searching.engines.opensearch.lock import Lock, unlock
from anagnosis.searching.engines.opensearch.writing import Writer
from anagnosis.searching.records.paper import Paper
from anagnosis.searching.records.passage import Passage

Input = Mapping[str, list[str]]  # document → the texts of its passages
OLD: Input = {"a": ["one", "two", "three"], "b": ["four"], "c": ["five", "six"], "d": ["seven"]}
NEW: Input = {"a": ["one"], "b": ["four"], "c": ["five", "six", "eight"], "e": ["nine", "ten"]}


class Killed(BaseException):
    """The end of a process: nothing of it is cleaned up."""


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing.time, "sleep", lambda seconds: None)


def paper(document: str, texts: list[str]) -> writing.PaperEntry:
    passages = [Passage(document, number, "abstract", "", "", text) for number, text in enumerate(texts)]
    return entry(passages, f"mark of {' '.join(texts)}", Paper())


def command(cluster: KeptCluster, wanted: Input, *, small: int = 1_000) -> None:
    """What `index` does: write what differs from the marks that it sees, remove the rest, commit."""
    writer = Writer(KeptSearches(cluster))
    try:
        there = {name: one[0] for name, one in cluster.kept.papers().items() if one[0] is not None}
        for number, (document, texts) in enumerate(wanted.items()):
            made = paper(document, texts)
            mark = cluster_mark(made)
            if there.get(document) != mark:
                if document in there:
                    writer.delete(document)
                writer.write(made)
            if number % small == small - 1:
                writer.commit()
        for document in there.keys() - wanted.keys():
            writer.delete(document)
        writer.commit()
    finally:
        writer.close()


def cluster_mark(made: writing.PaperEntry) -> str:
    import json

    assert made.final is not None
    return json.loads(made.final)["mark"]


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


def test_papers_are_as_they_were_given() -> None:
    kept = loaded(OLD)
    assert {name: [*one[2].values()] for name, one in kept.papers().items()} == OLD
    assert {name: one[1] for name, one in kept.papers().items()} == {
        name: len(own) for name, own in OLD.items()
    }
    assert kept.lock is None
    command(KeptCluster(kept), NEW)
    assert kept.papers() == loaded(NEW).papers()


@pytest.mark.parametrize("following", [NEW, OLD, {**NEW, "a": ["one", "two", "three", "more"]}])
def test_a_command_finishes_what_a_killed_one_left(monkeypatch: pytest.MonkeyPatch, following: Input) -> None:
    """At each of its requests, with the same input afterwards or another one."""
    monkeypatch.setattr(writing, "MOST_LINES", 6)
    monkeypatch.setattr(lock.Owner, "has_died", True)
    expected, at = loaded(following).papers(), 0
    while True:
        kept = loaded(OLD)
        cluster = KeptCluster(kept, killing(at))
        try:
            command(cluster, NEW, small=2)
        except Killed:
            pass
        else:
            break
        command(KeptCluster(kept), following)
        assert kept.papers() == expected, f"killed before request {at}"
        at += 1
    assert at > 15


def test_a_paper_is_never_split_and_bulks_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MOST_LINES", 10)
    sizes = [1, 2, 3, 20, 1, 1, 1, 1, 1, 1, 4, 5, 1]
    cluster = KeptCluster(Kept())
    command(cluster, {f"d{number}": ["text"] * size for number, size in enumerate(sizes)})
    for number, size in enumerate(sizes):
        ident = digest(f"d{number}")
        own = [ident, *(f"{ident}#{at}" for at in range(size))]
        holding = [bulk for bulk in cluster.bulks if own[-1] in bulk]
        assert len(holding) == 1
        begin = holding[0].index(ident)
        assert holding[0][begin : begin + len(own)] == own, f"lines of a paper of {size} passages"
    assert max(len(bulk) for bulk in cluster.bulks if f"{digest('d3')}#0" not in bulk) <= 10


def test_what_comes_late_changes_nothing() -> None:
    """A bulk of a stopped and unlocked writer arrives after the next command; the one after that repairs the rest."""
    kept = loaded(OLD)
    late = KeptCluster(kept)
    stopped = Writer(KeptSearches(late))
    stopped.write(paper("e", ["a", "late", "paper", "of", "five"]))
    stopped.write(paper("a", ["late"]))
    unlock(late)
    command(KeptCluster(kept), NEW)
    with pytest.raises(InputError, match="another command has taken over"):
        stopped.commit()
    assert kept.papers() == loaded(NEW).papers()
    # What it had sent before it was stopped is no longer checked.
    lines = [*stopped._written(paper("e", ["a", "late", "paper", "of", "five"]))]  # pyright: ignore[reportPrivateUsage]
    late.send("POST", "/papers/_bulk", b"".join(one.data for one in lines))
    command(KeptCluster(kept), NEW)
    assert kept.papers() == loaded(NEW).papers()


def busy(targets: list[dict[str, object]]) -> list[dict[str, object]]:
    error = {"type": "rejected_execution_exception", "reason": "queue"}
    return [{"index": {"_id": one["_id"], "status": 429, "error": error}} for one in targets]


def refusing(number: int) -> Callable[[list[dict[str, object]]], list[dict[str, object]]]:
    def answer(targets: list[dict[str, object]]) -> list[dict[str, object]]:
        error = {"type": "mapper_parsing_exception", "reason": "too odd"}
        items = [{"_id": one["_id"], "status": 201} for one in targets]
        items[number] |= {"status": 400, "error": error}
        return [{"index": one} for one in items]

    return answer


def test_a_busy_cluster_is_asked_again() -> None:
    kept = Kept()
    cluster = KeptCluster(kept)
    cluster.answers = [busy, busy]  # pyright: ignore[reportAttributeAccessIssue]
    command(cluster, OLD)
    assert kept.papers() == loaded(OLD).papers()


def test_a_cluster_that_stays_busy_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "_PATIENCE", 0.0)
    cluster = KeptCluster(Kept())
    cluster.answers = [busy] * 9  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(InputError, match="queue"):
        command(cluster, OLD)
    assert cluster.kept.lock is None


def test_a_later_writer_ends_an_earlier_one() -> None:
    kept = loaded(OLD)
    cluster = KeptCluster(kept)
    kept.versions = dict.fromkeys(kept.versions, 1_000_000)
    with pytest.raises(InputError, match="a later command has written here"):
        command(cluster, NEW)


def test_a_refused_paper_is_named_and_unfinished(capsys: pytest.CaptureFixture[str]) -> None:
    kept = Kept()
    cluster = KeptCluster(kept)
    cluster.answers = [refusing(2)]  # pyright: ignore[reportAttributeAccessIssue]
    command(cluster, {"a": ["one", "two", "three"]})
    assert "a is left out, since the cluster refuses it (too odd)" in capsys.readouterr().err
    assert kept.papers() == {}
    command(KeptCluster(kept), OLD)
    assert kept.papers() == loaded(OLD).papers()


def test_one_process_writes() -> None:
    kept = Kept()
    held = Lock(KeptCluster(kept))
    with pytest.raises(InputError, match=r"another command is writing \(process \d+ on .*--unlock"):
        Writer(KeptSearches(KeptCluster(kept)))
    held.release()
    Writer(KeptSearches(KeptCluster(kept))).close()
    assert unlock(KeptCluster(kept)) == ""
    Lock(KeptCluster(kept))
    assert "process " in unlock(KeptCluster(kept))


@settings(max_examples=30)
@given(
    st.lists(
        st.dictionaries(st.sampled_from("abcdef"), st.lists(st.just("x"), min_size=1, max_size=4)), max_size=4
    )
)
def test_any_inputs_after_each_other_leave_the_last(inputs: list[dict[str, list[str]]]) -> None:
    kept = loaded(*inputs)
    assert {name: [*one[2].values()] for name, one in kept.papers().items()} == (inputs[-1] if inputs else {})
