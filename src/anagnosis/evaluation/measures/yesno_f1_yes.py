"""F1 of yes of BioASQ's yes/no questions, as `yesno_macro_f1` counts it."""

from __future__ import annotations

from anagnosis.evaluation.measures.yesno_macro_f1 import of_labels

YESNO_F1_YES = of_labels(
    "yesno_f1_yes",
    "F1 of yes",
    "2·tp / (2·tp + wrong answers) of the answer yes over the yes/no questions.",
    lambda both: both[..., 0],
)
