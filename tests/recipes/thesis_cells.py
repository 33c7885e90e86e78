"""What the thesis prints of text-to-text models on BioASQ (Tables 4.1, 4.2, 4.3 and 4.5), in percent.

table → recipe; row, named by its training, → strict, lenient and MRR of factoid questions; precision, recall and F1 of
lists. Both rows of Table 4.5 stand in the recipe of Table 4.3, whose answers it judges.
"""

from __future__ import annotations

COLUMNS = ("strict", "lenient", "mrr", "list_precision", "list_recall", "list_f1")

Row = tuple[float, float, float, float, float, float]

TABLES: dict[str, tuple[str, dict[str, Row]]] = {
    "4.1": (
        "bioasq-text-to-text-grouped",
        {
            "t5-none-post": (13.39, 14.29, 13.84, 5.62, 2.93, 3.83),
            "t5-bioasq-post": (15.18, 15.18, 15.18, 8.77, 3.91, 5.3),
            "t5-squad1k-post": (14.29, 15.18, 14.73, 4.89, 2.39, 3.21),
            "t5-biomrc1k-post": (16.07, 16.07, 16.07, 5.87, 1.85, 2.79),
        },
    ),
    "4.2": (
        "bioasq-text-to-text-order",
        {
            "t5-none": (19.64, 33.04, 24.05, 13.01, 12.9, 12.07),
            "t5-bioasq": (23.21, 34.82, 27.19, 12.39, 13.45, 12.3),
            "t5-squad1k": (21.43, 38.39, 27.05, 12.72, 13.43, 12.3),
            "t5-biomrc1k": (19.64, 31.25, 24.29, 12.79, 10.08, 10.62),
        },
    ),
    "4.3": (
        "bioasq-text-to-text",
        {
            "t5-none-custom": (18.75, 33.04, 24.66, 13.88, 12.62, 12.56),
            "t5-bioasq-custom": (20.54, 39.29, 27.95, 16.16, 16.03, 14.98),
            "t5-squad1k-custom": (21.43, 34.82, 25.86, 15.07, 14.82, 14.2),
            "t5-squad5k-custom": (22.32, 36.61, 28.15, 11.3, 12.1, 11.0),
            "t5-squad100k-custom": (12.5, 19.64, 15.51, 1.09, 0.43, 0.62),
            "t5-squad1k-bioasq-custom": (23.21, 36.61, 28.56, 14.31, 16.53, 14.71),
            "t5-squad5k-bioasq-custom": (22.32, 36.61, 28.15, 11.3, 12.1, 11.0),
            "t5-squad100k-bioasq-custom": (14.29, 28.57, 20.71, 7.72, 7.02, 6.74),
            "t5-biomrc1k-custom": (21.43, 33.04, 25.88, 14.09, 13.11, 12.73),
            "t5-biomrc5k-custom": (15.18, 27.68, 20.04, 13.22, 13.24, 12.8),
            "t5-biomrc50k-custom": (8.93, 13.39, 10.67, 9.13, 6.63, 7.06),
            "t5-biomrc1k-bioasq-custom": (21.43, 33.04, 25.88, 14.09, 13.11, 12.73),
            "t5-biomrc5k-bioasq-custom": (24.11, 40.18, 30.64, 15.72, 15.23, 14.41),
            "t5-biomrc50k-bioasq-custom": (17.86, 29.46, 22.13, 16.34, 15.15, 14.45),
            "t5-biomrc1k-bioasqmod-custom": (21.43, 33.04, 25.88, 14.09, 13.11, 12.73),
            "t5-biomrc5k-bioasqmod-custom": (17.86, 32.14, 23.35, 15.54, 15.12, 14.35),
            "t5-biomrc50k-bioasqmod-custom": (22.32, 30.36, 25.18, 14.06, 14.56, 13.18),
        },
    ),
    "4.5": (
        "bioasq-text-to-text",
        {
            "t5-bioasq-measures": (18.75, 33.04, 24.66, 13.88, 12.62, 12.56),
            "t5-custom-measures": (42.86, 65.18, 52.7, 46.78, 39.86, 40.0),
        },
    ),
}
