"""A small dataset and a tiny encoder, so that every recipe can be tried."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from tests.decisions import rows, written
from tests.encoders.tiny import tiny_encoder
from tests.encoders.tiny_text import tiny_text_model

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import Dataset


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """The carried corpus, built as `anagnosis demo` builds it."""
    out = tmp_path_factory.mktemp("recipes") / "demo"
    return api.build("biomrc", [carried()], out, recipe="biomrc-demo", workers=1)


@pytest.fixture(scope="session")
def decided(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """A small set of labelled questions, its train part also standing for dev."""
    folder = tmp_path_factory.mktemp("recipes")
    made = api.import_dataset(
        written(folder / "l.json", rows()), folder / "built", layout="pubmedqa", split="train"
    )
    found = list(store.instances(made, "train"))
    return writing.write(folder / "both", {"train": found[:20], "dev": found[20:]}, made.recipe)


@pytest.fixture(scope="session")
def ruled(decided: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """The same questions with labels by rule, as of other articles."""
    found = [
        msgspec.structs.replace(instance, id=f"1{instance.id}", subset="A")
        for instance in store.instances(decided, store.ALL)
    ]
    folder = tmp_path_factory.mktemp("recipes") / "built"
    return writing.write(folder, {"train": found}, {"dataset": "pubmedqa", "kind": "decision"})


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The tiny model that stands for the one of a reader's recipe."""
    folder = tmp_path_factory.mktemp("recipes")
    others = {"text-to-text": tiny_text_model(folder / "text")}
    encoder = tiny_encoder(folder / "tiny")
    return lambda reader: str(others.get(reader, encoder))
