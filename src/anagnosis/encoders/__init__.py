"""Encoders: BERT-like models by name or folder, their input, and the kept vectors of their output.

They are loaded only with a reader that needs an encoder. `cpu.py` prepares torch for every reader that learns.
"""
