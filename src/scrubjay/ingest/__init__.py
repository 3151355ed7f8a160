"""From files to pieces: find them, read them, decode them, cut them into what is indexed.

The stages stand alone (walk, readers, decode, chunk) and know nothing of the store; only
`ingest.pipeline` puts them in order.
"""
