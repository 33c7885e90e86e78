"""Problems of a predictions file on its dataset: counted by name and reported, never skipped silently."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from anagnosis.io.counts import Counts

PROBLEMS = {
    "missing": "instances without a line; unanswered, which is wrong, or left out by the measure or protocol",
    "repeated": "lines for an id that had a line before; the first one counts",
    "unknown": "lines whose id is not in the split; left out",
    "unmapped": "answers that are no candidate's text, key, number or name, or those of several; they count as wrong",
    "in_one_text": "answers to list questions that are one text with ; or , between entries; they are one entry",
    "from_number": "answers given as a candidate's number",
    "from_name": "answers given as a candidate's name",
    "partial_scores": "lines without a score for some candidates, which then cannot win",
    "foreign_scores": "lines with scores for keys that are no candidates; those scores are left out",
    "answer_not_on_top": "lines whose answer does not have the highest score",
    "wrong_fingerprint": "lines made for another dataset or split",
    "trained_on": "instances that the system was trained on, by their words; they count like any other",
    "blank": "empty lines",
    "unknown_fields": "lines with fields that have no meaning here; those fields are left out",
}
# Those that are none to measures of texts.
OF_CANDIDATES = ("unmapped", "from_name")
NAMED = 5
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Problem:
    """How often something did not fit, and the first few different ids (or lines, or fields)."""

    count: int
    first: tuple[str, ...]


def problems_found(counts: Counts, names: Iterable[str] = PROBLEMS) -> dict[str, Problem]:
    """What was counted, in the order of a table."""
    return {
        name: Problem(
            counts.counts[name], tuple(place[:LONGEST_NAME] for place in counts.places[name][:NAMED])
        )
        for name in names
        if counts.counts.get(name)
    }
