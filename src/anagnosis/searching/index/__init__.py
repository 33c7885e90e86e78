"""The index folder: passages, records of papers, settings, checks."""
