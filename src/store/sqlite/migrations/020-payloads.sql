-- The content of requests, compressed with Zstandard, and the accounts whose content is kept.

CREATE TABLE payload_account (account_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TABLE payload (
  request_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  content BLOB NOT NULL
) STRICT;

CREATE INDEX payload_by_account ON payload (account_id, at);
CREATE INDEX payload_by_time ON payload (at);
