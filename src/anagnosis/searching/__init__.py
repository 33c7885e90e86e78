"""Search: passages of documents, engines that retrieve them, rankings, and answers from the retrieved passages."""
