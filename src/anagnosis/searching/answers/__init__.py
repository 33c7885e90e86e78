"""Answers to a question: evidence, verdicts, names, and how they were measured."""
