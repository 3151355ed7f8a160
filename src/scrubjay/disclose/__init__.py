"""Showing as much as is needed and no more: entry → hit → passage."""
