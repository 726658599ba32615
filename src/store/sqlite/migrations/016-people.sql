-- People, their sessions and ways to sign in, and their parts in organizations. `person_session.token` and
-- `invitation.token_hash` are hashes. `link_request` has the links that operators can make for people while no mail
-- is configured. `people_secret` has the secret that signs cookies, unless the configuration has one. `attempt`
-- counts attempts to sign in.

CREATE TABLE person (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  email_verified INTEGER NOT NULL,
  image TEXT,
  two_factor_enabled INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE person_session (
  id TEXT PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  token TEXT NOT NULL UNIQUE,
  expires_at INTEGER NOT NULL,
  ip_address TEXT,
  user_agent TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX person_session_by_person ON person_session (person_id);

CREATE TABLE sign_in (
  id TEXT PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  provider TEXT NOT NULL,
  subject TEXT NOT NULL,
  password TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (provider, subject)
) STRICT;

CREATE INDEX sign_in_by_person ON sign_in (person_id);

CREATE TABLE sign_in_token (
  id TEXT PRIMARY KEY,
  identifier TEXT NOT NULL,
  value TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sign_in_token_by_identifier ON sign_in_token (identifier);

CREATE TABLE second_factor (
  id TEXT PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  secret TEXT NOT NULL,
  backup_codes TEXT NOT NULL,
  verified INTEGER NOT NULL DEFAULT 1,
  failed_verification_count INTEGER NOT NULL DEFAULT 0,
  locked_until INTEGER
) STRICT;

CREATE INDEX second_factor_by_person ON second_factor (person_id);

CREATE TABLE membership (
  account_id TEXT NOT NULL REFERENCES account (id),
  person_id TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, person_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX membership_by_person ON membership (person_id);

CREATE TABLE operator_role (
  person_id TEXT PRIMARY KEY REFERENCES person (id) ON DELETE CASCADE,
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE invitation (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  email TEXT NOT NULL,
  role TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  invited_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (account_id, email)
) STRICT;

CREATE TABLE link_request (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  kind TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (email, kind)
) STRICT;

CREATE TABLE people_secret (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE attempt (
  name TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX attempt_by_end ON attempt (until);
