-- Sign-ins of command-line clients. `device_sign_in` has the codes that wait for a person, and `client_token` the refresh
-- tokens of the keys that were given out. All codes and tokens are hashes. A token that was used is kept until `kept_until`.

CREATE TABLE device_sign_in (
  id TEXT PRIMARY KEY,
  device_hash TEXT NOT NULL UNIQUE,
  user_hash TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL,
  account_id TEXT REFERENCES account (id),
  person_id TEXT REFERENCES person (id) ON DELETE CASCADE,
  polled_at INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX device_sign_in_by_expiry ON device_sign_in (expires_at);

CREATE TABLE client_token (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  key_id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES account (id),
  person_id TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  used_at INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  kept_until INTEGER NOT NULL
) STRICT;

CREATE INDEX client_token_by_key ON client_token (key_id);
CREATE INDEX client_token_by_person ON client_token (person_id, account_id);
CREATE INDEX client_token_by_end ON client_token (kept_until);
