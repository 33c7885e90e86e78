"""Datasets: the schema of an instance, the folder it is kept in, and one folder for each dataset's rules.

DATASETS says where each dataset is defined (`definition.py`); other packages add to it by the entry points
`anagnosis.datasets`.
"""

DATASETS = {
    "biomrc": "anagnosis.datasets.biomrc:DEFINITION",
    "bioread": "anagnosis.datasets.bioread:DEFINITION",
    "clicr": "anagnosis.datasets.clicr:DEFINITION",
    "pubmedqa": "anagnosis.datasets.pubmedqa:DEFINITION",
    "evidence": "anagnosis.datasets.bioasq:EVIDENCE",
    "bioasq": "anagnosis.datasets.bioasq:DEFINITION",
    "bioasq-decisions": "anagnosis.datasets.bioasq:DECISIONS",
    "bioasq-retrieval": "anagnosis.datasets.bioasq:RETRIEVAL",
    "scifact": "anagnosis.datasets.scifact:DEFINITION",
    "squad": "anagnosis.datasets.squad:DEFINITION",
}
