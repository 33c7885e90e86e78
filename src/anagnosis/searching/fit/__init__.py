"""Fits for search, on questions with known answers."""
