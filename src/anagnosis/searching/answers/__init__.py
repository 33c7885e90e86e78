"""Answers to a question: evidence and names, with the readers' held-out scores."""
