-- `budget_spend` has what counts against budgets, by the start of a bin of time; a calendar window is one bin. The rows are
-- derived from entries and written some time after them, like those of `bucket`. A budget counts from `counts_from` on.
-- `account.budgets` is how many budgets the account has.

ALTER TABLE account ADD COLUMN budgets INTEGER NOT NULL DEFAULT 0;

CREATE TABLE budget (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL,
  name TEXT,
  scope TEXT NOT NULL,
  target TEXT,
  span TEXT NOT NULL,
  kind TEXT NOT NULL,
  limit_microcredits INTEGER NOT NULL,
  warn_share REAL,
  raised TEXT,
  owner TEXT NOT NULL,
  counter TEXT NOT NULL,
  counts_from INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  revision INTEGER NOT NULL
) STRICT;

CREATE INDEX budget_by_account ON budget (account_id);

CREATE TABLE budget_spend (
  account_id TEXT NOT NULL,
  counter TEXT NOT NULL,
  target TEXT NOT NULL,
  bin INTEGER NOT NULL,
  used INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (account_id, counter, target, bin)
) STRICT, WITHOUT ROWID;
