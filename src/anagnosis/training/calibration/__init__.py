"""Probabilities of finished runs: fitted (sentences.py), and decisions by rules (decisions.py)."""
