"""Readers that give exact answers: texts from the snippets of an expert's question, ranked."""
