"""Readers that answer a question with yes, no or maybe."""
