"""Names that answer a question: extract them from the best sentences, rank them, and estimate their confidence."""
