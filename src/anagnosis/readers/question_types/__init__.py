"""Readers that tell the type of a question."""
