-- Sums of the requests that named an end user or ended with an error. The ledger has neither.

CREATE TABLE request_hour (
  account_id text COLLATE "C" NOT NULL,
  hour bigint NOT NULL,
  "user" text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  model text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
  requests bigint NOT NULL,
  errors bigint NOT NULL,
  input_tokens bigint NOT NULL,
  cached_input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  microcredits bigint NOT NULL,
  PRIMARY KEY (account_id, hour, "user", key_id, model, code)
) WITH (fillfactor = 70);

CREATE INDEX request_hour_by_time ON request_hour (hour);

CREATE TABLE request_day (
  account_id text COLLATE "C" NOT NULL,
  day bigint NOT NULL,
  "user" text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  model text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
  requests bigint NOT NULL,
  errors bigint NOT NULL,
  input_tokens bigint NOT NULL,
  cached_input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  microcredits bigint NOT NULL,
  PRIMARY KEY (account_id, day, "user", key_id, model, code)
) WITH (fillfactor = 70);

CREATE INDEX request_day_by_time ON request_day (day);
