-- `usage_hour` and `usage_day` sum the entries behind `usage_watermark`: those with a lower `xid`, and all numbers up
-- to `restored_up_to`. A dump that is restored into another cluster keeps the numbers of transactions, which begin
-- anew there. The watermark is then ahead of the cluster, so the roll-up adopts all restored entries by their number,
-- and lowers their `xid` in the background (`is_tidy`).
--
-- `seal` is a checksum over the other columns except the bytes of a segment and the node of a hold. A trigger sets it
-- on each insert, and on each update with `seal = DEFAULT`. Any other update leaves a seal that does not match.

CREATE INDEX entry_by_xid ON entry (xid);
CREATE INDEX key_month_by_account ON key_month (account_id);

CREATE TABLE usage_hour (
  account_id text NOT NULL,
  hour bigint NOT NULL,
  key_id text NOT NULL,
  model text NOT NULL,
  requests bigint NOT NULL,
  input_tokens bigint NOT NULL,
  cached_input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  microcredits bigint NOT NULL,
  PRIMARY KEY (account_id, hour, key_id, model)
) WITH (fillfactor = 70);

CREATE TABLE usage_day (
  account_id text NOT NULL,
  day bigint NOT NULL,
  key_id text NOT NULL,
  model text NOT NULL,
  requests bigint NOT NULL,
  input_tokens bigint NOT NULL,
  cached_input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  microcredits bigint NOT NULL,
  PRIMARY KEY (account_id, day, key_id, model)
) WITH (fillfactor = 70);

CREATE TABLE usage_watermark (
  id integer PRIMARY KEY CHECK (id = 1),
  xid xid8 NOT NULL,
  restored_up_to bigint NOT NULL DEFAULT 0,
  is_tidy boolean NOT NULL DEFAULT true,
  seal text
);

CREATE TABLE quarantine (
  account_id text PRIMARY KEY,
  since bigint NOT NULL,
  reason text NOT NULL,
  seal text
);

CREATE TABLE unconfirmed (entry_id text PRIMARY KEY, seal text);

CREATE TABLE ledger_segment (
  id bigint PRIMARY KEY,
  first bigint NOT NULL,
  last bigint NOT NULL,
  entries bigint NOT NULL,
  sha256 text NOT NULL,
  content bytea NOT NULL,
  seal text
);

ALTER TABLE ledger_segment ALTER COLUMN content SET STORAGE EXTERNAL;
ALTER TABLE open_hold ADD COLUMN seal text;

-- Returns the checksum of a row.
CREATE FUNCTION seal_of(relation text, record jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to(
    relation || jsonb_strip_nulls(record - 'seal' - 'content' - 'node')::text, 'UTF8')), 'hex')
$$;

-- Seals a row that has no seal.
CREATE FUNCTION seal_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.seal IS NULL THEN
    NEW.seal := seal_of(TG_TABLE_NAME, to_jsonb(NEW));
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER sealed BEFORE INSERT OR UPDATE OF seal ON open_hold FOR EACH ROW EXECUTE FUNCTION seal_row();
CREATE TRIGGER sealed BEFORE INSERT OR UPDATE OF seal ON quarantine FOR EACH ROW EXECUTE FUNCTION seal_row();
CREATE TRIGGER sealed BEFORE INSERT OR UPDATE OF seal ON unconfirmed FOR EACH ROW EXECUTE FUNCTION seal_row();
CREATE TRIGGER sealed BEFORE INSERT OR UPDATE OF seal ON ledger_segment FOR EACH ROW EXECUTE FUNCTION seal_row();
CREATE TRIGGER sealed BEFORE INSERT OR UPDATE OF seal ON usage_watermark FOR EACH ROW EXECUTE FUNCTION seal_row();

UPDATE open_hold SET seal = DEFAULT;

INSERT INTO usage_watermark (id, xid) VALUES (1, '0');
