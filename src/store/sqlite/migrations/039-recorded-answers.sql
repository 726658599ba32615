-- Answers that retries join and get again, and streams that are read again. `parts` counts the parts that are complete. Until
-- `held_until` the process `holder` makes the answer. Until `read_until` a client of the process `reader` reads it, and until
-- `followed_until` clients of other processes.

ALTER TABLE api_key ADD COLUMN retries TEXT NOT NULL DEFAULT 'none';
ALTER TABLE api_key ADD COLUMN resumable INTEGER NOT NULL DEFAULT 0;

CREATE TABLE recorded_answer (
  request_id TEXT PRIMARY KEY,
  key_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  path TEXT NOT NULL,
  idempotency_key TEXT,
  body_hash TEXT NOT NULL,
  is_joinable INTEGER NOT NULL,
  is_resumable INTEGER NOT NULL,
  has_ids INTEGER NOT NULL,
  background_id TEXT,
  state TEXT NOT NULL,
  head TEXT,
  failure TEXT,
  parts INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  frames INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  replays_until INTEGER NOT NULL,
  streams_until INTEGER NOT NULL,
  holder TEXT NOT NULL,
  held_until INTEGER NOT NULL,
  reader TEXT,
  read_until INTEGER NOT NULL,
  followed_until INTEGER NOT NULL,
  is_delivered INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX recorded_answer_by_idempotency ON recorded_answer (key_id, path, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX recorded_answer_by_body ON recorded_answer (key_id, body_hash) WHERE is_joinable = 1;
CREATE INDEX recorded_answer_by_account ON recorded_answer (account_id, created_at, bytes);
CREATE INDEX recorded_answer_by_expiry ON recorded_answer (expires_at);
CREATE INDEX recorded_answer_by_reader ON recorded_answer (reader) WHERE reader IS NOT NULL;
CREATE INDEX recorded_answer_by_holder ON recorded_answer (holder) WHERE state = 'running';

CREATE TABLE recorded_part (
  request_id TEXT NOT NULL REFERENCES recorded_answer (request_id) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  last_frame INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (request_id, part)
) STRICT, WITHOUT ROWID;
