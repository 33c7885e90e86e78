"""A fault of an engine's library is one line that names the index, whatever kind of exception it is."""

from __future__ import annotations

from typing import Any

import pytest
from tests.searching.engines.contract_trial import PAPERS

from anagnosis.cli import run
from anagnosis.errors import DamagedError
from anagnosis.searching.engines import embedded
from anagnosis.searching.engines.embedded import engine as engine_module
from anagnosis.searching.engines.embedded.engine import Embedded
from anagnosis.searching.engines.embedded.entries import Entries
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index, open_index
from anagnosis.searching.queries.meaning import words_query
from anagnosis.searching.queries.tree import TITLE

PanicException = type("PanicException", (BaseException,), {})


def failing(kind: type[BaseException]) -> object:
    def raises(*_: object, **__: object) -> object:
        raise kind("index out of\n bounds")

    return raises


@pytest.mark.parametrize("kind", [PanicException, ValueError])
def test_every_method_of_an_engine_is_guarded(
    kind: type[BaseException], index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = index.engine
    monkeypatch.setattr(Embedded, "_searcher", failing(kind))
    for call in (
        lambda: engine.search(words_query("tea"), Filters(), 3),
        lambda: engine.passages([("1", 0)]),
        lambda: list(engine.marks()),
        lambda: list(engine.marks(["1"])),
        lambda: list(engine.marks([], aliases=["pmid:1"])),
        lambda: engine.committed(),
        lambda: engine.frequency(["tea"]),
        lambda: engine.terms("journal", "x", 1),
        lambda: engine.facets(words_query("tea"), Filters(), 3),
        lambda: engine.papers(["1"]),
        lambda: engine.terms(TITLE, "sleap", 3, near=True),
    ):
        with pytest.raises(
            DamagedError, match=r"the search engine failed \(index out of bounds\)"
        ) as refused:
            call()
        assert refused.value.where == str(index.folder / "embedded")


def test_a_panic_on_the_command_line_is_one_line(
    index: Index, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    index.close()
    monkeypatch.setattr(embedded, "_opened", failing(PanicException))
    assert run(["search", str(index.folder), "tea"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_other_exceptions_pass(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Embedded, "_searcher", failing(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        index.engine.passages([("1", 0)])


def test_entries_are_read_and_verified_together(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """One by one, 1,000 passages took 1.7 times as long, and the marks of all papers 2.3 times."""
    engine, batches, whole = index.engine, list[int](), Entries.read

    def read(self: Entries, searcher: Any, places: list[Any]) -> list[Any]:
        batches.append(len(places))
        return whole(self, searcher, places)

    monkeypatch.setattr(Entries, "read", read)
    marks = list(engine.marks())
    assert (len(marks), batches) == (len(PAPERS), [len(PAPERS)])
    places = [(ident, 0) for ident, *_ in marks]
    asked = [("nobody's", 0), *places, (places[0][0], 99)]
    found = engine.passages(asked)
    assert batches[1:] == [len(places)]
    assert [found[0], found[-1]] == [None, None]
    assert [passage and passage.document for passage in found[1:-1]] == [ident for ident, _ in places]
    monkeypatch.setattr(engine_module, "_TOGETHER", 2)
    assert list(engine.marks()) == marks
    assert max(batches[2:]) == 2


def test_papers_are_found_as_before(index: Index) -> None:
    index.close()
    assert open_index(index.folder).count().documents == len(PAPERS)
