-- The records of requests, in groups. `request_by_end` finds a request by its id: it has every column that the search
-- needs, so that it reads no lines of other groups. `lines` is compressed with Zstandard. `request_count` has the
-- number of records of each account.

CREATE TABLE request_group (
  sequence INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL,
  ended_at INTEGER NOT NULL,
  first_id TEXT NOT NULL,
  last_id TEXT NOT NULL,
  count INTEGER NOT NULL,
  lines BLOB NOT NULL
) STRICT;

CREATE INDEX request_by_account ON request_group (account_id, sequence);
CREATE INDEX request_by_end ON request_group (ended_at, first_id, last_id);

CREATE TABLE request_count (
  account_id TEXT PRIMARY KEY,
  kept INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
