"""MEDLINE text, as PubMed exports it (.nbib)."""
