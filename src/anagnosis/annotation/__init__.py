"""Entities in the texts of papers: found with vocabularies, or read from the files of other programs."""
