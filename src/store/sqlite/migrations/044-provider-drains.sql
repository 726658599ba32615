-- The providers that operators have drained. A drain holds until an operator ends it, even after a restart.

CREATE TABLE provider_drain (
  provider TEXT NOT NULL PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT;
