"""The query language: from what a user types to the tree that engines search (docs/search.md)."""
