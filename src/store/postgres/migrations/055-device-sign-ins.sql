-- Sign-ins of command-line clients. `device_sign_in` has the codes that wait for a person, and `client_token` the refresh
-- tokens of the keys that were given out. All codes and tokens are hashes. A token that was used is kept until `kept_until`.

CREATE TABLE device_sign_in (
  id text PRIMARY KEY,
  device_hash text NOT NULL UNIQUE,
  user_hash text NOT NULL UNIQUE,
  status text NOT NULL,
  account_id text REFERENCES account (id),
  person_id text REFERENCES person (id) ON DELETE CASCADE,
  polled_at bigint,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL
);

CREATE INDEX device_sign_in_by_expiry ON device_sign_in (expires_at);

CREATE TABLE client_token (
  id text PRIMARY KEY,
  hash text NOT NULL UNIQUE,
  key_id text NOT NULL,
  account_id text NOT NULL REFERENCES account (id),
  person_id text NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  used_at bigint,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  kept_until bigint NOT NULL
);

CREATE INDEX client_token_by_key ON client_token (key_id);
CREATE INDEX client_token_by_person ON client_token (person_id, account_id);
CREATE INDEX client_token_by_end ON client_token (kept_until);
