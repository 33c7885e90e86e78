"""BioASQ's yes/no questions as decisions: which are taken, what the context and the label are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.golden_files import golden, ident, question, snippet

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import DecisionInstance

if TYPE_CHECKING:
    from pathlib import Path

TWICE = [snippet("Tea wakes."), snippet("Tea\n wakes."), snippet("Salt does not.", begin=90)]


def test_snippets_are_the_context_and_each_text_stands_once(tmp_path: Path) -> None:
    source = golden(tmp_path / "in", {"2B1": [question(1, "yesno", exact_answer="No.", snippets=TWICE)]})
    dataset = api.build("bioasq-decisions", [source], tmp_path / "built")
    (made,) = store.instances(dataset, "train", of=DecisionInstance)
    assert (made.id, made.label, made.subset, made.long_answer) == (ident(1), "no", "L", None)
    assert [section.text for section in made.context] == ["Tea wakes.", "Salt does not."]
    assert api.check(dataset).sound


def test_other_questions_are_left_out_and_counted(tmp_path: Path) -> None:
    found = [
        question(1, "yesno"),
        question(2, "factoid"),
        question(3, "list"),
        question(4, "yesno", exact_answer="perhaps"),
        question(5, "yesno", exact_answer=None),
    ]
    dataset = api.build("bioasq-decisions", [golden(tmp_path / "in", {"2B1": found})], tmp_path / "built")
    made = list(store.instances(dataset, "train", of=DecisionInstance))
    assert [(one.id, one.label, one.subset) for one in made] == [
        (ident(1), "yes", "L"),
        (ident(5), None, "U"),
    ]
    assert dataset.receipt.instances.dropped == {"other_type": 2, "not_yes_or_no": 1}
