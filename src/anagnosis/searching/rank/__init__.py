"""Rankings of passages: by words, by vectors, by both, read once more."""
