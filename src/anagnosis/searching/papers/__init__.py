"""Papers of an index: the records that a paper is made of, which records are one paper, and what is shown of it."""
