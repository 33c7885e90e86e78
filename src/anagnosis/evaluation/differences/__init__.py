"""Differences between systems: paired tests, tests over runs, corrections for all pairs."""
