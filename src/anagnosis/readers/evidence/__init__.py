"""Readers that give sentences the probability of answering a question or proving a claim."""
