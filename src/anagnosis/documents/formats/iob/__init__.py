"""Tokens with tags of entities, a token a line (IOB, CoNLL)."""
