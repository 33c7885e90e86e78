"""The version of this program, at the bottom of everything that tells it."""

__version__ = "0.1.0"
