"""Calibrated probabilities, one implementation for all readers: parameters fitted on a finished run.

    parameters         the files in a run folder, and the weights that each is for
    run_calibration    fit a run: a temperature for decisions, a slope and an intercept for sentences
    decisions          yes, no or maybe from calibrated probabilities, by a rule chosen on development questions

The mathematics is in `evaluation/calibration`.
"""
