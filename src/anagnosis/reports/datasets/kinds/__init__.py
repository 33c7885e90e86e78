"""How each kind of instances is shown, one file each: its dataset's tables and pictures, and the page of one instance.

A sibling of datasets/kinds/. Other packages add theirs as entry points of the group `anagnosis.shown`.
"""

GROUP = "anagnosis.shown"

# name of a kind → where its `Shown` is (shown.py).
SHOWN = {
    "cloze": "anagnosis.reports.datasets.kinds.cloze:SHOWN",
    "decision": "anagnosis.reports.datasets.kinds.decision:SHOWN",
    "question": "anagnosis.reports.datasets.kinds.question:SHOWN",
    "evidence": "anagnosis.reports.datasets.kinds.evidence:SHOWN",
}
