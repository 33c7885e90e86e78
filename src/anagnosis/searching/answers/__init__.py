"""Answers to a question: its evidence, and whether the collection holds one; related papers, exports."""
