"""Exact answers of BioASQ's phase B: how they are read, compared and scored under each protocol."""
