"""Entities: terms of vocabularies, names in texts, and the mentions of concepts that annotation finds there."""
