"""anagnosis: machine reading of biomedical papers."""

__version__ = "0.1.0"
