"""Keys of instances: the same in every view, text form and dataset, and another for another question."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.readers import tiny_readers

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds import KINDS
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER, ClozeInstance, PassageMention
from anagnosis.datasets.kinds.cloze_views import view
from anagnosis.datasets.question_keys import key_of, keys_of

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Asked:
    question: str


def cloze(number: int = 0) -> ClozeInstance:
    return tiny_readers.instance(number, random.Random(number), signal=True)


def test_a_text_that_was_replaced_has_the_key_of_the_original() -> None:
    found = cloze()
    shown = view(found, "local", "original")
    mentions = [PassageMention(((start, end),), which) for start, end, which in shown.mentions]
    replaced = msgspec.structs.replace(
        found, id="text:1", passage=shown.passage, question=shown.question, mentions=tuple(mentions)
    )
    assert key_of(replaced) == key_of(found)


def test_another_passage_or_title_is_another_question() -> None:
    found = cloze()
    other = msgspec.structs.replace(found, passage=found.passage + " more")
    third = msgspec.structs.replace(found, question=f"{PLACEHOLDER} else")
    assert len({key_of(found), key_of(other), key_of(third), key_of(cloze(1))}) == 4


@given(st.text(st.characters(categories=["L", "N", "Z", "P"]), max_size=30))
def test_case_blanks_and_signs_say_nothing(text: str) -> None:
    assert key_of(Asked(f"  {text} ?")) == key_of(Asked(text))
    assert key_of(Asked(text.replace(" ", "  "))) == key_of(Asked(text))


@pytest.mark.parametrize("kind", KINDS)
def test_a_split_has_the_keys_of_its_instances(tmp_path: Path, kind: str) -> None:
    data = tiny_readers.dataset(tmp_path / "built", signal=True, kind=kind, train=9, test=4)
    expected = [key_of(each) for each in store.instances(data, "test")]
    assert keys_of(data, "test").tolist() == expected
    assert keys_of(data, "test", 3).tolist() == expected[:3]
