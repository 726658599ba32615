-- `sequence` is the order of creation, which lists use for paging. JSON is kept as text, since `jsonb` refuses the
-- character NUL. `record_audit` is the last step of a change. Its lock lets entries become visible in the order of
-- their numbers.

CREATE TABLE account (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  name text NOT NULL,
  email text,
  email_verified boolean NOT NULL,
  plan text NOT NULL,
  pending_plan text,
  status text NOT NULL,
  price_usd_per_month double precision,
  plan_overrides text,
  cycle_started_at bigint NOT NULL,
  cycle_day integer NOT NULL,
  created_at bigint NOT NULL,
  version bigint NOT NULL
);

CREATE TABLE api_key (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  account_id text NOT NULL REFERENCES account (id),
  hash text NOT NULL UNIQUE,
  hint text NOT NULL,
  name text,
  payg boolean NOT NULL,
  monthly_cap_usd double precision,
  allowed_models text,
  limits text,
  previous text,
  created_at bigint NOT NULL,
  expires_at bigint,
  revoked_at bigint,
  version bigint NOT NULL
);

CREATE INDEX api_key_by_account ON api_key (account_id, sequence);

CREATE TABLE replaced_secret (
  hash text PRIMARY KEY,
  key_id text NOT NULL REFERENCES api_key (id)
);

CREATE TABLE admin_token (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  name text NOT NULL,
  role text NOT NULL,
  hash text NOT NULL UNIQUE,
  hint text NOT NULL,
  previous_hash text,
  previous_ends_at bigint,
  created_at bigint NOT NULL,
  expires_at bigint,
  revoked_at bigint,
  version bigint NOT NULL,
  CHECK ((previous_hash IS NULL) = (previous_ends_at IS NULL))
);

CREATE UNIQUE INDEX admin_token_by_name ON admin_token (lower(name COLLATE "C")) WHERE revoked_at IS NULL;
CREATE INDEX admin_token_by_previous_hash ON admin_token (previous_hash);

CREATE TABLE audit (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  target text NOT NULL,
  before text NOT NULL,
  after text NOT NULL
);

CREATE INDEX audit_by_actor ON audit (actor, sequence);
CREATE INDEX audit_by_action ON audit (action, sequence);
CREATE INDEX audit_by_target ON audit (target, sequence);
CREATE INDEX audit_by_time ON audit (at, sequence);

CREATE TABLE probe (
  process text PRIMARY KEY,
  at bigint NOT NULL
);
