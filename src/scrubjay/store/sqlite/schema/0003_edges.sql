-- How documents hang together: typed edges, and the names by which a text calls another.

-- An edge runs between two documents. `source_chunk` and `target_chunk` say where exactly, or 0
-- for the document as a whole; 0 instead of NULL, so that uniqueness holds for whole documents.
-- What was read in a text keeps the words it used: `wanted`, and `name`, under which a document
-- that fits is found. While there is none, `target` is NULL, and the edge waits for it.
CREATE TABLE edges (
    number       INTEGER PRIMARY KEY,
    source       INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    source_chunk INTEGER NOT NULL DEFAULT 0,
    target       INTEGER REFERENCES documents (number) ON DELETE CASCADE,
    target_chunk INTEGER NOT NULL DEFAULT 0,
    relation     TEXT NOT NULL,
    origin       TEXT NOT NULL CHECK (origin IN ('user', 'link', 'import', 'citation', 'mention', 'learned')),
    strength     REAL NOT NULL CHECK (strength BETWEEN 0 AND 1),
    evidence     TEXT NOT NULL DEFAULT '',
    wanted       TEXT NOT NULL DEFAULT '',
    name         TEXT NOT NULL DEFAULT '',
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    CHECK (target IS NULL OR source <> target)
);
CREATE UNIQUE INDEX edges_from ON edges (source, source_chunk, target, target_chunk, relation);
CREATE INDEX edges_to       ON edges (target, target_chunk, strength) WHERE target IS NOT NULL;
CREATE INDEX edges_waiting  ON edges (name) WHERE name <> '';
CREATE INDEX edges_learned  ON edges (updated_at) WHERE origin = 'learned';

-- What a document may be called: by its title or file in words ("t:demon dice"), by its file
-- ("f:git", "f:notes/git"), by its folder ("g:util/text"), by a title that texts may mention
-- ("m:demon dice").
CREATE TABLE names (
    name     TEXT NOT NULL,
    document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    PRIMARY KEY (name, document)
) WITHOUT ROWID;
CREATE INDEX names_by_document ON names (document);

-- What has been written and not yet been looked through for links, kept by triggers so that
-- no way of writing can forget it and an interrupted run goes on where it stopped.
CREATE TABLE unread_chunks    (chunk    INTEGER PRIMARY KEY);
CREATE TABLE unread_documents (document INTEGER PRIMARY KEY);
INSERT INTO unread_chunks SELECT number FROM chunks;
INSERT INTO unread_documents SELECT number FROM documents;

CREATE TRIGGER chunks_unread AFTER INSERT ON chunks BEGIN
    INSERT INTO unread_chunks VALUES (new.number);
END;
CREATE TRIGGER documents_unread AFTER INSERT ON documents BEGIN
    INSERT INTO unread_documents VALUES (new.number);
END;
-- A renamed file is called something else, and its relative links lead elsewhere.
CREATE TRIGGER documents_renamed AFTER UPDATE OF path, title ON documents
WHEN old.path IS NOT new.path OR old.title <> new.title BEGIN
    INSERT INTO unread_documents VALUES (new.number) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER documents_moved AFTER UPDATE OF path ON documents WHEN old.path IS NOT new.path BEGIN
    INSERT INTO unread_chunks SELECT number FROM chunks WHERE document = new.number ON CONFLICT DO NOTHING;
END;

-- What was read in a chunk goes with it; what a person said of it stays with its document.
CREATE TRIGGER chunk_edges BEFORE DELETE ON chunks BEGIN
    DELETE FROM unread_chunks WHERE chunk = old.number;
    DELETE FROM edges WHERE source = old.document AND source_chunk = old.number AND origin <> 'user';
    UPDATE OR REPLACE edges SET source_chunk = 0 WHERE source = old.document AND source_chunk = old.number;
    UPDATE OR REPLACE edges SET target_chunk = 0 WHERE target = old.document AND target_chunk = old.number;
END;
-- A link waits again when what it led to is gone, so that it leads there when it comes back.
CREATE TRIGGER document_edges BEFORE DELETE ON documents BEGIN
    DELETE FROM unread_documents WHERE document = old.number;
    UPDATE edges SET target = NULL, target_chunk = 0 WHERE target = old.number AND name <> '';
END;
