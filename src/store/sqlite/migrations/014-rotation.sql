-- Keys can expire, can have limits of their own, and can be rotated. `previous` is the hash of the secret before the
-- latest rotation, and the end of its overlap. `replaced_secret` has every hash that a key had before, so that its
-- refusal says that it was valid once. `admin_token` has the named tokens of the admin API.

ALTER TABLE api_key ADD COLUMN limits TEXT;
ALTER TABLE api_key ADD COLUMN previous TEXT;
ALTER TABLE api_key ADD COLUMN expires_at INTEGER;

CREATE TABLE replaced_secret (
  hash TEXT PRIMARY KEY,
  key_id TEXT NOT NULL REFERENCES api_key (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE admin_token (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  previous_hash TEXT,
  previous_ends_at INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  version INTEGER NOT NULL,
  CHECK ((previous_hash IS NULL) = (previous_ends_at IS NULL))
) STRICT;

CREATE INDEX admin_token_by_previous_hash ON admin_token (previous_hash);
