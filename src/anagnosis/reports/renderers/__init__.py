"""Renderers: a report as a page, a table for a paper, plain text or data."""
