"""The text that CliCR's program reads: tokenised case reports, one sentence a line."""
