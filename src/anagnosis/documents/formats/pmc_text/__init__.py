"""The plain text of PMC's open access articles."""
