-- Daily sums keep a year at a few hundred rows. Hourly sums are ordered by time, so that both ends of a span are
-- found without reading the rows in between. `token_day`: the tokens that a plan has paid for on the account's last
-- day.

ALTER TABLE usage_hour RENAME TO usage_hour_by_key;

CREATE TABLE usage_hour (
  account_id TEXT NOT NULL,
  hour INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  requests INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  cached_input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  microcredits INTEGER NOT NULL,
  PRIMARY KEY (account_id, hour, key_id, model)
) STRICT, WITHOUT ROWID;

INSERT INTO usage_hour
SELECT account_id, hour, key_id, model, requests, input_tokens, cached_input_tokens, output_tokens, microcredits
FROM usage_hour_by_key;

DROP TABLE usage_hour_by_key;

CREATE TABLE usage_day (
  account_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  requests INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  cached_input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  microcredits INTEGER NOT NULL,
  PRIMARY KEY (account_id, day, key_id, model)
) STRICT, WITHOUT ROWID;

INSERT INTO usage_day
SELECT account_id, hour / 24, key_id, model, SUM(requests), SUM(input_tokens), SUM(cached_input_tokens),
  SUM(output_tokens), SUM(microcredits)
FROM usage_hour GROUP BY account_id, hour / 24, key_id, model;

CREATE TABLE token_day (
  account_id TEXT PRIMARY KEY,
  day INTEGER NOT NULL,
  tokens INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
