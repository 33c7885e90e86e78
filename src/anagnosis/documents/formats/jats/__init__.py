"""JATS and NLM journal XML, the format of PMC's articles."""
