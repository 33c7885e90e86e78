"""Calibration: the mathematics. `training/calibration` decides with it."""
