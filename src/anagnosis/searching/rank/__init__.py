"""Rankings of passages: by words, by vectors, and by both."""
