"""What the papers print of systems and people, cell by cell, and the recipes that stand for each row.

Typed from the papers' tables, not from the recipes: tests hold the two to each other.

    BIOMRC   Stavropoulos et al. 2020, Tables 3 and 4. Setting A is the view `global`, B is `local`.
             Rows of the basic baselines: their training time and parameters are printed as 0, and left out here.
    BioRead  Pappas et al. 2018, Tables 1, 3 and 4. (a) is the view `local`, (b) is `global`. Instances of BioRead are
             printed rounded. Of Table 4 the row of the whole training set is the last of Table 3. For 25 % the text
             has 51.51 on test, the table 51.52.
    PubMedQA Jin et al. 2019, Tables 5 to 8: pubmedqa_cells.py.
    CliCR    Šuster and Daelemans 2018, Tables 2, 3 and 4.
    thesis   The thesis behind BIOMRC, Tables 4.1 to 4.3 and 4.5: thesis_cells.py.
    JPDRMM   Pappas and Androutsopoulos 2021, the authors' logs: jpdrmm_cells.py.
    people   Of all these papers: people_cells.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tests.recipes import jpdrmm_cells, people_cells, pubmedqa_cells, thesis_cells

TIMES = ("epochs", "hours_per_epoch")
SIZES = ("parameters", "word_parameters", "entity_parameters")


class Cell(NamedTuple):
    """table, row, column: as printed; the column as recipes call it. view: "" where the row is for any; of PubMedQA
    where a recipe has the row, with points between."""

    table: str
    row: str
    column: str
    value: float
    view: str
    recipes: tuple[str, ...]


# row → recipe; accuracy in percent on train, dev, test, in both settings
BIOMRC_BASELINES = {
    "BASE1": ("biomrc-first-entity", 37.58, 36.38, 37.63),
    "BASE2": ("biomrc-last-entity", 22.50, 23.10, 21.73),
    "BASE3": ("biomrc-most-frequent-entity", 10.03, 10.02, 10.53),
    "BASE3+": ("biomrc-most-frequent-unless-alone", 44.05, 43.28, 44.29),
    "BASE4": ("biomrc-neighbour-overlap", 56.48, 57.36, 56.50),
}

# (row, view) → recipe; train, dev, test; epochs, hours; all parameters, of words, of entities
BIOMRC_TABLE_3 = {
    ("AS-READER", "global"): (
        "biomrc-attention-sum-global",
        (84.63, 62.29, 62.38, 18, 0.92, 12.87e6, 12.69e6, 1.59e6),
    ),
    ("AS-READER", "local"): (
        "biomrc-attention-sum-local",
        (79.64, 66.19, 66.19, 18, 0.65, 6.82e6, 6.66e6, 0.60e3),
    ),
    ("AOA-READER", "global"): (
        "biomrc-attention-over-attention-global",
        (82.51, 70.00, 69.87, 29, 2.10, 12.87e6, 12.69e6, 1.59e6),
    ),
    ("AOA-READER", "local"): (
        "biomrc-attention-over-attention-local",
        (84.62, 71.63, 71.57, 36, 1.82, 6.82e6, 6.66e6, 0.60e3),
    ),
    ("SCIBERT-SUM-READER", "global"): (
        "biomrc-masked-encoder-sum",
        (71.74, 71.73, 71.28, 11, 4.38, 154e3, 0, 0),
    ),
    ("SCIBERT-SUM-READER", "local"): (
        "biomrc-masked-encoder-sum",
        (68.92, 68.64, 68.24, 6, 4.38, 154e3, 0, 0),
    ),
    ("SCIBERT-MAX-READER", "global"): (
        "biomrc-masked-encoder-max",
        (81.38, 80.06, 79.97, 19, 4.38, 154e3, 0, 0),
    ),
    ("SCIBERT-MAX-READER", "local"): (
        "biomrc-masked-encoder-max",
        (81.43, 80.21, 79.10, 15, 4.38, 154e3, 0, 0),
    ),
}

# row → accuracy in percent on TINY in Setting A, in Setting B
BIOMRC_TABLE_4 = {
    "AS-READER": (66.67, 46.67),
    "AOA-READER": (70.00, 56.67),
    "SCIBERT-SUM-READER": (70.00, 56.67),
    "SCIBERT-MAX-READER": (90.00, 60.00),
}

# row → recipe, view; accuracy in percent on dev, test; epochs, hours where it was trained
BIOREAD_TABLE_3 = {
    "BASE1 (a)": ("bioread-most-frequent-entity", "local", (26.86, 28.87)),
    "BASE2 (a)": ("bioread-first-entity", "local", (8.14, 9.38)),
    "BASE3 (a)": ("bioread-last-entity", "local", (16.48, 17.28)),
    "BASE4 (a)": ("bioread-ngram-occurrences", "local", (40.10, 37.20)),
    "AS Reader (a)": ("bioread-attention-sum", "local", (37.90, 42.01, 5, 17)),
    "AOA Reader (a)": ("bioread-attention-over-attention-local", "local", (50.44, 49.94, 15, 21)),
    "AOA Reader (b)": ("bioread-attention-over-attention-global", "global", (52.41, 51.19, 20, 22)),
}

# share of the training set → accuracy in percent on dev, test; epochs, hours; AOA Reader (b)
BIOREAD_TABLE_4 = {
    "quarter": (47.06, 51.52, 20, 6),
    "half": (50.25, 49.22, 20, 11),
    "": (52.41, 51.19, 20, 22),
}

# recipe → row → training, development, test, total
PARTS = ("train", "dev", "test", "")
BIOREAD_TABLE_1 = {
    "bioread": {
        "instances": (15_100_000, 600_700, 652_900, 16_400_000),
        "average_candidates": (25.9, 27.3, 26.3, 26.0),
        "maximum_candidates": (40, 40, 40, 40),
        "minimum_candidates": (2, 2, 2, 2),
        "average_passage_tokens": (456.9, 464.5, 455.9, 457.1),
        "maximum_passage_tokens": (999, 999, 999, 999),
        "minimum_passage_tokens": (26, 56, 48, 26),
        "average_question_tokens": (33.4, 35.5, 34.8, 33.5),
        "maximum_question_tokens": (300, 300, 300, 300),
        "minimum_question_tokens": (5, 5, 5, 5),
    },
    "bioread-lite": {
        "instances": (800_000, 50_000, 50_000, 900_000),
        "average_candidates": (18.89, 20.8, 19.4, 19.0),
        "maximum_candidates": (30, 30, 30, 30),
        "minimum_candidates": (2, 2, 2, 2),
        "average_passage_tokens": (317.2, 320.8, 298.9, 316.4),
        "maximum_passage_tokens": (400, 400, 400, 400),
        "minimum_passage_tokens": (30, 30, 30, 30),
        "average_question_tokens": (16.8, 16.8, 16.8, 16.8),
        "maximum_question_tokens": (25, 25, 25, 25),
        "minimum_question_tokens": (5, 5, 5, 5),
    },
}

# row → value: of the whole dataset (queries: train, dev, test), in percent where the table has percent
CLICR_TABLE_2 = {
    "reports": 11_846,
    "passage_tokens": 16_544_217,
    "word_types": 112_673,
    "entity_types": 591_960,
    "distinct_answers": 56_093,
    "distinct_answers_extended": 288_211,
    "answers_in_passage": 59,
}
CLICR_QUERIES = (91_344, 6_391, 7_184)
CLICR_TABLE_3 = {"problem": 67, "treatment": 22, "test_answers": 11}

# row → recipe, view; EM, F1, B-2, B-4, E-avg on test
CLICR_COLUMNS = ("exact_match", "f1", "bleu_2", "bleu_4", "embedding_average")
CLICR_TABLE_4 = {
    "rand-entity": ("clicr-rand-entity", "", (1.4, 5.1, 0.03, 0.01, 0.23)),
    "maxfreq-entity": ("clicr-maxfreq-entity", "", (8.5, 12.6, 0.10, 0.05, 0.31)),
    "sim-entity": ("clicr-sim-entity", "", (20.8, 29.4, 0.22, 0.15, 0.45)),
    "lang-model": ("clicr-lang-model", "", (2.1, 3.5, 0.0, 0.0, 0.30)),
    "SA-Anonym": ("clicr-stanford-attentive", "anonymous-title-last", (19.6, 27.2, 0.22, 0.16, 0.43)),
    "SA-Ent": ("clicr-stanford-attentive", "marked-title-last", (6.1, 11.4, 0.07, 0.05, 0.31)),
    "GA-Anonym": ("clicr-gated-attention", "anonymous", (24.5, 33.2, 0.28, 0.20, 0.48)),
    "GA-Ent": ("clicr-gated-attention", "marked", (22.2, 30.2, 0.25, 0.18, 0.46)),
    "GA-NoEnt": ("clicr-gated-attention", "plain", (14.9, 33.9, 0.21, 0.11, 0.51)),
}


def cells() -> Iterator[Cell]:
    """Every printed number of a system or of people."""
    for row, (recipe, *values) in BIOMRC_BASELINES.items():
        for view in ("global", "local"):
            for column, value in zip(("train", "dev", "test"), values, strict=True):
                yield Cell("BIOMRC Table 3", row, column, value, view, (recipe,))
    for (row, view), (recipe, values) in BIOMRC_TABLE_3.items():
        both = (recipe, f"{recipe}-as-published")
        columns = ("train", "dev", "test", *TIMES, *SIZES)
        for column, value in zip(columns, values, strict=True):
            yield Cell("BIOMRC Table 3", row, column, value, view, both)
        tiny = BIOMRC_TABLE_4[row][view == "local"]
        yield Cell("BIOMRC Table 4", row, "tiny", tiny, view, both)
    for row, (recipe, view, values) in BIOREAD_TABLE_3.items():
        for column, value in zip(("dev", "test", *TIMES), values):
            yield Cell("BioRead Table 3", row, column, value, view, (recipe,))
    recipe = "bioread-attention-over-attention-global"
    for share, values in BIOREAD_TABLE_4.items():
        for column, value in zip(("dev", "test", *TIMES), values, strict=True):
            yield Cell("BioRead Table 4", share or "all", column, value, share or "global", (recipe,))
    for recipe, rows in BIOREAD_TABLE_1.items():
        for row, values in rows.items():
            for part, value in zip(PARTS, values, strict=True):
                yield Cell("BioRead Table 1", recipe, row, value, part, (recipe,))
    for table, values in (("2", CLICR_TABLE_2), ("3", CLICR_TABLE_3)):
        for row, value in values.items():
            yield Cell(f"CliCR Table {table}", "CliCR", row, value, "", ("clicr",))
    for part, value in zip(PARTS, (*CLICR_QUERIES, sum(CLICR_QUERIES)), strict=True):
        yield Cell("CliCR Table 2", "CliCR", "instances", value, part, ("clicr",))
    for row, (recipe, view, values) in CLICR_TABLE_4.items():
        for column, value in zip(CLICR_COLUMNS, values, strict=True):
            yield Cell("CliCR Table 4", row, column, value, view, (recipe,))
    for table, row, at, recipe, values in pubmedqa_cells.rows():
        for column, value in zip(pubmedqa_cells.COLUMNS, values, strict=True):
            yield Cell(f"PubMedQA Table {table}", row, column, value, at, (recipe,))
    for table, (recipe, rows_of_table) in thesis_cells.TABLES.items():
        for row, values in rows_of_table.items():
            for column, value in zip(thesis_cells.COLUMNS, values, strict=True):
                yield Cell(f"thesis Table {table}", row, column, value, row, (recipe,))
    for row, values in jpdrmm_cells.ROWS.items():
        for column, value in zip(jpdrmm_cells.COLUMNS, values, strict=True):
            yield Cell("JPDRMM ablations", row, column, value, row, (jpdrmm_cells.RECIPE,))
    for row in people_cells.ROWS:
        for column, value in row.values.items():
            yield Cell(f"{row.paper} people", row.at, column, value, f"people.{row.at}", (row.recipe,))
