"""Search: passages of documents, engines that find them, and what is made of what was found."""
