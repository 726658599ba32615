-- What each process has seen of the faults of providers. A row is written by one process, which replaces it while the fault lasts.

CREATE TABLE provider_fault (
  id text COLLATE "C" PRIMARY KEY,
  provider text NOT NULL,
  cause text NOT NULL,
  model text,
  first_at bigint NOT NULL,
  last_at bigint NOT NULL,
  well_at bigint,
  seen_at bigint,
  failures bigint NOT NULL,
  hidden bigint NOT NULL,
  raised bigint NOT NULL,
  recent text NOT NULL,
  status bigint,
  message text
) WITH (fillfactor = 70);

CREATE INDEX provider_fault_by_last ON provider_fault (last_at);
