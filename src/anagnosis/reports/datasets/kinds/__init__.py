"""The reports of each kind of instances, one module each (a sibling of datasets/kinds/).

statistics_blocks(record)   tables and pictures of a dataset, the first of which gives its size
instance_report(record)     the page of one instance
"""

KIND_REPORTS = {
    name: f"anagnosis.reports.datasets.kinds.{name}" for name in ("cloze", "decision", "question", "evidence")
}
