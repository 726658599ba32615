-- Alerts with their deliveries to webhooks. `body` is the text that is sent. `alert_occasion` has the occasions that
-- must not be told again until a time. `credit_mark` has the balance of purchased credit after the latest purchase of
-- each account.

CREATE TABLE alert (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  event TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE alert_delivery (
  alert_id TEXT NOT NULL,
  webhook TEXT NOT NULL,
  host TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  ended_at INTEGER,
  status INTEGER,
  error TEXT,
  PRIMARY KEY (alert_id, webhook)
) STRICT, WITHOUT ROWID;

CREATE TABLE alert_occasion (
  name TEXT PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX alert_occasion_by_end ON alert_occasion (until);

CREATE TABLE credit_mark (
  account_id TEXT PRIMARY KEY,
  microcredits INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
