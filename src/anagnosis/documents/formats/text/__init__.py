"""Plain text, a paper a file."""
