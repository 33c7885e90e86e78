"""Quotations of a draft, and whether they stand in the papers of a collection, word for word.

draft.py      what a draft quotes, and which papers it names beside each quotation
matching.py   a quotation in a text: word for word, or nearly
checking.py   the verdict of each quotation over an index
"""
