"""Encoders: BERT-like models by name or folder, their input, and the kept vectors of their output.

The package is loaded only with a reader that needs an encoder.
"""
