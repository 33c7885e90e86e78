"""Readers of sentences: each gets a probability of holding the answer to a question, or of proving a claim."""
