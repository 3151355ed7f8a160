-- Saved searches: what they ask, what they found, and how far they have looked.

CREATE TABLE alerts (
    number     INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE COLLATE NOCASE,
    query      TEXT NOT NULL,
    filters    TEXT NOT NULL DEFAULT '{}',
    similar    REAL, -- also what is at least this similar; NULL: words alone decide
    created_at TEXT NOT NULL
);

-- A passage is found once. `chunk` and `document` are ids: what was found may be gone by the time
-- somebody asks. `reported_at` is NULL until it was handed to somebody.
CREATE TABLE alert_matches (
    alert       INTEGER NOT NULL REFERENCES alerts (number) ON DELETE CASCADE,
    chunk       TEXT NOT NULL,
    document    TEXT NOT NULL,
    at          TEXT NOT NULL,
    share       REAL,
    similarity  REAL,
    reported_at TEXT,
    PRIMARY KEY (alert, chunk)
) WITHOUT ROWID;
CREATE INDEX alert_matches_due ON alert_matches (at) WHERE reported_at IS NULL;

-- The newest chunk that was looked at, by its number, which means something in this file only.
-- Without a row, everything that is there counts as seen.
CREATE TABLE alert_progress (
    alert INTEGER PRIMARY KEY REFERENCES alerts (number) ON DELETE CASCADE,
    seen  INTEGER NOT NULL
);
