-- `limit_state` has one row for each account (`a:ID`), each key with limits of its own (`k:ID`) and each client
-- network (`n:NETWORK`). `bins` has the 61 bins of each window: requests, tokens, requests in five minutes, reads.
-- The last two are missing while they are empty. `nodes` and `places` say how many requests each node serves. `era`
-- has one row while the windows are intact: these tables are empty after a crash of Postgres. `gate_call` has a
-- node's latest call, so that a repeated call counts once.

CREATE UNLOGGED TABLE limit_state (
  scope text PRIMARY KEY,
  newest bigint[] NOT NULL DEFAULT '{0,0,0,0}',
  total bigint[] NOT NULL DEFAULT '{0,0,0,0}',
  bins bigint[] NOT NULL DEFAULT array_fill(0::bigint, ARRAY[122]),
  under_way integer NOT NULL DEFAULT 0,
  nodes text[] NOT NULL DEFAULT '{}',
  places integer[] NOT NULL DEFAULT '{}',
  used_at bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 40);

ALTER TABLE limit_state ALTER COLUMN bins SET STORAGE PLAIN;

CREATE UNLOGGED TABLE era (one integer PRIMARY KEY CHECK (one = 1), id text NOT NULL, ready boolean NOT NULL, began_at bigint NOT NULL);

CREATE UNLOGGED TABLE era_node (era text NOT NULL, node text NOT NULL, PRIMARY KEY (era, node));

CREATE UNLOGGED TABLE gate_call (
  node text NOT NULL,
  lane text NOT NULL,
  number bigint NOT NULL,
  answer text NOT NULL,
  PRIMARY KEY (node, lane)
) WITH (fillfactor = 40, toast_tuple_target = 4080);

ALTER TABLE gate_call ALTER COLUMN answer SET STORAGE EXTERNAL;
