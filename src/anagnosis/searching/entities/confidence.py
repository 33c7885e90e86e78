"""How sure a ranked name is: the features of a logistic function that name_fitting.py fits.

log odds, gap             of its share among the ranked names, and to the next name
agreement                 the share of papers with a sentence of many of the question's words that have the name
overlap, near, …          of its sentence and its mentions, from features.py
class, form               what the question asks for, and the form of the name
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.evaluation.calibration.newton import softmax
from anagnosis.language.question_kinds import LIST
from anagnosis.searching.entities.candidate_names import Name, ReadSentence
from anagnosis.searching.entities.features import FEATURES
from anagnosis.searching.records.passage import Evidence
from anagnosis.searching.sentences.asked_for import CLASSES, FORMS, form, wanted

MANY_WORDS = 0.66  # word overlap of a sentence with the question
NEAR_THE_BEST = 0.85  # of the best sentence's overlap
_MOST_GAP = 5.0
_LEAST_SHARE = 1e-6
_OF_NAME = (
    "near",
    "fits",
    "holds head",
    "beside head",
    "nested",
    "in title",
    "defined",
    "whole",
    "rarity",
    "words",
)
_PLACES = {name: FEATURES.index(name) for name in _OF_NAME}
CONFIDENCE = (
    *("one", "log odds", "place", "gap", "overlap", "papers", "sentences", "agreement", "agreement of the best"),
    *("list", "fits by log odds"),
    *_OF_NAME,
    *(f"class {name}" for name in CLASSES),
    *(f"form {name}" for name in FORMS),
)  # fmt: skip


def confidence_rows(
    question: str,
    kind: str,
    sentences: Sequence[ReadSentence],
    names: Sequence[Name],
    scores: Floats,
    rows: Floats,
    quotes: Mapping[int, Evidence],
) -> Floats:
    """float64 [quotes, CONFIDENCE] of the names with a quotation.

    names: by falling scores. scores: float64 [names]. rows: float64 [names, FEATURES]. quotes: by index of the name.
    """
    if not quotes:
        return np.zeros((0, len(CONFIDENCE)))
    shares = np.clip(softmax(scores), _LEAST_SHARE, 1 - _LEAST_SHARE)
    odds = np.log(shares / (1 - shares))
    asked = wanted(question).kind
    best = max((one.sentence.score for one in sentences), default=0.0)
    fitting = {one.passage.document for one in sentences if one.sentence.score >= MANY_WORDS}
    nearly = {one.passage.document for one in sentences if one.sentence.score >= NEAR_THE_BEST * best}
    made: list[list[float]] = []
    for place, quote in quotes.items():
        name = names[place]
        places = {mention.sentence for mention in name.mentions}
        papers = {sentences[at].passage.document for at in places}
        following = scores[place + 1] if place + 1 < len(scores) else -math.inf
        of_name = {feature: float(rows[place, at]) for feature, at in _PLACES.items()}
        shape = form(name.text)
        made.append(
            [
                1.0,
                float(odds[place]),
                math.log1p(place),
                min(float(scores[place] - following), _MOST_GAP),
                quote.score,
                math.log1p(len(papers)),
                math.log1p(len(places)),
                len(papers & fitting) / max(1, len(fitting)),
                len(papers & nearly) / max(1, len(nearly)),
                float(kind == LIST),
                of_name["fits"] * float(odds[place]),
                *of_name.values(),
                *(float(asked == one) for one in CLASSES),
                *(float(shape == one) for one in FORMS),
            ]
        )
    return np.array(made).reshape(len(made), len(CONFIDENCE))
