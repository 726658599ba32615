-- What each process has seen of the faults of providers. A row is written by one process, which replaces it while the fault lasts.

CREATE TABLE provider_fault (
  id TEXT PRIMARY KEY,
  provider TEXT NOT NULL,
  cause TEXT NOT NULL,
  model TEXT,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  well_at INTEGER,
  seen_at INTEGER,
  failures INTEGER NOT NULL,
  hidden INTEGER NOT NULL,
  raised INTEGER NOT NULL,
  recent TEXT NOT NULL,
  status INTEGER,
  message TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX provider_fault_by_last ON provider_fault (last_at);
