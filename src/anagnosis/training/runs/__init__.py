"""Run folders: their files, replicates, provenance, and predictions from them."""
