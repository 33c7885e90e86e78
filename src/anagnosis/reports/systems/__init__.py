"""Reports on systems: scores, comparisons, calibration, people."""
