"""Embedders: text becomes vectors, by local models or by servers that somebody chose."""
