-- Records of requests, and alerts with their deliveries. `request_count` has the number of records of each account;
-- its rows are locked in the order of their ids, and groups are locked only if they are free, so that no two nodes
-- wait for each other.
--
-- A delivery is held by one process at a time, until `held_until`. `alert_occasion` has the occasions that no node
-- must tell again until a time. `credit_mark` has the balance of purchased credit after the latest purchase of each
-- account.

CREATE TABLE request_group (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  ended_at bigint NOT NULL,
  first_id text COLLATE "C" NOT NULL,
  last_id text COLLATE "C" NOT NULL,
  count integer NOT NULL,
  lines bytea NOT NULL
);

ALTER TABLE request_group ALTER COLUMN lines SET STORAGE EXTERNAL;

CREATE INDEX request_by_account ON request_group (account_id, sequence);
CREATE INDEX request_by_end ON request_group (ended_at, first_id, last_id);

CREATE TABLE request_count (
  account_id text COLLATE "C" PRIMARY KEY,
  kept bigint NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE alert (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  at bigint NOT NULL,
  event text NOT NULL,
  body text NOT NULL
);

CREATE TABLE alert_delivery (
  alert_id text NOT NULL REFERENCES alert (id) ON DELETE CASCADE,
  webhook text COLLATE "C" NOT NULL,
  host text NOT NULL,
  state text NOT NULL,
  attempts integer NOT NULL,
  next_at bigint NOT NULL,
  ended_at bigint,
  status integer,
  error text,
  held_by text NOT NULL,
  held_until bigint NOT NULL,
  PRIMARY KEY (alert_id, webhook)
);

CREATE INDEX alert_delivery_waiting ON alert_delivery (held_until) WHERE state = 'waiting';

CREATE TABLE alert_occasion (
  name text PRIMARY KEY,
  until bigint NOT NULL
);

CREATE INDEX alert_occasion_by_end ON alert_occasion (until);

CREATE TABLE credit_mark (
  account_id text PRIMARY KEY,
  microcredits bigint NOT NULL
);
