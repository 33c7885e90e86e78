"""Names that answer a question of one thing or of several: found in the best sentences, ranked, read, and how sure."""
