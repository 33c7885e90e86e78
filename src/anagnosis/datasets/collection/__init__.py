"""A collection in memory: its documents ranked for a question, and the instance that they make."""
