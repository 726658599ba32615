-- The items of a batch that a provider runs in a batch of its own.

ALTER TABLE batch ADD COLUMN native INTEGER NOT NULL DEFAULT 0 CHECK (native IN (0, 1));
ALTER TABLE batch_item ADD COLUMN submission INTEGER;

CREATE TABLE native_submission (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  batch INTEGER NOT NULL,
  provider TEXT NOT NULL,
  wire TEXT NOT NULL,
  upstream_model TEXT NOT NULL,
  upstream_id TEXT
) STRICT;

CREATE INDEX native_submission_by_batch ON native_submission (batch);
