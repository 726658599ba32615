-- Sums of the requests that named an end user or ended with an error. The ledger has neither.

CREATE TABLE request_hour (
  account_id TEXT NOT NULL,
  hour INTEGER NOT NULL,
  user TEXT NOT NULL,
  key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  code TEXT NOT NULL,
  requests INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  cached_input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  microcredits INTEGER NOT NULL,
  PRIMARY KEY (account_id, hour, user, key_id, model, code)
) STRICT, WITHOUT ROWID;

CREATE INDEX request_hour_by_time ON request_hour (hour);

CREATE TABLE request_day (
  account_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  user TEXT NOT NULL,
  key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  code TEXT NOT NULL,
  requests INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  cached_input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  microcredits INTEGER NOT NULL,
  PRIMARY KEY (account_id, day, user, key_id, model, code)
) STRICT, WITHOUT ROWID;

CREATE INDEX request_day_by_time ON request_day (day);
