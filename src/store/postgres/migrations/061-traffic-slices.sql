-- Merged days of accounts and keys by one more column, such as the model or the node. `kind` names the columns, `at` counts the
-- periods since 1970, and `slice` is the value of the column. Questions about one value read its rows alone.

CREATE TABLE merged_traffic (
  kind smallint NOT NULL,
  at bigint NOT NULL,
  slice text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  model text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  node text COLLATE "C" NOT NULL,
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
  PRIMARY KEY (kind, at, slice, account_id, key_id, provider, status, source)
);

INSERT INTO traffic_merge (cut, merged_to) VALUES (10, 0), (11, 0), (12, 0), (13, 0), (14, 0);

-- A node of an earlier version that writes days late has them merged again in the kinds that it knows. The others follow.
CREATE FUNCTION merge_slices_again() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE traffic_merge SET merged_to = NEW.merged_to WHERE cut >= 10 AND merged_to > NEW.merged_to;
  RETURN NULL;
END $$;

CREATE TRIGGER merged_again AFTER UPDATE OF merged_to ON traffic_merge
  FOR EACH ROW WHEN (NEW.cut = 1 AND NEW.merged_to < OLD.merged_to) EXECUTE FUNCTION merge_slices_again();
