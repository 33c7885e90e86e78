"""Probabilities: are they calibrated, and what follows from them."""
