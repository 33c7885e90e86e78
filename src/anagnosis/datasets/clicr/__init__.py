"""CliCR: case reports become cloze questions about their learning points."""
