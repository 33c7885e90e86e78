"""What the papers print of people, and the recipes that keep it.

BIOMRC    Stavropoulos et al. 2020, Tables 4 and 5 and section 3.3 (the thesis behind it: Tables 3.3 and 3.4, the same).
BioRead   Pappas et al. 2018, section 3. `accuracy` counts unanswered questions as wrong and follows from the printed
          shares: BIOMRC prints 46.90 for it.
CliCR     Šuster and Daelemans 2018, Table 4 and section 7.1.
PubMedQA  Jin et al. 2019, Table 4.
"""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """One row of people. at: where the recipe has it, under `people`. people, questions: how many there were."""

    paper: str
    recipe: str
    at: str
    people: int
    questions: int
    values: dict[str, float]


ROWS = (
    Row(
        "BIOMRC",
        "biomrc-tiny",
        "experts.tiny-a",
        2,
        30,
        {"accuracy": 85.00, "kappa": 70.23, "unanswered": 2.5},
    ),
    Row(
        "BIOMRC",
        "biomrc-tiny",
        "experts.tiny-b",
        2,
        30,
        {"accuracy": 61.67, "kappa": 72.30, "unanswered": 1.67},
    ),
    Row(
        "BIOMRC",
        "biomrc-tiny",
        "non-experts.tiny-a",
        3,
        30,
        {"accuracy": 81.67, "kappa": 65.61, "unanswered": 0},
    ),
    Row(
        "BIOMRC",
        "biomrc-tiny",
        "non-experts.tiny-b",
        3,
        30,
        {"accuracy": 55.56, "kappa": 47.22, "unanswered": 13.33},
    ),
    Row(
        "BioRead",
        "bioread",
        "non-experts",
        3,
        30,
        {
            "accuracy_left_out": 68.01,
            "accuracy": 53.33,
            "answered": 78.89,
            "kappa_left_out": 68.57,
            "kappa_own_label": 50.32,
        },
    ),
    Row("BioRead", "bioread", "non-expert-1", 1, 30, {"accuracy_left_out": 77.27, "answered": 73.33}),
    Row("BioRead", "bioread", "non-expert-2", 1, 30, {"accuracy_left_out": 65.22, "answered": 76.67}),
    Row("BioRead", "bioread", "non-expert-3", 1, 30, {"accuracy_left_out": 61.54, "answered": 86.67}),
    Row(
        "CliCR",
        "clicr",
        "expert",
        1,
        100,
        {
            "exact_match": 35,
            "f1": 53.7,
            "bleu_2": 0.46,
            "bleu_4": 0.23,
            "embedding_average": 0.67,
            "minutes": 15,
        },
    ),
    Row(
        "CliCR",
        "clicr",
        "novice",
        1,
        100,
        {
            "exact_match": 31,
            "f1": 45.1,
            "bleu_2": 0.43,
            "bleu_4": 0.24,
            "embedding_average": 0.62,
            "minutes": 15,
        },
    ),
    Row("PubMedQA", "pubmedqa", "reasoning-required", 1, 500, {"accuracy": 78.00, "macro_f1": 72.19}),
    Row("PubMedQA", "pubmedqa", "reasoning-free", 1, 500, {"accuracy": 90.40, "macro_f1": 84.18}),
)

SHARES = ("accuracy", "exact_match", "answered", "unanswered")  # of all questions, means over the people
# What no people and questions of the row can give, with the nearest shares that they can.
IMPOSSIBLE = {
    ("experts.tiny-a", "unanswered"): (1.67, 3.33),
    ("non-experts.tiny-a", "accuracy"): (81.11, 82.22),
}
# BioRead's people, from the printed shares: (answered, right) of 30
BIOREAD_COUNTS = ((22, 17), (23, 15), (26, 16))


def nearest_shares(printed: float, people: int, questions: int) -> tuple[float, float]:
    """The two shares, in percent with two decimals, between which a printed one lies; equal where it is possible.

    Each of k people gives a whole number of n questions, so that the mean of their shares is a whole number of k·n.
    """
    whole = people * questions
    below, above = (
        round(100 * count / whole, 2) for count in (int(printed * whole / 100), -int(-printed * whole // 100))
    )
    for count in range(whole + 1):
        if round(100 * count / whole, 2) == printed:
            return printed, printed
    return below, above
