"""Sentences of passages: their scores, highlighting and quotation."""
