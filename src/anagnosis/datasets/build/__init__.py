"""Building a dataset in three phases: screen, resolve, write."""
