"""Measures of BioASQ's phase A as the organisers' program computes them: plain functions over one question."""
