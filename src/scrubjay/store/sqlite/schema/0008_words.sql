-- What mending a query needs: the words as they are written, because the index keeps only their
-- stems, and the acronyms that texts explain.

-- `uses` is about how often the word stood in what was read; it only says which of two words is
-- the more usual, so it is not counted down. Whether a word can still be found, the index says.
CREATE TABLE words (
    word TEXT PRIMARY KEY,
    uses INTEGER NOT NULL
) WITHOUT ROWID;

-- Chunks up to this number have been looked through; numbers are never given twice.
CREATE TABLE words_read (until INTEGER NOT NULL);
INSERT INTO words_read VALUES (0);

CREATE TABLE acronyms (
    short   TEXT NOT NULL,
    meaning TEXT NOT NULL,
    chunk   INTEGER NOT NULL REFERENCES chunks (number) ON DELETE CASCADE,
    PRIMARY KEY (short, meaning, chunk)
) WITHOUT ROWID;
CREATE INDEX acronyms_by_chunk ON acronyms (chunk);
