-- A batch is `staged` until all of its items are stored. `due_at` is the earliest time of an item's next attempt, or
-- the end of the lease while it runs. Large texts are stored apart from the columns that change. An expired batch
-- keeps its row, so that clients learn that its results are gone.

CREATE TABLE batch (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  collection TEXT NOT NULL,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  host TEXT NOT NULL,
  size INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  deadline_at INTEGER NOT NULL,
  cancel_initiated_at INTEGER,
  ended_at INTEGER,
  counts TEXT,
  staged INTEGER NOT NULL CHECK (staged IN (0, 1)),
  emptied INTEGER NOT NULL CHECK (emptied IN (0, 1))
) STRICT;

CREATE INDEX batch_by_key ON batch (key_id, collection, sequence);
CREATE INDEX batch_running ON batch (sequence) WHERE ended_at IS NULL;
CREATE INDEX batch_by_expiry ON batch (emptied, expires_at);

CREATE TABLE batch_item (
  batch INTEGER NOT NULL,
  number INTEGER NOT NULL,
  custom_id TEXT NOT NULL,
  request_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'succeeded', 'errored', 'canceled', 'expired')),
  attempt INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  deaths INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (batch, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX batch_item_by_state ON batch_item (batch, state, deaths, number, due_at);

CREATE TABLE batch_request (
  batch INTEGER NOT NULL,
  number INTEGER NOT NULL,
  params TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX batch_request_by_item ON batch_request (batch, number);

CREATE TABLE batch_result (
  batch INTEGER NOT NULL,
  number INTEGER NOT NULL,
  line TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX batch_result_by_item ON batch_result (batch, number);

CREATE TABLE idempotency_key (
  account_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  key TEXT NOT NULL,
  token TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  lease_until INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  answer TEXT,
  PRIMARY KEY (account_id, collection, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_key_by_expiry ON idempotency_key (expires_at);
