-- `sequence` is the order of creation, which lists use for paging. All times are in milliseconds since 1970, UTC.

CREATE TABLE account (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  email TEXT,
  email_verified INTEGER NOT NULL CHECK (email_verified IN (0, 1)),
  plan TEXT NOT NULL,
  pending_plan TEXT,
  status TEXT NOT NULL,
  price_usd_per_month REAL,
  plan_overrides TEXT,
  cycle_started_at INTEGER NOT NULL,
  cycle_day INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT;

CREATE TABLE api_key (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES account (id),
  hash TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  name TEXT,
  payg INTEGER NOT NULL CHECK (payg IN (0, 1)),
  monthly_cap_usd REAL,
  allowed_models TEXT,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  version INTEGER NOT NULL
) STRICT;

CREATE INDEX api_key_by_account ON api_key (account_id);

CREATE TABLE audit (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  before TEXT NOT NULL,
  after TEXT NOT NULL
) STRICT;

CREATE TABLE probe (
  sequence INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  filling BLOB NOT NULL
) STRICT;
