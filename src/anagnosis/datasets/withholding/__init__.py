"""A public copy of a dataset: the answers of one split left out, so that systems can be ranked on it."""
