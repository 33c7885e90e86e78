"""MEDLINE and PubMed XML."""
