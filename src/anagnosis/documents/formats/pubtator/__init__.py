"""PubTator text."""
