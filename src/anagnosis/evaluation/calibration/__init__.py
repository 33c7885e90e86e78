"""Calibration: the mathematics by which benchmarks fit logistic functions and thresholds."""
