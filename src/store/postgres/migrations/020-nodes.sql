-- `node` has the running nodes, and those that were closed within the last hour. A node writes its heartbeat and
-- reads the changes of the other nodes with one call. `seen` overlaps, since changes can commit in another order than
-- that of their ids. `advance_clock` moves the test clock, and with it the heartbeats and leases of running nodes, so
-- that no node has fallen silent.

CREATE TABLE node (
  id text PRIMARY KEY,
  started_at bigint NOT NULL,
  heartbeat bigint NOT NULL,
  version text NOT NULL DEFAULT '',
  config_hash text NOT NULL DEFAULT '',
  host text NOT NULL DEFAULT '',
  worker integer,
  open_requests integer NOT NULL DEFAULT 0,
  closed_at bigint
) WITH (fillfactor = 50);

CREATE TABLE provider_drain (
  provider text PRIMARY KEY,
  at bigint NOT NULL
);
