"""What other programs and our own export keep, as records: one file a form."""
