"""BioC, as XML and as JSON."""
