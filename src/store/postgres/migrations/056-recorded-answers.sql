-- Answers that retries join and get again, and streams that are read again. `parts` counts the parts that are complete. Until
-- `held_until` the process `holder` makes the answer. Until `read_until` a client of the process `reader` reads it, and until
-- `followed_until` clients of other processes.

ALTER TABLE api_key ADD COLUMN retries text NOT NULL DEFAULT 'none';
ALTER TABLE api_key ADD COLUMN resumable boolean NOT NULL DEFAULT false;

CREATE TABLE recorded_answer (
  request_id text PRIMARY KEY,
  key_id text NOT NULL,
  account_id text NOT NULL,
  path text NOT NULL,
  idempotency_key text,
  body_hash text NOT NULL,
  is_joinable boolean NOT NULL,
  is_resumable boolean NOT NULL,
  has_ids boolean NOT NULL,
  background_id text,
  state text NOT NULL,
  head text,
  failure text,
  parts bigint NOT NULL,
  bytes bigint NOT NULL,
  frames bigint NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  replays_until bigint NOT NULL,
  streams_until bigint NOT NULL,
  holder text NOT NULL,
  held_until bigint NOT NULL,
  reader text,
  read_until bigint NOT NULL,
  followed_until bigint NOT NULL,
  is_delivered boolean NOT NULL
);

CREATE UNIQUE INDEX recorded_answer_by_idempotency ON recorded_answer (key_id, path, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX recorded_answer_by_body ON recorded_answer (key_id, body_hash) WHERE is_joinable;
CREATE INDEX recorded_answer_by_account ON recorded_answer (account_id, created_at, bytes);
CREATE INDEX recorded_answer_by_expiry ON recorded_answer (expires_at);
CREATE INDEX recorded_answer_by_reader ON recorded_answer (reader) WHERE reader IS NOT NULL;
CREATE INDEX recorded_answer_by_holder ON recorded_answer (holder) WHERE state = 'running';

CREATE TABLE recorded_part (
  request_id text NOT NULL REFERENCES recorded_answer (request_id) ON DELETE CASCADE,
  part bigint NOT NULL,
  last_frame bigint NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (request_id, part)
);
