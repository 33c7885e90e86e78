"""Reports on datasets and their instances."""
