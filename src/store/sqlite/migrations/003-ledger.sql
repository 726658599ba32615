-- Entries are never changed, and are stored in the order of writing for all accounts. `text` is the hashed JSON array
-- (`ledger/entry-text.ts`). `previous` is the number of the account's previous entry, so that an account's entries
-- are found from its last one. A bucket sums an account's entries of one period, and `usage_hour` its usage entries
-- of an hour. `account_head` is the end of its chain. These rows are written some time after the entries, one account
-- at a time. They include every entry up to the number in `summed`. `open_hold` has the holds that remain after a
-- crash.

CREATE TABLE entry (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  previous INTEGER NOT NULL,
  text TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX entry_by_id ON entry (id);

CREATE TABLE account_head (
  account_id TEXT PRIMARY KEY,
  number INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE summed (number INTEGER NOT NULL) STRICT;

INSERT INTO summed VALUES (0);

CREATE TABLE bucket (
  account_id TEXT NOT NULL,
  period TEXT NOT NULL,
  granted INTEGER NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (account_id, period)
) STRICT, WITHOUT ROWID;

CREATE TABLE usage_hour (
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  hour INTEGER NOT NULL,
  model TEXT NOT NULL,
  requests INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  cached_input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  microcredits INTEGER NOT NULL,
  PRIMARY KEY (account_id, key_id, hour, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE open_hold (
  request_id TEXT PRIMARY KEY,
  checkpoint TEXT NOT NULL
) STRICT;
