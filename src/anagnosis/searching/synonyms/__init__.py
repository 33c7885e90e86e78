"""Words that mean the same: spelling variants, names of a vocabulary, abbreviations; suggestions for typos."""
