"""Keys of instances: the same in every view, text form and dataset, and another for another question."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.readers import tiny_readers
from tests.rows import each_row

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds import KINDS
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER, ClozeInstance, PassageMention
from anagnosis.datasets.kinds.cloze_views import VIEWS, view
from anagnosis.datasets.kinds.decision import VIEWS as DECISION_VIEWS
from anagnosis.datasets.kinds.decision import posed
from anagnosis.datasets.kinds.question import KIND, TYPE
from anagnosis.datasets.question_keys import key_of, keys_of


@dataclass(frozen=True)
class Asked:
    question: str


def cloze(number: int = 0) -> ClozeInstance:
    return tiny_readers.instance(number, random.Random(number), signal=True)


@each_row("name", VIEWS)
def test_a_cloze_question_has_one_key_in_every_view(name: str) -> None:
    found = cloze()
    assert key_of(view(found, name, "original")) == key_of(found)


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


def test_decisions_and_types_have_the_key_of_their_question() -> None:
    draw = random.Random(0)
    decision = tiny_readers.decision(0, draw, signal=True)
    asked = tiny_readers.question(0, draw, signal=True)
    assert {key_of(posed(decision, name)) for name in DECISION_VIEWS} == {key_of(Asked(decision.question))}
    assert key_of(KIND.views[TYPE](asked, "", "")) == key_of(asked) == key_of(Asked(asked.question))


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
