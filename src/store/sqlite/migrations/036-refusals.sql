-- Sums of refused requests by hour, account and cause. A row is written by one process, which replaces it while it grows.

CREATE TABLE refusal_hour (
  hour INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  code TEXT NOT NULL,
  cause TEXT NOT NULL,
  node TEXT NOT NULL,
  part INTEGER NOT NULL,
  times INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (hour, account_id, code, cause, node, part)
) STRICT, WITHOUT ROWID;
