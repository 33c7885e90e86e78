"""Sentences of passages and their scores: what is highlighted and quoted."""
