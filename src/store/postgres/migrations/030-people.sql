-- People, their sessions and ways to sign in, and their parts in organizations. `person_session.token` and
-- `invitation.token_hash` are hashes. `link_request` has the links that operators can make for people while no mail
-- is configured. `people_secret` has the secret that signs cookies, unless the configuration has one. `attempt`
-- counts attempts to sign in.

CREATE TABLE person (
  id text PRIMARY KEY,
  email text NOT NULL UNIQUE,
  name text NOT NULL,
  email_verified boolean NOT NULL,
  image text,
  two_factor_enabled boolean NOT NULL DEFAULT false,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
);

CREATE TABLE person_session (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  token text NOT NULL UNIQUE,
  expires_at bigint NOT NULL,
  ip_address text,
  user_agent text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
);

CREATE INDEX person_session_by_person ON person_session (person_id);

CREATE TABLE sign_in (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  provider text NOT NULL,
  subject text NOT NULL,
  password text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  UNIQUE (provider, subject)
);

CREATE INDEX sign_in_by_person ON sign_in (person_id);

CREATE TABLE sign_in_token (
  id text PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
);

CREATE INDEX sign_in_token_by_identifier ON sign_in_token (identifier);

CREATE TABLE second_factor (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  secret text NOT NULL,
  backup_codes text NOT NULL,
  verified boolean NOT NULL DEFAULT true,
  failed_verification_count bigint NOT NULL DEFAULT 0,
  locked_until bigint
);

CREATE INDEX second_factor_by_person ON second_factor (person_id);

CREATE TABLE membership (
  account_id text NOT NULL REFERENCES account (id),
  person_id text NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  role text NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (account_id, person_id)
);

CREATE INDEX membership_by_person ON membership (person_id);

CREATE TABLE operator_role (
  person_id text PRIMARY KEY REFERENCES person (id) ON DELETE CASCADE,
  role text NOT NULL,
  created_at bigint NOT NULL
);

CREATE TABLE invitation (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES account (id),
  email text NOT NULL,
  role text NOT NULL,
  token_hash text NOT NULL UNIQUE,
  invited_by text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  UNIQUE (account_id, email)
);

CREATE TABLE link_request (
  id text PRIMARY KEY,
  email text NOT NULL,
  kind text NOT NULL,
  created_at bigint NOT NULL,
  UNIQUE (email, kind)
);

CREATE TABLE people_secret (
  name text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE attempt (
  name text PRIMARY KEY,
  count bigint NOT NULL,
  until bigint NOT NULL
);

CREATE INDEX attempt_by_end ON attempt (until);
