-- Documents, their chunks, and the full-text tables that mirror the chunks.
-- The file is the truth; everything named *_fts, *_trigram or chunks_vec can be rebuilt from it.

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value
) WITHOUT ROWID;

CREATE TABLE sources (
    number       INTEGER PRIMARY KEY,
    path         TEXT NOT NULL UNIQUE,
    tags         TEXT NOT NULL DEFAULT '[]',
    exclude      TEXT NOT NULL DEFAULT '[]',
    kind         TEXT,
    added_at     TEXT NOT NULL,
    last_read_at TEXT
);

CREATE TABLE documents (
    number       INTEGER PRIMARY KEY AUTOINCREMENT,
    id           TEXT NOT NULL UNIQUE,
    path         TEXT UNIQUE,
    title        TEXT NOT NULL,
    kind         TEXT NOT NULL CHECK (kind IN ('pdf', 'markdown', 'code', 'note')),
    created_at   TEXT NOT NULL,
    modified_at  TEXT NOT NULL,
    indexed_at   TEXT NOT NULL,
    summary      TEXT NOT NULL DEFAULT '',
    size         INTEGER NOT NULL DEFAULT 0,
    mtime_ns     INTEGER,
    content_hash TEXT NOT NULL DEFAULT '',
    source       INTEGER REFERENCES sources (number) ON DELETE SET NULL,
    metadata     TEXT NOT NULL DEFAULT '{}'
);
CREATE INDEX documents_by_date   ON documents (created_at, number);
CREATE INDEX documents_by_title  ON documents (title COLLATE NOCASE);
CREATE INDEX documents_by_hash   ON documents (content_hash);
CREATE INDEX documents_by_source ON documents (source);

-- Tags that a person gave (`by_hand`) stay when the file they were given to is read again.
CREATE TABLE tags (
    tag      TEXT NOT NULL COLLATE NOCASE,
    document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    by_hand  INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tag, document)
) WITHOUT ROWID;
CREATE INDEX tags_by_document ON tags (document);

-- AUTOINCREMENT: a chunk's number is never given to another chunk, so whatever is derived
-- from the file (matrices, caches) can tell "gone" from "someone else".
-- `bigrams` holds the Chinese, Japanese and Korean characters of title, trail and text in
-- overlapping pairs, because unicode61 takes a whole run of them for one word.
CREATE TABLE chunks (
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT NOT NULL UNIQUE,
    document   INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    ordinal    INTEGER NOT NULL,
    line_start INTEGER NOT NULL DEFAULT 1,
    line_end   INTEGER NOT NULL DEFAULT 1,
    page       INTEGER,
    title      TEXT NOT NULL DEFAULT '',
    trail      TEXT NOT NULL DEFAULT '',
    path       TEXT NOT NULL DEFAULT '',
    text       TEXT NOT NULL,
    bigrams    TEXT NOT NULL DEFAULT ''
);
CREATE INDEX chunks_by_document ON chunks (document, ordinal);

CREATE VIRTUAL TABLE chunks_fts USING fts5 (
    title, trail, path, text, bigrams,
    content = 'chunks', content_rowid = 'number', tokenize = 'porter unicode61'
);

-- Only chunks that hold such characters; a view, so that the integrity check knows which.
CREATE VIEW cjk_chunks AS
    SELECT number, title, trail, text FROM chunks WHERE bigrams <> '';
CREATE VIRTUAL TABLE chunks_trigram USING fts5 (
    title, trail, text,
    content = 'cjk_chunks', content_rowid = 'number', tokenize = 'trigram'
);

-- An external-content table must be told the OLD values with the 'delete' command: a plain
-- DELETE leaves the old words findable, and the plain integrity check does not notice.
CREATE TRIGGER chunks_inserted AFTER INSERT ON chunks BEGIN
    INSERT INTO chunks_fts (rowid, title, trail, path, text, bigrams)
    VALUES (new.number, new.title, new.trail, new.path, new.text, new.bigrams);
END;
CREATE TRIGGER chunks_deleted AFTER DELETE ON chunks BEGIN
    INSERT INTO chunks_fts (chunks_fts, rowid, title, trail, path, text, bigrams)
    VALUES ('delete', old.number, old.title, old.trail, old.path, old.text, old.bigrams);
END;
CREATE TRIGGER chunks_updated AFTER UPDATE OF title, trail, path, text, bigrams ON chunks BEGIN
    INSERT INTO chunks_fts (chunks_fts, rowid, title, trail, path, text, bigrams)
    VALUES ('delete', old.number, old.title, old.trail, old.path, old.text, old.bigrams);
    INSERT INTO chunks_fts (rowid, title, trail, path, text, bigrams)
    VALUES (new.number, new.title, new.trail, new.path, new.text, new.bigrams);
END;

CREATE TRIGGER cjk_inserted AFTER INSERT ON chunks WHEN new.bigrams <> '' BEGIN
    INSERT INTO chunks_trigram (rowid, title, trail, text) VALUES (new.number, new.title, new.trail, new.text);
END;
CREATE TRIGGER cjk_deleted AFTER DELETE ON chunks WHEN old.bigrams <> '' BEGIN
    INSERT INTO chunks_trigram (chunks_trigram, rowid, title, trail, text)
    VALUES ('delete', old.number, old.title, old.trail, old.text);
END;
-- One trigger, because the old words must go before the new ones come.
CREATE TRIGGER cjk_updated AFTER UPDATE OF title, trail, text, bigrams ON chunks
WHEN old.bigrams <> '' OR new.bigrams <> '' BEGIN
    INSERT INTO chunks_trigram (chunks_trigram, rowid, title, trail, text)
    SELECT 'delete', old.number, old.title, old.trail, old.text WHERE old.bigrams <> '';
    INSERT INTO chunks_trigram (rowid, title, trail, text)
    SELECT new.number, new.title, new.trail, new.text WHERE new.bigrams <> '';
END;
