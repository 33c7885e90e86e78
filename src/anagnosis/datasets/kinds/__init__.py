"""Kinds of instances: each has one file that defines what differs between kinds (`Kind`, in kind.py).

A dataset folder holds instances of one kind, which its recipe names. How a kind is shown is in a sibling table
(reports/datasets/kinds/).
"""

# name → where its `Kind` is.
KINDS = {
    "cloze": "anagnosis.datasets.kinds.cloze:KIND",
    "decision": "anagnosis.datasets.kinds.decision:KIND",
    "question": "anagnosis.datasets.kinds.question:KIND",
    "evidence": "anagnosis.datasets.kinds.evidence:KIND",
}
