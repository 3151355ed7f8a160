-- What remembering needs to know of a document beside its text, and what became of memories.

-- A document without a row is an ordinary one. `kind` is the kind of memory, `kind_source` where
-- that is known from. `stability` is in days: NULL until the first use, when the kind decides.
CREATE TABLE memories (
    document      INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
    kind          TEXT NOT NULL DEFAULT 'declarative',
    kind_source   TEXT NOT NULL DEFAULT 'default',
    kind_evidence TEXT NOT NULL DEFAULT '',
    tier          TEXT NOT NULL DEFAULT 'normal',
    expires_at    TEXT,
    project       TEXT NOT NULL DEFAULT '',
    session       TEXT NOT NULL DEFAULT '',
    source        TEXT NOT NULL DEFAULT '',
    stability     REAL CHECK (stability > 0),
    uses          INTEGER NOT NULL DEFAULT 0,
    used_at       TEXT
);
CREATE INDEX memories_by_project ON memories (project) WHERE project <> '';
CREATE INDEX memories_deprecated ON memories (document) WHERE tier = 'deprecated';
CREATE INDEX memories_expiring   ON memories (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE trigger_phrases (
    document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    place    INTEGER NOT NULL,
    phrase   TEXT NOT NULL,
    PRIMARY KEY (document, place)
) WITHOUT ROWID;

-- What was decided about memories: by a person (the first four kinds), or when one came in that
-- was like another. `document` is the one it is about, the older of two. `before` is what undoing
-- puts back. A record goes with its documents, so what it did to the one that stays is over, too.
CREATE TABLE memory_records (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    kind        TEXT NOT NULL CHECK (kind IN
        ('superseded', 'deprecated', 'refined', 'merged', 'reinforced', 'similar', 'linked', 'conflict')),
    document    INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    other       INTEGER REFERENCES documents (number) ON DELETE CASCADE,
    similarity  REAL,
    measured_by TEXT NOT NULL DEFAULT '',
    reason      TEXT NOT NULL DEFAULT '',
    before      TEXT NOT NULL DEFAULT '{}',
    created_at  TEXT NOT NULL,
    undone_at   TEXT
);
CREATE INDEX memory_records_by_document ON memory_records (document);
CREATE INDEX memory_records_by_other    ON memory_records (other) WHERE other IS NOT NULL;
CREATE INDEX memory_records_hiding      ON memory_records (document)
    WHERE kind IN ('deprecated', 'merged') AND undone_at IS NULL;
CREATE INDEX edges_superseding ON edges (target, source) WHERE relation = 'supersedes';

-- What front matter said before there was a place for it.
INSERT INTO memories (document, tier, expires_at)
SELECT number, tier, CASE tier WHEN 'temporary' THEN strftime('%Y-%m-%dT%H:%M:%SZ', created_at, '+7 days') END
FROM (SELECT number, created_at, lower(trim(json_extract(metadata, '$.importance_tier'))) AS tier FROM documents)
WHERE tier IN ('constitutional', 'critical', 'important', 'temporary', 'deprecated');
INSERT INTO trigger_phrases (document, place, phrase)
SELECT d.number, p.key, trim(p.value) FROM documents AS d, json_each(d.metadata, '$.trigger_phrases') AS p
WHERE p.type = 'text' AND p.key < 10 AND length(trim(p.value)) > 1;
