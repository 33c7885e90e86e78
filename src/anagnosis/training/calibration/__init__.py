"""Probabilities of finished runs: fitted (run_calibration.py), and decisions by rules (decisions.py)."""
