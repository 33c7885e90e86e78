"""The version of this program, in the lowest layer."""

__version__ = "0.1.0"
