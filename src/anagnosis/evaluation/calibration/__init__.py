"""Calibration: the mathematics. `training/calibration` fits runs with it."""
