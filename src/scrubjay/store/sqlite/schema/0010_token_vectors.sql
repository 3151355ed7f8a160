-- Token vectors, kept where the user wants reranking not to make them each time (rerank.token_vectors).

-- `form` says how they were projected and packed, `hash` is of the passage that was read: a passage
-- is looked up by both, so that what is found is never of another text or another form.
CREATE TABLE token_vectors (
    chunk  INTEGER NOT NULL REFERENCES chunks (number) ON DELETE CASCADE,
    model  INTEGER NOT NULL REFERENCES models (number) ON DELETE CASCADE,
    form   INTEGER NOT NULL,
    hash   BLOB NOT NULL,
    scales BLOB NOT NULL,
    rows   BLOB NOT NULL,
    UNIQUE (chunk, model)
);
CREATE INDEX token_vectors_by_text ON token_vectors (hash, model);

CREATE TRIGGER token_vectors_of_another_text AFTER UPDATE OF title, trail, text ON chunks BEGIN
    DELETE FROM token_vectors WHERE chunk = new.number;
END;
