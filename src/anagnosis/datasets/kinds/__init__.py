"""Kinds of instances: cloze, decision, question, evidence."""
