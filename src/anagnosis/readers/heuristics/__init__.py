"""Readers that follow one simple rule or count over the training part."""
