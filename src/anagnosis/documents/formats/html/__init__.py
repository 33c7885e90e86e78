"""Papers as web pages, without what surrounds their text (jusText)."""
