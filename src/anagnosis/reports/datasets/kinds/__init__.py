"""The reports of each kind of instances, one file each: tables and pictures of a dataset, and the page of one instance.

A sibling of datasets/kinds/.
"""

# name of a kind → its `KindReports` (kind_reports.py).
KIND_REPORTS = {
    "cloze": "anagnosis.reports.datasets.kinds.cloze:REPORTS",
    "decision": "anagnosis.reports.datasets.kinds.decision:REPORTS",
    "question": "anagnosis.reports.datasets.kinds.question:REPORTS",
    "evidence": "anagnosis.reports.datasets.kinds.evidence:REPORTS",
}
