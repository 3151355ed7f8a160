-- FTS5 gathers the words of a writing in 1 MB of memory and writes them out as a small index each
-- time that is full; the small ones are merged later. With 8 MB there are fewer: a bulk writing
-- takes a tenth less, and who writes little uses little.
INSERT INTO chunks_fts (chunks_fts, rank) VALUES ('hashsize', 8388608);
