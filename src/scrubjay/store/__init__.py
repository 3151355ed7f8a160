"""Stores: where documents, chunks and vectors are kept and found again."""
