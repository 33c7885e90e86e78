"""The records of a search and of an answer, for engine, web page, terminal and JSON alike."""
