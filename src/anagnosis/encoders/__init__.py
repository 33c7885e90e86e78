"""Encoders: any BERT-like model by name or folder, what it is given to read, and what is kept of its output.

Nothing here is loaded before a reader that needs an encoder is.
"""
