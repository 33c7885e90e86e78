"""Tiny settings of every reader that learns, and data for all of them: with a cue, or with labels that say nothing.

A reader that is new in READERS gets a line in TINY.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.encoders.tiny import tiny_encoder
from tests.encoders.tiny_text import tiny_text_model

from anagnosis import readers
from anagnosis.datasets.folder import writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention
from anagnosis.datasets.kinds.decision import LABELS, ContextSection, DecisionInstance
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.datasets.kinds.question import FACTOID, LIST, QuestionInstance, Snippet
from anagnosis.datasets.kinds.table import CLOZE, DECISION, EVIDENCE, QUESTION

# In a recipe this stands for the folder of a tiny encoder.
ENCODER = "the tiny encoder"
# This for the folder of a tiny model that writes text.
TEXT_MODEL = "the tiny text model"
# And this for a file of word vectors of WORDS and the cues.
VECTORS = "the tiny vectors"
WIDTH = 8
PRECISIONS = {"float32": {"precision": "float32"}, "bfloat16": {"precision": "bfloat16"}}


@dataclass(frozen=True, slots=True)
class Tiny:
    """settings: such that a training takes about a second. kinds: what differs of a reader whose state could be lost
    in different ways; each is restored, and ends in the same weights after an interruption. finds_the_cue: whether
    240 instances teach it the cue. reaches_chance: whether every choice of it can be right; answers of several words
    never are. rounding: by how much its log-probabilities may differ in float32."""

    settings: Mapping[str, Any]
    kinds: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: {"float32": {}})
    finds_the_cue: bool = True
    reaches_chance: bool = True
    rounding: float = 1e-5


_WORDS = {"embedding": 8, "hidden": 8, "rate": 0.02}
_UNFROZEN = {
    f"unfrozen, {name}": {"unfreeze_top_after": 1, "patience": 1, "stop": "loss", **values}
    for name, values in PRECISIONS.items()
}

TINY: dict[str, Tiny] = {
    "attention-sum": Tiny(_WORDS),
    "attention-over-attention": Tiny(_WORDS),
    "stanford-attentive": Tiny({**_WORDS, "optimizer": "adam", "rate": 0.05, "epochs": 10}),
    "gated-attention": Tiny({**_WORDS, "optimizer": "adam"}),
    # What a random encoder says of a word's neighbours is too little for so few instances.
    "masked-encoder": Tiny(
        {"encoder": ENCODER, "hidden": 16, "rate": 0.02, "precision": "float32"},
        {**PRECISIONS, **_UNFROZEN},
        finds_the_cue=False,
    ),
    "shallow-features": Tiny({"hidden": 16, "rate": 0.02, "auxiliary": 0.5}),
    "bilstm": Tiny(
        {
            "vectors": VECTORS,
            "embedding": WIDTH,
            "hidden": 8,
            "rate": 0.02,
            "dropout": 0.1,
            "auxiliary": 0.5,
            "epochs": 8,
        }
    ),
    # What a random encoder says of a word is half its neighbours'.
    "esim": Tiny(
        {"encoder": ENCODER, "hidden": 8, "dropout": 0.1, "rate": 0.01, "auxiliary": 0.5}, finds_the_cue=False
    ),
    "encoder-classifier": Tiny(
        {"encoder": ENCODER, "dropout": 0.1, "rate": 0.01, "auxiliary": 0.5, "precision": "float32"},
        PRECISIONS,
        finds_the_cue=False,
    ),
    "jpdrmm": Tiny(
        {"vectors": VECTORS, "embedding": WIDTH, "rate": 0.02},
        {"float32": {}, "with a hinge": {"hinge": 0.5}},
    ),
    # A word's vector holds little of the word before it.
    "answer-words": Tiny(
        {
            "encoder": ENCODER,
            "dropout": 0.0,
            "hidden": 16,
            "rate": 0.01,
            "score": "mean",
            "precision": "float32",
        },
        PRECISIONS,
        finds_the_cue=False,
        reaches_chance=False,
    ),
    # A random model of two layers does not learn to copy a word from 240 questions.
    "text-to-text": Tiny(
        {
            "encoder": TEXT_MODEL,
            "rate": 0.01,
            "epochs": 3,
            "precision": "float32",
            "input_pieces": 64,
            "answer_pieces": 4,
        },
        PRECISIONS,
        finds_the_cue=False,
        rounding=1e-3,
        reaches_chance=False,
    ),
    "span": Tiny(
        {"encoder": ENCODER, "dropout": 0.0, "rate": 0.01, "epochs": 8, "precision": "float32"}, PRECISIONS
    ),
}


def tiny(name: str) -> Tiny:
    """The settings of a reader; one that has none fails its test."""
    if name not in TINY:
        pytest.fail(
            f"the reader {name} learns and is in no test: give it tiny settings in TINY of {__file__}"
        )
    return TINY[name]


def data_of(name: str) -> dict[str, Any]:
    """Which data a reader reads: its kind."""
    return {"kind": readers.find(name).Config.kind}


# --- data -------------------------------------------------------------------------------------------

WORDS = ["the", "of", "in", "a", "and", "with", "is", "was", "cells", "patients", "protein"]
CUE, CONTRARY = "increased", "decreased"


def instance(number: int, draw: random.Random, *, signal: bool) -> ClozeInstance:
    """About 30 words, two to six candidates; the cue stands before every mention of one of them and nowhere else.

    signal: that one is the answer. Without, the answer is any of them, and nothing in the text tells which.
    """
    count = draw.randint(2, 6)
    cued, drawn = draw.randrange(count), draw.randrange(count)
    answer = cued if signal else drawn
    owners = [*range(count), *draw.choices(range(count), k=draw.randint(0, 3))]
    draw.shuffle(owners)
    text = draw.choice(WORDS)
    mentions: list[PassageMention] = []
    for owner in owners:
        before = draw.choices(WORDS, k=draw.randint(1, 5))
        text += " " + " ".join([*before, CUE] if owner == cued else before) + " "
        mentions.append(PassageMention(((len(text), len(text) + 2),), owner))
        text += f"n{owner}" + draw.choice([" .", ""])
    numbers = draw.sample(range(40), count)
    asked = draw.choices(WORDS, k=draw.randint(2, 5))
    asked.insert(draw.randrange(len(asked) + 1), "XXXX")
    return ClozeInstance(
        id=f"{number}:0",
        document=str(number),
        date="",
        passage=text + " .",
        question=" ".join([*asked, CUE]),
        mentions=tuple(mentions),
        question_mentions=(),
        candidates=tuple(Candidate(f"gene/{k}", "Gene", n, (f"n{k}",)) for k, n in enumerate(numbers)),
        answer=answer,
        answers=(f"n{answer}",),
    )


def decision(number: int, draw: random.Random, *, signal: bool) -> DecisionInstance:
    """A context of about 30 words: with the cue, with its contrary or without both, for yes, no and maybe.

    signal: that is the label. Without, it is any of them.
    """
    cued, drawn = draw.randrange(len(LABELS)), draw.randrange(len(LABELS))
    words = draw.choices(WORDS, k=draw.randint(20, 40))
    for _ in range(2):
        words.insert(draw.randrange(len(words)), (CUE, CONTRARY, "of")[cued])
    half = len(words) // 2
    label = LABELS[cued if signal else drawn]
    return DecisionInstance(
        id=str(number),
        question=" ".join(["is", *draw.choices(WORDS, k=draw.randint(2, 5)), str(number), "?"]),
        context=(
            ContextSection("METHODS", " ".join(words[:half])),
            ContextSection("RESULTS", " ".join(words[half:])),
        ),
        long_answer=" ".join(draw.choices(WORDS, k=5)),
        label=label,
        place=number,
    )


def question(number: int, draw: random.Random, *, signal: bool) -> QuestionInstance:
    """One to three snippets of about ten words, in which the cue stands before one word that no other snippet has.

    signal: that word is the answer. Without, it is any word of a snippet.
    """
    names = draw.sample("abcdefgh", 3)
    texts: list[str] = []
    for name in names[: draw.randint(1, 3)]:
        words = draw.choices(WORDS, k=draw.randint(4, 12))
        words.insert(draw.randrange(len(words) + 1), f"{CUE} {name}" if not texts else f"{CONTRARY} {name}")
        texts.append(" ".join(words) + " .")
    answer = names[0] if signal else draw.choice(names[: len(texts)])
    snippets = tuple(
        Snippet(f"http://x/{number}", "abstract", 0, "abstract", len(text), text) for text in texts
    )
    asking = " ".join(["which", *draw.choices(WORDS, k=draw.randint(2, 4)), CUE, "?"])
    of = draw.choice((FACTOID, FACTOID, LIST))
    return QuestionInstance(str(number), of, asking, snippets=snippets, exact=((answer,),), place=number)


def evidence(number: int, draw: random.Random, *, signal: bool) -> EvidenceInstance:
    """Two to six sentences, of one document or of two; the question asks for the cue, which stands in one of them.

    signal: that one is held. Without, it is any of them.
    """
    count = draw.randint(2, 6)
    cued, drawn = draw.randrange(count), draw.randrange(count)
    held = cued if signal else drawn
    second = draw.randint(1, count)
    sentences: list[SourceSentence] = []
    for place in range(count):
        words = draw.choices(WORDS, k=draw.randint(4, 9))
        words.insert(draw.randrange(len(words) + 1), CUE if place == cued else CONTRARY)
        document = f"{number}-{int(place >= second)}"
        sentences.append(SourceSentence(document, "the protein", " ".join(words) + " .", place == held))
    asked = " ".join(["is", *draw.choices(WORDS, k=draw.randint(2, 5)), CUE, "?"])
    return EvidenceInstance(str(number), asked, tuple(sentences))


def tiny_models(folder: Path) -> dict[str, str]:
    """What stands for the encoder, the text model and the word vectors in the settings → a tiny one in the folder."""
    words = [*WORDS, CUE, CONTRARY, "?"]
    return {
        ENCODER: str(tiny_encoder(folder / "encoder", words=words, limit=48)),
        TEXT_MODEL: str(tiny_text_model(folder / "text", words=words)),
        VECTORS: str(tiny_vectors(folder / "tiny.txt")),
    }


def tiny_vectors(path: Path, width: int = WIDTH) -> Path:
    """A file of word vectors, drawn."""
    draw = random.Random(0)
    words = [*WORDS, CUE, CONTRARY]
    rows = (f"{word} {' '.join(str(round(draw.gauss(0, 1), 3)) for _ in range(width))}\n" for word in words)
    path.write_text(f"{len(words)} {width}\n" + "".join(rows))
    return path


MAKERS: dict[str, Callable[..., Any]] = {
    CLOZE: instance,
    DECISION: decision,
    QUESTION: question,
    EVIDENCE: evidence,
}


def dataset(folder: Path, *, signal: bool, kind: str = CLOZE, seed: int = 0, **rows: int) -> Dataset:
    """A dataset folder with so many instances of each split."""
    draw = random.Random(seed)
    make = MAKERS[kind]
    splits: dict[str, list[Any]] = {}
    for split, count in rows.items():
        first = sum(map(len, splits.values()))
        splits[split] = [make(first + number, draw, signal=signal) for number in range(count)]
    return writing.write(folder, splits, {"dataset": "cued" if signal else "without signal", "kind": kind})


def chance(candidates: list[int]) -> tuple[float, float, float]:
    """The accuracy of guessing, and its 99 % interval.

    candidates: of each instance. Right guesses are a sum of draws of 1/k each (Poisson-binomial), near enough to
    normal: mean ± 2.576 standard deviations.
    """
    n = len(candidates)
    mean = sum(1 / k for k in candidates) / n
    off = 2.576 * math.sqrt(sum((1 - 1 / k) / k for k in candidates)) / n
    return mean, mean - off, mean + off
