-- The tables have the rows of the embedded store. A turn outlives its response: it is kept until the last response
-- that continues it expires. Long lists of a turn are in `turn_part`, so that its row stays small. `until` and
-- `kept_until` are the steps under which the bytes are counted. `account_id` and `stored` are null only in rows that
-- an early version of the embedded store wrote.
--
-- Texts are not compressed: compression takes 1.7 times the CPU time of the whole write at 6 KB, and 2.8 times at 1
-- MB.

CREATE TABLE account_storage (
  account_id text NOT NULL,
  until bigint NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (account_id, until)
) WITH (fillfactor = 50);

CREATE TABLE response (
  id text PRIMARY KEY,
  key_id text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  until bigint NOT NULL,
  envelope text NOT NULL,
  account_id text,
  stored bigint
);

CREATE INDEX response_by_expiry ON response (expires_at);

CREATE TABLE turn (
  id text PRIMARY KEY,
  previous_id text,
  model text NOT NULL,
  input text NOT NULL,
  output text NOT NULL,
  turns bigint NOT NULL,
  bytes bigint NOT NULL,
  kept_until bigint NOT NULL,
  input_items bigint NOT NULL,
  output_items bigint NOT NULL,
  items bigint NOT NULL,
  account_id text,
  stored bigint
);

CREATE INDEX turn_by_previous ON turn (previous_id) WHERE previous_id IS NOT NULL;
CREATE INDEX turn_by_expiry ON turn (kept_until);

CREATE TABLE turn_part (
  turn_id text NOT NULL,
  part integer NOT NULL,
  is_output boolean NOT NULL,
  items bigint NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (turn_id, part)
);

CREATE TABLE response_item (
  id text NOT NULL,
  response_id text NOT NULL,
  PRIMARY KEY (id, response_id)
);

CREATE INDEX response_item_by_response ON response_item (response_id);

ALTER TABLE turn ALTER COLUMN input SET STORAGE EXTERNAL;
ALTER TABLE turn ALTER COLUMN output SET STORAGE EXTERNAL;
ALTER TABLE turn_part ALTER COLUMN text SET STORAGE EXTERNAL;
ALTER TABLE response ALTER COLUMN envelope SET STORAGE EXTERNAL;
