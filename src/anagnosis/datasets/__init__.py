"""Datasets: the schema of an instance, the folder it is kept in, and one folder for each dataset's rules."""

DATASETS = {
    "biomrc": "anagnosis.datasets.biomrc.build",
    "pubmedqa": "anagnosis.datasets.pubmedqa.build",
    "evidence": "anagnosis.datasets.bioasq.evidence",
}
