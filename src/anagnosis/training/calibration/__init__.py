"""Decisions of finished runs, by calibrated probabilities and rules."""
