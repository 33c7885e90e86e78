"""The views of CliCR's questions beside what the loaders of the published readers make of the same files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER, ClozeInstance, entity_token
from anagnosis.datasets.kinds.cloze_views import view

# The published loaders take `BEG____END` for an entity without a word. Here it stays in the text.
WITH_EMPTY_ENTITY = "made-up-2017-000007"


def shown(text: str) -> str:
    """As the loaders write a text: in lower case, on one line."""
    return " ".join(text.lower().split())


def instances(given: Path, folder: Path) -> dict[str, ClozeInstance]:
    dataset = api.import_dataset(given, folder, layout="clicr", split="test")
    return {each.id: each for each in store.instances(dataset, "test", of=ClozeInstance)}


LOADERS = {
    "gated|ent-anonym": "anonymous",
    "gated|ent": "marked",
    "gated|no-ent": "plain",
    "stanford|relabeling=True": "anonymous-title-last",
    "stanford|relabeling=False": "marked-title-last",
}


@pytest.mark.parametrize("loader", LOADERS)
def test_the_published_loaders_show_the_same(shared: Path, tmp_path: Path, loader: str) -> None:
    folder = shared / "vectors" / "clicr" / "dataset"
    ours = instances(folder / "dataset-without-repeats1.0.json", tmp_path / "built")
    cases: dict[str, list[dict[str, Any]]] = json.loads((folder / "reader_instances.json").read_text())
    compared = 0
    for name, wanted in cases.items():
        if not name.startswith(f"{loader}|"):
            continue
        # The Gated-Attention loader compares whole answers with single tokens where entities are not marked.
        filtered = name.endswith(("training", "=True")) and "no-ent" not in name
        for each in wanted:
            if each["id"].startswith(WITH_EMPTY_ENTITY):
                continue
            compared += 1
            instance = ours[each["id"]]
            viewed = view(instance, LOADERS[loader], "original")
            assert shown(viewed.passage) == each["document"]
            asked = str(each.get("question") or each["query"]).removeprefix("@begin ").removesuffix(" @end")
            assert shown(viewed.question).replace(PLACEHOLDER.lower(), "@placeholder") == asked
            candidates = [candidate.lower() for candidate in viewed.candidates]
            if "candidates" in each:
                assert candidates == list(dict.fromkeys(each["candidates"]))
            hidden = shown(instance.answers[0]) in [candidate.key for candidate in instance.candidates]
            if viewed.answer is not None and (filtered or (hidden and "training" not in name)):
                assert candidates[viewed.answer] == each["answer"]
            elif filtered:
                pytest.fail(f"{each['id']}: the training filter keeps it, and it has no answer here")
    assert compared > 25


def test_a_name_becomes_the_programs_token(shared: Path) -> None:
    cases = json.loads((shared / "vectors/clicr/plain_to_ent.json").read_text("utf-8"))["cases"]
    for case in cases:
        (text,) = case["input"].values()
        assert entity_token(text) == case["output"], text
    assert len(cases) == 6
