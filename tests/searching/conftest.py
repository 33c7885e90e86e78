"""A small collection of invented papers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")

from tests.encoders.tiny import tiny_encoder
from tests.searching.engines.contract_trial import PAPERS, index_of

from anagnosis.searching.index.index import Index

if TYPE_CHECKING:
    from anagnosis.searching.vectors.encoding import SentenceEncoder


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    """All papers, committed."""
    with closing(index_of(tmp_path / "index", *PAPERS)) as made:
        yield made


@pytest.fixture
def ids(index: Index) -> Callable[..., list[str]]:
    """Passages found for a question."""
    from anagnosis.searching.filters import Filters

    def found(question: str, **filters: object) -> list[str]:
        return [hit.passage.id for hit in index.search(question, Filters(**filters))]  # pyright: ignore[reportArgumentType]

    return found


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentence encoder of random weights."""
    pytest.importorskip("transformers", reason="the extra train is not installed")
    words = ["tea", "sleep", "cold", "fever", "salt", "walk"]
    return tiny_encoder(tmp_path_factory.mktemp("encoders") / "tiny", words=words)


@pytest.fixture(scope="session")
def encoder(tiny: Path) -> SentenceEncoder:
    from anagnosis.searching.vectors.encoding import SentenceEncoder

    return SentenceEncoder(str(tiny), "cpu")


@pytest.fixture
def encoded(index: Index, encoder: SentenceEncoder) -> Index:
    """The papers with vectors."""
    index.encode(encoder)
    return index
