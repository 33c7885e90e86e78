"""Reports on searches and answers."""
