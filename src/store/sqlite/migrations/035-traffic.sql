-- Sums of ended requests by minute, hour and day (step), each in cuts that leave out columns. A row is written by one
-- process, which replaces it while its figures grow. Durations are counts by bucket, as a text.

CREATE TABLE traffic (
  step INTEGER NOT NULL,
  cut INTEGER NOT NULL,
  at INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  status TEXT NOT NULL,
  source TEXT NOT NULL,
  node TEXT NOT NULL,
  part INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  failed_attempts INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  cached_input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  spend INTEGER NOT NULL,
  revenue INTEGER NOT NULL,
  latency TEXT NOT NULL,
  first_token TEXT NOT NULL,
  PRIMARY KEY (step, cut, at, account_id, key_id, provider, model, status, source, node, part)
) STRICT, WITHOUT ROWID;

CREATE INDEX traffic_by_account ON traffic (step, account_id, at) WHERE cut = 2;

-- The charged requests that the rows count, by process and time. After a crash the ledger shows which ones are missing.
CREATE TABLE traffic_counted (
  node TEXT NOT NULL,
  at INTEGER NOT NULL,
  request_ids TEXT NOT NULL,
  PRIMARY KEY (node, at)
) STRICT, WITHOUT ROWID;
