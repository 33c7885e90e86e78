"""Vocabularies: terms with their names, types and parents, read from the files that thesauri and ontologies publish."""
