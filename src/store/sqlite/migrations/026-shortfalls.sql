-- Charges below their list cost, by entry, and the accounts whose hosted tools are stopped because of them.

ALTER TABLE account ADD COLUMN hosted_tools_stopped INTEGER NOT NULL DEFAULT 0 CHECK (hosted_tools_stopped IN (0, 1));

CREATE TABLE shortfall (
  entry_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  microcredits INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX shortfall_by_account ON shortfall (account_id, at);
