"""The embedded engine: everything in one SQLite file. All its SQL is in this folder."""
