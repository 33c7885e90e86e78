"""The text of a paper: white space, labels, and texts of mentions."""
