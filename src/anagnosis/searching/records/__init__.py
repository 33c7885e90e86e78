"""The records of a search and of an answer: one set from the engine to the page, the terminal and JSON."""
