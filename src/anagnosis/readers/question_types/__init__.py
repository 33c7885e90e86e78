"""Readers that classify questions by type."""
