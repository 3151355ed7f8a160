"""The command line: one table of verbs, one parser over it, one file a verb family.

To add a verb, write its function in the file of its family and give it a row in `verbs.py`:
the parser, the help, the suggestions and docs/cli.md all come from that row.
"""
