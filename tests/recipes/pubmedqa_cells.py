"""Tables 5 to 8 of PubMedQA (Jin et al. 2019), typed from the paper, and the recipes that stand for each row.

`view` of a cell is where a recipe has it: the schedule or phase, then without or with additional supervision.
"""

from __future__ import annotations

from collections.abc import Iterator

COLUMNS = ("accuracy", "macro_f1")
VARIANTS = ("without_auxiliary", "with_auxiliary")
SCHEDULES = ("final", "single-phase", "phase-1-final", "phase-2-final", "multi-phase")
RECIPES = {
    "Shallow Features": "pubmedqa-shallow-features",
    "BiLSTM": "pubmedqa-bilstm",
    "ESIM w/ BioELMo": "pubmedqa-esim",
    "BioBERT": "pubmedqa-encoder",
}
# row → without, with; accuracy and macro-F1 on test by SCHEDULES
TABLE_5 = {
    "Shallow Features": (
        (53.88, 36.12, 57.58, 31.47, 57.48, 37.24, 56.28, 40.88, 53.50, 39.33),
        (53.60, 35.92, 57.30, 30.45, 55.82, 35.09, 56.46, 40.76, 55.06, 40.67),
    ),
    "BiLSTM": (
        (55.16, 23.97, 55.46, 39.70, 58.44, 40.67, 52.98, 33.84, 59.82, 41.86),
        (55.22, 23.86, 55.96, 40.26, 61.06, 41.18, 54.12, 34.11, 58.86, 41.06),
    ),
    "ESIM w/ BioELMo": (
        (53.90, 32.40, 61.28, 42.99, 61.96, 43.32, 60.34, 44.38, 62.08, 45.75),
        (53.96, 31.07, 62.68, 43.59, 63.72, 47.04, 60.16, 45.81, 63.72, 47.90),
    ),
    "BioBERT": (
        (56.98, 28.50, 66.44, 47.25, 66.90, 46.16, 66.08, 50.84, 67.66, 52.41),
        (57.28, 28.70, 66.66, 46.70, 67.24, 46.21, 66.44, 51.41, 68.08, 52.72),
    ),
}
MAJORITY = (55.20, 23.71)
# row → accuracy and macro-F1 without, then with: on PQA-A, and (Table 8) on PQA-U with pseudo-labels
TABLE_6 = {
    "Shallow Features": (93.01, 54.59, 93.05, 55.12),
    "BiLSTM": (94.59, 73.40, 94.45, 71.81),
    "ESIM w/ BioELMo": (94.82, 74.01, 95.04, 75.22),
    "BioBERT": (96.50, 84.65, 96.40, 83.76),
}
TABLE_8 = {
    "Shallow Features": (76.66, 66.12, 77.71, 67.97),
    "BiLSTM": (85.33, 81.32, 85.68, 81.87),
    "ESIM w/ BioELMo": (78.47, 63.32, 79.62, 64.91),
    "BioBERT": (80.93, 68.84, 81.02, 70.04),
}
# row → accuracy and macro-F1 by equation 2 on PQA-A, by equation 3 on test
TABLE_7 = {
    "Shallow Features": (93.11, 56.11, 54.44, 38.63),
    "BiLSTM": (95.97, 83.70, 71.46, 50.93),
    "ESIM w/ BioELMo": (97.01, 88.47, 74.06, 58.53),
    "BioBERT": (98.28, 93.17, 80.80, 63.50),
}


def rows() -> Iterator[tuple[str, str, str, str, tuple[float, ...]]]:
    """(table, row, where a recipe has it, recipe, accuracy and macro-F1)."""
    yield "5", "Majority", "", "pubmedqa-majority", MAJORITY
    for row, recipe in RECIPES.items():
        in_phases = f"{recipe}-multiphase"
        for variant, values in zip(VARIANTS, TABLE_5[row], strict=True):
            for number, schedule in enumerate(SCHEDULES):
                pair = values[2 * number : 2 * number + 2]
                if schedule == "final":
                    yield "5", row, variant, recipe, pair
                else:
                    yield "5", row, f"{schedule}.{variant}", in_phases, pair
        for table, phase, found in (("6", "artificial", TABLE_6), ("8", "pseudo-labelled", TABLE_8)):
            for number, variant in enumerate(VARIANTS):
                pair = found[row][2 * number : 2 * number + 2]
                yield table, row, f"{phase}.{variant}", in_phases, pair
        yield "7", row, "reasoning-free-artificial", in_phases, TABLE_7[row][:2]
        yield "7", row, "bootstrap", in_phases, TABLE_7[row][2:]
