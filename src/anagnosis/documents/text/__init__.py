"""The text of a paper: white space, labels, and where mentions are."""
