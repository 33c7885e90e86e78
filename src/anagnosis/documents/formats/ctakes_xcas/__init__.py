"""cTAKES's XCAS: the tokens and sentences of a text."""
