"""A fault of an engine's library is one line that names the index, whatever kind of exception it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from anagnosis.cli import run
from anagnosis.errors import DamagedError
from anagnosis.searching.engines import embedded
from anagnosis.searching.engines.embedded.engine import Embedded
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries.meaning import words_query

if TYPE_CHECKING:
    from anagnosis.searching.index.index import Index

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
    monkeypatch.setattr(Embedded, "_commit", failing(kind))
    for call in (
        lambda: engine.search(words_query("tea"), Filters(), 3),
        lambda: engine.papers(["1"]),
        lambda: list(engine.every()),
        lambda: engine.with_keys(["pmid:1"]),
        lambda: engine.meeting(["1"], words_query("tea"), Filters()),
        lambda: engine.committed(),
        lambda: engine.rarity(["tea"]),
        lambda: engine.names("journal", "x", 1),
        lambda: engine.facets(words_query("tea"), Filters(), 3),
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
    monkeypatch.setattr(Embedded, "_commit", failing(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        index.engine.papers(["1"])
