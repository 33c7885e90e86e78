"""Answers to a question: evidence, verdicts and names, with the readers' held-out scores."""
