"""What is fitted for search on questions with known answers."""
