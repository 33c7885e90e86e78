"""What papers conclude about a question: their concluding sentences, kinds and populations."""
