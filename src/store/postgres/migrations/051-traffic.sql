-- Sums of ended requests by minute, hour and day (step), each in cuts that leave out columns. A row is written by one
-- node, which replaces it while its figures grow. Durations are counts by bucket, as a text.

CREATE TABLE traffic (
  step smallint NOT NULL,
  cut smallint NOT NULL,
  at bigint NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  model text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  node text COLLATE "C" NOT NULL,
  part bigint NOT NULL,
  requests bigint NOT NULL,
  errors bigint NOT NULL,
  refused bigint NOT NULL,
  attempts bigint NOT NULL,
  failed_attempts bigint NOT NULL,
  input_tokens bigint NOT NULL,
  cached_input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  spend bigint NOT NULL,
  revenue bigint NOT NULL,
  latency text COLLATE "C" NOT NULL,
  first_token text COLLATE "C" NOT NULL,
  PRIMARY KEY (step, cut, at, account_id, key_id, provider, model, status, source, node, part)
) WITH (fillfactor = 70);

CREATE INDEX traffic_by_account ON traffic (step, account_id, at) WHERE cut = 2;

-- The charged requests that the rows count, by process and time. After a crash the ledger shows which ones are missing.
CREATE TABLE traffic_counted (
  node text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  request_ids text COLLATE "C" NOT NULL,
  PRIMARY KEY (node, at)
);
