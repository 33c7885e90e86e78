"""Streams of XML and JSON, and blocks of records, read in bounded memory."""
