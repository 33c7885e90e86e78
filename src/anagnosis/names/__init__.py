"""Names in a text: candidate spans, and which names are the same; used by readers, measures and the search."""
