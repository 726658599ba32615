-- Merged days of accounts and keys by one more column, such as the model or the node. `kind` names the columns, `at` counts the
-- periods since 1970, and `slice` is the value of the column. Questions about one value read its rows alone.

CREATE TABLE merged_traffic (
  kind INTEGER NOT NULL,
  at INTEGER NOT NULL,
  slice TEXT NOT NULL,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  status TEXT NOT NULL,
  source TEXT NOT NULL,
  node TEXT NOT NULL,
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
  PRIMARY KEY (kind, at, slice, account_id, key_id, provider, status, source)
) STRICT, WITHOUT ROWID;

INSERT INTO traffic_merge (cut, merged_to) VALUES (10, 0), (11, 0), (12, 0), (13, 0), (14, 0);
