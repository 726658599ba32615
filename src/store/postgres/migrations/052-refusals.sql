-- Sums of refused requests by hour, account and cause. A row is written by one node, which replaces it while it grows.

CREATE TABLE refusal_hour (
  hour bigint NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
  cause text COLLATE "C" NOT NULL,
  node text COLLATE "C" NOT NULL,
  part bigint NOT NULL,
  times bigint NOT NULL,
  first_at bigint NOT NULL,
  last_at bigint NOT NULL,
  PRIMARY KEY (hour, account_id, code, cause, node, part)
) WITH (fillfactor = 70);
