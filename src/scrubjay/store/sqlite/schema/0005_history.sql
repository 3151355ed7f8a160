-- What was changed, by whom and when; and what was there before.

-- One row a change of a document. `before` is what its row and tags were (JSON), and `pieces` the
-- ids of its chunks in order, when the change touched them: only what was replaced is kept twice.
-- No reference to documents: what is deleted keeps its history. The first row says since when
-- changes are kept; what is older than that cannot be told.
CREATE TABLE changes (
    number   INTEGER PRIMARY KEY AUTOINCREMENT,
    at       TEXT NOT NULL,
    document TEXT NOT NULL,
    what     TEXT NOT NULL CHECK (what IN ('began', 'added', 'updated', 'deleted', 'moved', 'retagged')),
    actor    TEXT NOT NULL DEFAULT '',
    before   TEXT,
    pieces   TEXT
);
CREATE INDEX changes_by_document ON changes (document, at, number);
CREATE INDEX changes_by_time     ON changes (at);
INSERT INTO changes (at, document, what) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), '', 'began');

-- The texts of chunks that are no longer there. A chunk's id is made from its document and its
-- text, so a text that comes and goes is kept once; `gone` is when it went the last time.
-- `hash` is of what was embedded: under it, its vector may still be found.
CREATE TABLE old_chunks (
    id       TEXT PRIMARY KEY,
    document TEXT NOT NULL,
    gone     TEXT NOT NULL,
    page     INTEGER,
    trail    TEXT NOT NULL DEFAULT '',
    text     TEXT NOT NULL,
    hash     BLOB
);
CREATE INDEX old_chunks_by_time ON old_chunks (gone);
