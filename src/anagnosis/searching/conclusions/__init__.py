"""What papers conclude about a question: their concluding sentences, and their kinds."""
