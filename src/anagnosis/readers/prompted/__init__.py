"""A language model behind a server as a reader: what it is asked, and how its replies are read."""
