"""Feedback lines as questions with sentences: kept, left out by name, divided by question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.rows import each_row

from anagnosis.datasets.feedback import imported
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.errors import InputError


def sentence(document: str, text: str, answers: bool | None = None) -> dict[str, Any]:
    return {
        "document": document,
        "title": f"Paper {document}",
        "section": "results",
        "text": text,
        "answers": answers,
    }


def line(question: str = "Does tea help?", *sentences: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"feedback": 1, "question": question, "sentences": sentences, **more}


def written(path: Path, *lines: Any) -> Path:
    path.write_text("".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in lines))
    return path


def read(path: Path, **how: Any) -> tuple[list[EvidenceInstance], dict[str, int], dict[str, int]]:
    made = imported(path, **how)
    instances = [one for split in made.splits.values() for one in split]
    return instances, dict(made.findings.refused), dict(made.findings.broken)


SHOWN = (
    sentence("27", "Tea helped.", True),
    sentence("31", "We gave tea.", False),
    sentence("27", "Ten came."),
)


def test_a_line_is_a_question_with_its_sentences_those_of_a_paper_together(tmp_path: Path) -> None:
    (instance,), refused, broken = read(written(tmp_path / "f.jsonl", line("Does tea help?", *SHOWN)))
    assert (refused, broken) == ({}, {})
    assert instance.question == "Does tea help?"
    assert instance.sentences == (
        SourceSentence("27", "Paper 27", "Tea helped.", True),
        SourceSentence("27", "Paper 27", "Ten came.", None),
        SourceSentence("31", "Paper 31", "We gave tea.", False),
    )


@each_row(
    ("bad", "name"),
    [
        (line("Q?", sentence("27", "No.", False)), "no_sentence_answers"),
        (line("Q?"), "no_sentence_answers"),
        (line("Q?", sentence("27", "  ", True)), "no_sentence_answers"),
        (line(" ", *SHOWN), "empty_question"),
        (line("Does tea help?", *SHOWN), "repeated_id"),
        ("{", "not_feedback"),
        ("[1]", "not_feedback"),
        ({**line("Q?", *SHOWN), "feedback": 2}, "not_feedback"),
        ({"question": "Q?"}, "not_feedback"),
        (line("Q?", {"document": "", "text": "x", "answers": True}), "not_feedback"),
        (line("Q?", {"document": "1", "text": "x", "answers": "yes"}), "not_feedback"),
        (line("Q?", *SHOWN, stances=[{"document": "1", "text": "x", "right": "perhaps"}]), "not_feedback"),
    ],
)
def test_what_teaches_nothing_is_left_out_by_name(tmp_path: Path, bad: Any, name: str) -> None:
    good = line("Does tea help?", *SHOWN)
    instances, refused, _ = read(written(tmp_path / "f.jsonl", good, bad, line("And salt?", *SHOWN)))
    assert [each.question for each in instances] == ["Does tea help?", "And salt?"]
    assert refused == {name: 1}


def test_verdicts_and_names_are_counted(tmp_path: Path) -> None:
    more = {
        "stances": [{"document": "27", "text": "Tea helped.", "shown": "opposes", "right": "supports"}],
        "names": [{"text": "caffeine", "right": False}],
    }
    instances, _, broken = read(written(tmp_path / "f.jsonl", line("Q?", *SHOWN, **more)))
    assert len(instances) == 1
    assert broken == {"verdict_without_use": 1, "name_without_use": 1}


def test_a_share_of_the_questions_is_dev_and_repeats_stay_together(tmp_path: Path) -> None:
    lines = [line(f"Question {n // 2}?", sentence("1", f"Sentence {n}.", True)) for n in range(200)]
    made = imported(written(tmp_path / "f.jsonl", *lines), dev_share=0.3)
    train, dev = ({one.question for one in made.splits[name]} for name in ("train", "dev"))
    assert not train & dev
    assert len(train | dev) == 100
    assert 10 < len(dev) < 60


def test_a_folder_and_several_files_are_read_and_other_arguments_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    one = written(tmp_path / "in/a.jsonl", line("A?", *SHOWN))
    two = written(tmp_path / "in/b.jsonl", line("B?", *SHOWN))
    assert [each.question for each in read(tmp_path / "in", split="test")[0]] == ["A?", "B?"]
    assert [each.question for each in read([two, one])[0]] == ["B?", "A?"]  # pyright: ignore[reportArgumentType]
    wrong: list[dict[str, Any]] = [{"setting": "x"}, {"split": "all"}, {"split": "test", "dev_share": 0.1}]
    for how in wrong:
        with pytest.raises(InputError):
            imported(one, **how)
    with pytest.raises(InputError, match="standard input"):
        imported("-")
