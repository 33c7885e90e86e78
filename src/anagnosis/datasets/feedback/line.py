"""A line of feedback, as a browser saves it: a question, what was shown, and what the user says of it.

    {"feedback": 1, "question": "Does tea help?", "state": "answered", "sentences": [
        {"document": "27", "title": "Tea in trials", "section": "results", "text": "Tea helped.", "answers": true},
        {"document": "31", "title": "Tea and salt", "section": "methods", "text": "We gave tea.", "answers": false}],
     "stances": [{"document": "27", "text": "Tea helped.", "shown": "opposes", "right": "supports"}],
     "names": [{"text": "caffeine", "right": false}]}

answers: null or missing where the user said nothing. Nothing tells who the user is, or when.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

VERSION = 1
Text = Annotated[str, Meta(max_length=10_000)]
Name = Annotated[str, Meta(max_length=1_000)]
Stance = Literal["supports", "opposes", "unclear"]


class JudgedSentence(msgspec.Struct, frozen=True):
    """A sentence that was shown. answers: whether it answers the question; null where the user did not say."""

    document: Annotated[str, Meta(min_length=1, max_length=1_000)]
    text: Text
    title: Name = ""
    section: Name = ""
    answers: bool | None = None


class JudgedStance(msgspec.Struct, frozen=True):
    """A verdict that the user corrects. text: the concluding sentence. shown: "" where no verdict was shown."""

    document: Name
    text: Text
    right: Stance
    shown: Stance | Literal[""] = ""


class JudgedName(msgspec.Struct, frozen=True):
    """A name that was shown as an answer. right: whether it is one."""

    text: Name
    right: bool


class FeedbackLine(msgspec.Struct, frozen=True):
    """One question. feedback: the version of this form. state: of the answer as shown (answered, closest, nothing)."""

    feedback: Literal[1]
    question: Annotated[str, Meta(min_length=1, max_length=1_000)]
    sentences: Annotated[tuple[JudgedSentence, ...], Meta(max_length=1_000)] = ()
    state: Literal["", "answered", "closest", "nothing"] = ""
    stances: Annotated[tuple[JudgedStance, ...], Meta(max_length=1_000)] = ()
    names: Annotated[tuple[JudgedName, ...], Meta(max_length=1_000)] = ()
