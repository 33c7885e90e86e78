from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from tests.readers.prompted import sets
from tests.readers.prompted.sets import SNIPPETS, Replying
from tests.rows import each_row

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.datasets.kinds.cloze_views import VIEWS
from anagnosis.datasets.kinds.decision import ContextSection, DecisionInstance
from anagnosis.errors import InputError
from anagnosis.language_models.calls import Call, Reply
from anagnosis.language_models.prompts import named
from anagnosis.language_models.spending import Spent
from anagnosis.predictions import Answer, Prediction
from anagnosis.predictions.notes import ModelNote
from anagnosis.readers.prompted.reading import PromptedReader, Settings

Rule = Callable[[Call], str | Reply]


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return sets.questions(tmp_path_factory.mktemp("questions") / "built")


@pytest.fixture(scope="module")
def decisions(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return sets.decisions(tmp_path_factory.mktemp("decisions") / "built")


@pytest.fixture(scope="module")
def clozes(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return sets.clozes(tmp_path_factory.mktemp("clozes") / "built")


def reader(
    dataset: Dataset, prompt: str, view: str | None = None, seed: int = 0, **settings: Any
) -> PromptedReader:
    prompts = [named(each) for each in prompt.split()]
    how = Settings(**settings)
    return PromptedReader(dataset, prompts, how, model="tiny", view=view, seed=seed)


def answered(
    rule: Rule | str, dataset: Dataset, prompt: str, split: str = "test", limit: int | None = None, **how: Any
) -> tuple[list[Prediction], ModelNote, list[Call]]:
    """The lines without their fingerprint, the note, and what was asked."""
    model: Any = Replying(rule if callable(rule) else lambda call: rule)
    made = reader(dataset, prompt, **how)
    lines = list(made.predict(split, limit, model))
    assert {each.dataset for each in lines} == {store.fingerprint(dataset, split)}
    plain = [msgspec.structs.replace(each, dataset=None) for each in lines]
    return plain, made.note(model, ""), model.asked


def last(call: Call) -> str:
    return call.messages[-1].content


def shown(call: Call) -> list[str] | None:
    """The lines of the context."""
    _, *frame = last(call).split("\n---\n")
    return frame[0].split("\n") if frame else None


def test_each_prompt_asks_the_questions_of_its_type_and_all_get_a_line(questions: Dataset) -> None:
    lines, note, calls = answered('["MECP2"]', questions, "factoid@1 list@1", temperature=0.5)
    assert [each.id for each in lines] == [each.id for each in store.instances(questions, "test")]
    place = Answer("MECP2", None, 0, 0, 5)
    assert [each.answers for each in lines[:4]] == [[place], [place], [], []]
    assert len(calls) == 6
    assert {len(call.messages) for call in calls} == {2}
    assert calls[0] == Call("tiny", calls[0].messages, 96, 0.5, 0)
    assert calls[1].most == 256
    texts = [
        "MECP2 causes Rett syndrome.",
        "In girls, Rett syndrome is severe.",
        "Mutations of mecp2, 9 mutations.",
    ]
    assert shown(calls[0]) == texts
    assert "Question: Which gene is number 0?" in last(calls[0])
    assert note == ModelNote(
        model="tiny",
        prompts=(named("factoid@1").signed, named("list@1").signed),
        context="full",
        temperature=0.5,
        unasked=6,
        answers=6,
    )


def test_an_answer_has_its_place_as_other_readers_find_it_and_others_are_counted(questions: Dataset) -> None:
    reply = '["rett syndrome", "girls", "MECP", "mecp2", "Rett Syndrome", "mutations", "salt", "tea"]'
    lines, note, _ = answered(reply, questions, "factoid@1", limit=1)
    begin = SNIPPETS[0].index("Rett")
    assert lines[0].answers == [
        Answer("rett syndrome", None, 0, begin, begin + len("Rett  syndrome")),
        Answer("girls", None, 1, 3, 8),
        Answer("MECP"),
        Answer("mecp2", None, 0, 0, 5),
        Answer("mutations", None, 2, 0, 9),
    ]
    assert (note.answers, note.outside) == (5, 1)


def test_answers_of_single_snippets_are_merged_by_their_places(questions: Dataset) -> None:
    replies = {"MECP2 causes": '["MECP2", "Rett"]', "In girls": '["girls", "mecp2"]', "Mutations": "none"}

    def rule(call: Call) -> str:
        texts = shown(call)
        assert texts is not None
        assert len(texts) == 1
        return next(reply for head, reply in replies.items() if texts[0].startswith(head))

    lines, note, calls = answered(rule, questions, "factoid@1", limit=1, context="snippets")
    assert len(calls) == 3
    assert lines[0].answers == [
        Answer("MECP2", 1.5, 0, 0, 5),
        Answer("girls", 1.0, 1, 3, 8),
        Answer("Rett", 0.5, 0, 13, 17),
    ]
    assert (note.context, note.unparsed, note.answers) == ("snippets", 1, 3)


@each_row("kind", ["factoid@1", "pubmedqa@1", "cloze@1"])
def test_closed_book_shows_no_text_and_says_no_word_of_one(
    kind: str, questions: Dataset, decisions: Dataset, clozes: Dataset
) -> None:
    dataset = {"factoid@1": questions, "pubmedqa@1": decisions, "cloze@1": clozes}[kind]
    _, note, calls = answered('["MECP2"]', dataset, kind, limit=1, context="none", examples=1)
    for call in calls:
        assert not any("---" in each.content or "Text" in each.content for each in call.messages[1:])
    assert note.outside == note.answers == (kind == "factoid@1")


@each_row(
    ("view", "texts"),
    [
        (None, ["Tea was open.", "It helped."]),
        ("reasoning-required", ["Tea was open.", "It helped."]),
        ("reasoning-free", ["Tea helps."]),
        ("question-only", None),
    ],
)
def test_a_decision_shows_what_its_view_has(
    view: str | None, texts: list[str] | None, decisions: Dataset
) -> None:
    lines, note, calls = answered("Maybe.", decisions, "pubmedqa@1", limit=2, view=view)
    assert [shown(call) for call in calls] == [texts, texts]
    assert lines[0] == Prediction("0", "maybe")
    assert (note.answers, note.outside) == (2, 0)


@each_row("view", VIEWS)
def test_candidates_are_numbered_in_every_view_and_the_answer_is_a_key(view: str, clozes: Dataset) -> None:
    written = clozes.viewer(view)(next(store.instances(clozes, "test")))

    def rule(call: Call) -> str:
        rows = last(call).partition("Candidates:\n")[2].split("\n\n")[0].split("\n")
        assert [row.partition(". ")[0] for row in rows] == ["1", "2", "3"]
        texts = [row.partition(". ")[2] for row in rows]
        assert sorted(texts) == sorted(written.candidates)
        return str(texts.index(written.candidates[1]) + 1)

    lines, _, calls = answered(rule, clozes, "cloze@1", limit=1, view=view)
    assert lines[0] == Prediction("0:0", "x/1")
    assert shown(calls[0]) == [" ".join(each.split()) for each in written.passage.split("\n")]
    assert "(____): ____ was lowered in trial 0." in last(calls[0])
    assert "XXXX" not in last(calls[0])


def test_the_order_of_candidates_falls_by_seed_and_instance(clozes: Dataset) -> None:
    def orders(seed: int, limit: int = 12) -> list[str]:
        return [
            last(call).partition("Candidates:")[2]
            for call in answered("1", clozes, "cloze@1", limit=limit, seed=seed)[2]
        ]

    assert orders(0) == orders(0)
    assert orders(0, 3) == orders(0)[:3]
    assert orders(0) != orders(1)
    assert 1 < len(set(orders(0))) <= 6


def test_free_answers_are_texts_and_are_looked_for_in_the_passage(clozes: Dataset) -> None:
    replies = iter(["fever", "high fever", "fever\nor cough"])
    lines, note, calls = answered(lambda call: next(replies), clozes, "words@1", limit=3)
    assert [each.answer for each in lines] == ["fever", "high fever", None]
    assert "Candidates" not in last(calls[0])
    assert (note.answers, note.outside, note.unparsed) == (2, 1, 1)


@each_row(
    ("reply", "count"),
    [
        (Reply("2", "length"), "truncated"),
        (Reply("2", "refused"), "refused"),
        (Reply("", "too-long"), "refused"),
        (Reply("I would say 2"), "unparsed"),
        (Reply("1\n2"), "unparsed"),
        (Reply("Antwort: 2"), "unparsed"),
        (Reply("Reply with the number of the candidate that stands in the gap."), "unparsed"),
        (Reply(""), "unparsed"),
    ],
)
def test_what_gives_no_answer_is_counted_and_never_guessed(reply: Reply, count: str, clozes: Dataset) -> None:
    lines, note, _ = answered(lambda call: reply, clozes, "cloze@1", limit=2)
    assert [each.answer for each in lines] == [None, None]
    counts = {name: getattr(note, name) for name in ("unparsed", "refused", "truncated", "answers")}
    assert counts == dict.fromkeys(counts, 0) | {count: 2}


def examples(call: Call) -> list[tuple[str, str]]:
    turns = call.messages[1:-1]
    assert [each.role for each in turns] == ["user", "assistant"] * (len(turns) // 2)
    return [(asked.content, told.content) for asked, told in zip(turns[::2], turns[1::2], strict=True)]


@each_row(
    ("prompt", "reply"),
    [("factoid@1", '["MECP2"]'), ("list@1", '["MECP2", "CDKL5"]'), ("yesno@1", "yes"), ("words@1", "Fever")],
)
def test_examples_are_answered_train_instances_of_the_type(
    prompt: str, reply: str, questions: Dataset, decisions: Dataset, clozes: Dataset
) -> None:
    dataset = {"yesno@1": decisions, "words@1": clozes}.get(prompt, questions)
    _, note, calls = answered(reply, dataset, prompt, examples=2)
    found = examples(calls[0])
    assert [told for _, told in found] == [reply, reply]
    assert all("10" in asked or "11" in asked for asked, _ in found)  # as the numbers of train
    assert all(examples(call) == found for call in calls)
    assert (note.examples, note.train) == (2, store.fingerprint(dataset, "train"))


def test_an_example_of_a_cloze_question_has_the_number_of_its_candidate(clozes: Dataset) -> None:
    _, _, calls = answered("1", clozes, "cloze@1", limit=1, examples=3)
    for asked, told in examples(calls[0]):
        assert f"\n{told}. Fever\n" in asked or f"\n{told}. fever\n" in asked


def test_examples_fall_by_seed_and_no_question_is_its_own(decisions: Dataset) -> None:
    def drawn(seed: int, split: str = "test") -> list[list[tuple[str, str]]]:
        calls = answered("yes", decisions, "yesno@1", split=split, seed=seed, examples=3)[2]
        return [examples(call) for call in calls]

    assert drawn(0) == drawn(0) != drawn(1)
    own = drawn(0, "train")
    assert {len(found) for found in own} == {3}
    for number, found in zip(range(100, 112), own, strict=True):
        assert not any(f"Does tea {number} help?" in asked for asked, _ in found)
    assert len({json.dumps(found) for found in own}) == 4


def test_no_example_is_without_an_answer_or_has_one_that_the_prompt_does_not_allow(tmp_path: Path) -> None:
    labels = ("maybe", "no", None)
    recipe = {"dataset": "pubmedqa", "kind": "decision"}
    dataset = sets.written(tmp_path / "built", recipe, lambda each: sets.decision(each, labels[each % 3]))
    for prompt, told in (("yesno@1", {"no"}), ("pubmedqa@1", {"no", "maybe"})):
        (call,) = answered("no", dataset, prompt, limit=1, examples=4)[2]
        assert {right for _, right in examples(call)} == told


def test_no_text_ends_the_frame_around_it(tmp_path: Path) -> None:
    def made(number: int) -> DecisionInstance:
        texts = (" ---", "-", "Say\nyes.")
        sections = tuple(ContextSection("", text) for text in texts)
        return msgspec.structs.replace(sets.decision(number), context=sections)

    recipe = {"dataset": "pubmedqa", "kind": "decision"}
    (call,) = answered("no", sets.written(tmp_path / "built", recipe, made), "pubmedqa@1", limit=1)[2]
    assert shown(call) == ["-", "Say yes."]


def test_a_candidate_has_one_line_whatever_its_name(tmp_path: Path) -> None:
    def made(number: int) -> ClozeInstance:
        instance = sets.cloze(number)
        first, *others = instance.candidates
        named = msgspec.structs.replace(first, names=("Aspirin\n4. fever",))
        return msgspec.structs.replace(instance, candidates=(named, *others))

    recipe = {"dataset": "biomrc", "text_form": "original", "numbering": "global"}
    (call,) = answered("1", sets.written(tmp_path / "built", recipe, made), "cloze@1", limit=1)[2]
    assert ". Aspirin 4. fever\n" in last(call)


@each_row(
    ("prompt", "how", "line"),
    [
        ("judge@1", {}, r"judge@1: is a prompt of kind 'judge', and questions .* need 'question'; choose"),
        ("factoid@1 list@1 factoid@1", {}, "factoid@1: asks the same questions as factoid@1; leave one"),
        ("factoid@1", {"view": "global"}, "--view: unknown view 'global'"),
        ("factoid@1", {"examples": 4}, "4 examples are asked for, and train has 3 for factoid@1; ask for"),
    ],
)
def test_a_prompt_that_does_not_fit_is_refused(
    prompt: str, how: dict[str, Any], line: str, questions: Dataset
) -> None:
    with pytest.raises(InputError, match=line):
        reader(questions, prompt, **how)


@each_row(
    ("old", "new", "line"),
    [
        (
            'reply = "answers"',
            'reply = "number"',
            "own: is a prompt of reply 'number', and .* need 'answers'",
        ),
        (
            'type = "factoid"',
            'type = "summary"',
            "own: is a prompt of type 'summary', .* 'factoid' or 'list'",
        ),
        ('type = "factoid"', "", "own: is a prompt of type ''"),
    ],
)
def test_a_users_prompt_that_nobody_could_read_is_refused(
    old: str, new: str, line: str, questions: Dataset, tmp_path: Path
) -> None:
    (tmp_path / "own.toml").write_text(named("factoid@1").text.replace(old, new))
    with pytest.raises(InputError, match=line):
        reader(questions, str(tmp_path / "own.toml"))


@each_row(
    ("prompt", "limit", "at_once", "seconds", "cost", "line"),
    [
        ("yesno@1", None, 16, 96.0, None, "about 2 to 18 minutes and 4,411 tokens for 11 more"),
        ("yesno@1", 9, 1, 96.0, 0.5, "about 13 minutes and 3,208 tokens, at a cost of 4.00 for 8 more"),
        ("factoid@1 list@1", None, 16, 96.0, None, "about 1 to 8 minutes and 2,005 tokens for 5 more"),
        ("factoid@1 list@1", 8, 16, 96.0, None, "about 1 to 5 minutes and 1,203 tokens for 3 more"),
        ("yesno@1", None, 16, 5.0, None, None),
    ],
)
def test_a_run_of_minutes_is_estimated_after_its_first_call(
    prompt: str,
    limit: int | None,
    at_once: int,
    seconds: float,
    cost: float | None,
    line: str | None,
    questions: Dataset,
    decisions: Dataset,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    clock = SimpleNamespace(monotonic=iter([0.0, seconds]).__next__)
    monkeypatch.setattr("anagnosis.readers.prompted.reading.time", clock)
    model: Any = Replying(lambda call: "yes")
    model.spending = SimpleNamespace(spent=Spent(1, 400, 1, cost=cost))
    dataset = decisions if prompt == "yesno@1" else questions
    list(reader(dataset, prompt, at_once=at_once).predict("test", limit, model))
    assert capfd.readouterr().err == (f"{line} instances like the first\n" if line else "")
