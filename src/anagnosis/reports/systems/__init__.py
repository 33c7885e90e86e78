"""Reports on systems: scores, comparisons, people."""
