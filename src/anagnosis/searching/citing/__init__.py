"""Papers as references: for reference managers, tables, and citations of a sentence."""
