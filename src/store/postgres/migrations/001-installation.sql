-- `installation` has one row. `change` tells the other nodes of a change; a notice can be lost, so nodes also read
-- this table.

CREATE TABLE installation (
  id integer PRIMARY KEY CHECK (id = 1),
  clock_ahead_ms bigint NOT NULL DEFAULT 0,
  admin_token_hash text,
  first_account_id text
);

INSERT INTO installation (id) VALUES (1);

-- Returns the time of the database in milliseconds, with the advance of the test clock.
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint + clock_ahead_ms FROM installation
$$;

CREATE TABLE change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL
);

CREATE INDEX change_by_time ON change (at);
