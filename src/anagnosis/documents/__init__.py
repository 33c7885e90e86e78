"""Documents: what a paper is, and what its formats share."""
