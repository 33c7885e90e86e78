"""Words that mean the same: spelling variants, and names of a vocabulary."""
