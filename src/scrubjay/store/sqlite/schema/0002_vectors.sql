-- Vectors: which model made them, which chunks have one, and the numbers themselves.

-- `identity` is all that decides what a vector means; two identities are never mixed.
-- One model answers ('active'); another may be 'building' until it is complete.
-- AUTOINCREMENT: a file beside the base that is named after a model never meets another one.
CREATE TABLE models (
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    identity   TEXT NOT NULL UNIQUE,
    name       TEXT NOT NULL,
    dim        INTEGER NOT NULL,
    state      TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'building')),
    created_at TEXT NOT NULL
);

CREATE TABLE embeddings (
    chunk    INTEGER NOT NULL REFERENCES chunks (number) ON DELETE CASCADE,
    model    INTEGER NOT NULL REFERENCES models (number) ON DELETE CASCADE,
    status   TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'success', 'failed', 'retry', 'partial')),
    attempts INTEGER NOT NULL DEFAULT 0,
    reason   TEXT NOT NULL DEFAULT '',
    hash     BLOB, -- of the text that was embedded: the same text is never embedded twice
    PRIMARY KEY (chunk, model)
) WITHOUT ROWID;
CREATE INDEX embeddings_by_text ON embeddings (model, hash) WHERE hash IS NOT NULL;
CREATE INDEX embeddings_waiting ON embeddings (model, status, chunk) WHERE status <> 'success';

-- Everything that happened to vectors, in order: a block was written (`chunk` is null), or the
-- vector of a chunk went away, which ends its rows in all blocks with a smaller number.
-- Whoever keeps something derived from the blocks remembers the last row it has seen and reads
-- on from there. `stamp` is random, so that a base restored from a backup, where the numbers
-- start again, is never taken for the one that was left behind.
CREATE TABLE vector_log (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    model  INTEGER NOT NULL,
    chunk  INTEGER,
    stamp  INTEGER NOT NULL DEFAULT (random())
);

-- Written in batches and never changed: `chunks` holds int64 chunk numbers, `vectors` their
-- float32 rows of length one, both little-endian. `number` is the block's row in the log.
-- Small blocks are merged into new ones: `covers` is the newest block whose rows are inside
-- (itself when it is not merged), so a reader that has seen that one need not read this one.
CREATE TABLE vector_blocks (
    number  INTEGER PRIMARY KEY,
    model   INTEGER NOT NULL REFERENCES models (number) ON DELETE CASCADE,
    covers  INTEGER NOT NULL,
    count   INTEGER NOT NULL,
    chunks  BLOB NOT NULL,
    vectors BLOB NOT NULL
);
CREATE INDEX vector_blocks_by_news ON vector_blocks (model, covers);
CREATE INDEX vector_blocks_by_size ON vector_blocks (model, count);

-- Vectors of chunks that were deleted lately, for when their text comes back somewhere else.
CREATE TABLE vector_cache (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    model  INTEGER NOT NULL REFERENCES models (number) ON DELETE CASCADE,
    hash   BLOB NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (model, hash)
);

-- When a whole model goes, its blocks go with it and there is nothing to tell.
CREATE TRIGGER embeddings_deleted AFTER DELETE ON embeddings
WHEN old.status IN ('success', 'partial') AND EXISTS (SELECT 1 FROM models WHERE number = old.model) BEGIN
    INSERT INTO vector_log (model, chunk) VALUES (old.model, old.chunk);
END;
CREATE TRIGGER embeddings_withdrawn AFTER UPDATE OF status ON embeddings
WHEN old.status IN ('success', 'partial') AND new.status NOT IN ('success', 'partial') BEGIN
    INSERT INTO vector_log (model, chunk) VALUES (old.model, old.chunk);
END;

-- A new or changed text waits for its vector.
CREATE TRIGGER chunks_wait AFTER INSERT ON chunks BEGIN
    INSERT INTO embeddings (chunk, model) SELECT new.number, number FROM models;
END;
CREATE TRIGGER chunks_wait_again AFTER UPDATE OF title, trail, text ON chunks BEGIN
    DELETE FROM embeddings WHERE chunk = new.number;
    INSERT INTO embeddings (chunk, model) SELECT new.number, number FROM models;
END;
