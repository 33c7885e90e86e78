"""The query language: from what a user types to the tree that engines search (docs/query_language.md)."""
