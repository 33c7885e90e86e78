"""Rankings of passages: by words, by vectors, by both, and reranked."""
