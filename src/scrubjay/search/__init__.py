"""Searching: plan → expand → retrieve → fuse → adjust → rerank → fetch."""
