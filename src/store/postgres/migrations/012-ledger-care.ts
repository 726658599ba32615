import type { PostgresMigration } from '../migration.ts';

/**
 * `usage_hour` and `usage_day` sum the entries behind `usage_watermark`: those with a lower `xid`, and all numbers up to `restored_up_to`.
 * A dump that is restored into another cluster keeps the numbers of transactions, which begin anew there. The watermark is then ahead of
 * the cluster, so the roll-up adopts all restored entries by their number, and lowers their `xid` in the background (`is_tidy`).
 *
 * `seal` is a checksum over the other columns except the bytes of a segment and the node of a hold. A trigger sets it on each insert, and on
 * each update with `seal = DEFAULT`. Any other update leaves a seal that does not match.
 */
export const ledgerCare: PostgresMigration = {
  number: 12,
  name: 'ledger-care',
  sql: `
    CREATE INDEX entry_by_xid ON entry (xid)
    --;
    CREATE INDEX key_month_by_account ON key_month (account_id)
    --;
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
    ) WITH (fillfactor = 70)
    --;
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
    ) WITH (fillfactor = 70)
    --;
    CREATE TABLE usage_watermark (
      id integer PRIMARY KEY CHECK (id = 1),
      xid xid8 NOT NULL,
      restored_up_to bigint NOT NULL DEFAULT 0,
      is_tidy boolean NOT NULL DEFAULT true,
      seal text
    )
    --;
    CREATE TABLE quarantine (
      account_id text PRIMARY KEY,
      since bigint NOT NULL,
      reason text NOT NULL,
      seal text
    )
    --;
    CREATE TABLE unconfirmed (entry_id text PRIMARY KEY, seal text)
    --;
    CREATE TABLE ledger_segment (
      id bigint PRIMARY KEY,
      first bigint NOT NULL,
      last bigint NOT NULL,
      entries bigint NOT NULL,
      sha256 text NOT NULL,
      content bytea NOT NULL,
      seal text
    )
    --;
    ALTER TABLE ledger_segment ALTER COLUMN content SET STORAGE EXTERNAL
    --;
    ALTER TABLE open_hold ADD COLUMN seal text
    --;
    CREATE FUNCTION seal_of(relation text, record jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT encode(sha256(convert_to(
        relation || jsonb_strip_nulls(record - 'seal' - 'content' - 'node')::text, 'UTF8')), 'hex')
    $$
    --;
    CREATE FUNCTION seal_row() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.seal IS NULL THEN
        NEW.seal := seal_of(TG_TABLE_NAME, to_jsonb(NEW));
      END IF;
      RETURN NEW;
    END
    $$
    --;
    CREATE TRIGGER sealed BEFORE INSERT OR UPDATE OF seal ON open_hold FOR EACH ROW EXECUTE FUNCTION seal_row()
    --;
    CREATE TRIGGER sealed BEFORE INSERT OR UPDATE OF seal ON quarantine FOR EACH ROW EXECUTE FUNCTION seal_row()
    --;
    CREATE TRIGGER sealed BEFORE INSERT OR UPDATE OF seal ON unconfirmed FOR EACH ROW EXECUTE FUNCTION seal_row()
    --;
    CREATE TRIGGER sealed BEFORE INSERT OR UPDATE OF seal ON ledger_segment FOR EACH ROW EXECUTE FUNCTION seal_row()
    --;
    CREATE TRIGGER sealed BEFORE INSERT OR UPDATE OF seal ON usage_watermark FOR EACH ROW EXECUTE FUNCTION seal_row()
    --;
    UPDATE open_hold SET seal = DEFAULT
    --;
    INSERT INTO usage_watermark (id, xid) VALUES (1, '0')
    --;
    CREATE FUNCTION usage_of(entry_text text) RETURNS TABLE (
      key_id text, model text, hour bigint, input bigint, cached_input bigint, output bigint, microcredits bigint
    ) LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      v jsonb;
    BEGIN
      v := entry_text::jsonb;
      IF v ->> 3 IS DISTINCT FROM 'usage' OR jsonb_typeof(v -> 7) IS DISTINCT FROM 'array' THEN
        RETURN;
      END IF;
      RETURN QUERY SELECT v #>> '{7,0}', v #>> '{7,2}', (v ->> 2)::bigint / 3600000, (v #>> '{7,4,0}')::bigint,
        (v #>> '{7,4,1}')::bigint, (v #>> '{7,4,3}')::bigint, (v ->> 5)::bigint;
    EXCEPTION WHEN others THEN
      RETURN; -- a damaged text counts in no sum
    END
    $$
    --;
    CREATE FUNCTION add_usage(from_xid xid8, to_xid xid8, after_number bigint) RETURNS void LANGUAGE sql AS $$
      WITH sums AS (
        SELECT entry.account_id, u.hour, u.key_id, u.model, count(*) AS requests, sum(u.input) AS input,
          sum(u.cached_input) AS cached_input, sum(u.output) AS output, sum(u.microcredits) AS microcredits
        FROM entry CROSS JOIN LATERAL usage_of(entry.text) u
        WHERE xid >= from_xid AND xid < to_xid AND number > after_number
          AND u.key_id IS NOT NULL AND u.model IS NOT NULL AND u.input + u.cached_input + u.output IS NOT NULL
          AND u.hour IS NOT NULL AND u.microcredits IS NOT NULL
        GROUP BY 1, 2, 3, 4
      ), hours AS (
        INSERT INTO usage_hour AS old
        SELECT account_id, hour, key_id, model, requests, input, cached_input, output, microcredits
        FROM sums ORDER BY 1, 2, 3, 4
        ON CONFLICT (account_id, hour, key_id, model) DO UPDATE SET
          requests = old.requests + EXCLUDED.requests,
          input_tokens = old.input_tokens + EXCLUDED.input_tokens,
          cached_input_tokens = old.cached_input_tokens + EXCLUDED.cached_input_tokens,
          output_tokens = old.output_tokens + EXCLUDED.output_tokens,
          microcredits = old.microcredits + EXCLUDED.microcredits
      )
      INSERT INTO usage_day AS old
      SELECT account_id, hour / 24, key_id, model, sum(requests), sum(input), sum(cached_input), sum(output),
        sum(microcredits)
      FROM sums GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
      ON CONFLICT (account_id, day, key_id, model) DO UPDATE SET
        requests = old.requests + EXCLUDED.requests,
        input_tokens = old.input_tokens + EXCLUDED.input_tokens,
        cached_input_tokens = old.cached_input_tokens + EXCLUDED.cached_input_tokens,
        output_tokens = old.output_tokens + EXCLUDED.output_tokens,
        microcredits = old.microcredits + EXCLUDED.microcredits
    $$
    --;
    CREATE FUNCTION usage_beyond_watermark(of_account text) RETURNS TABLE (
      key_id text, model text, hour bigint, input bigint, cached_input bigint, output bigint, microcredits bigint
    ) LANGUAGE plpgsql STABLE AS $$
    DECLARE
      mark usage_watermark;
    BEGIN
      -- A stable function sees the snapshot of its statement. With the watermark as a constant the planner knows that few entries follow.
      SELECT * INTO mark FROM usage_watermark;
      RETURN QUERY EXECUTE format(
        'SELECT u.* FROM entry CROSS JOIN LATERAL usage_of(entry.text) u
         WHERE account_id = $1 AND xid >= %L::xid8 AND number > %s', mark.xid, coalesce(mark.restored_up_to, 0))
        USING of_account;
    END
    $$
    --;
    CREATE FUNCTION roll_up_usage(most integer) RETURNS text LANGUAGE plpgsql AS $$
    DECLARE
      mark usage_watermark;
      until xid8;
      last xid8;
    BEGIN
      IF NOT pg_try_advisory_xact_lock(7465823642) THEN
        RETURN 'busy';
      END IF;
      SELECT * INTO mark FROM usage_watermark;
      IF mark.xid > pg_snapshot_xmax(pg_current_snapshot()) THEN
        LOCK TABLE entry IN SHARE MODE;
        PERFORM add_usage(mark.xid, '18446744073709551615', mark.restored_up_to);
        UPDATE usage_watermark SET xid = pg_snapshot_xmin(pg_current_snapshot()), is_tidy = false, seal = DEFAULT,
          restored_up_to = (SELECT coalesce(max(number), 0) FROM entry);
        RETURN 'more';
      END IF;
      IF NOT mark.is_tidy THEN
        UPDATE entry SET xid = '1' WHERE number IN (
          SELECT number FROM entry WHERE xid >= mark.xid AND number <= mark.restored_up_to LIMIT most);
        IF NOT FOUND THEN
          UPDATE usage_watermark SET is_tidy = true, seal = DEFAULT;
          mark.is_tidy := true;
        END IF;
      END IF;
      until := pg_snapshot_xmin(pg_current_snapshot());
      SELECT xid INTO last FROM entry WHERE xid >= mark.xid AND xid < until AND number > mark.restored_up_to
        ORDER BY xid OFFSET most LIMIT 1;
      IF FOUND THEN
        until := greatest(last, (mark.xid::text::numeric + 1)::text::xid8);
      ELSE
        PERFORM FROM entry WHERE xid >= mark.xid AND xid < until AND number > mark.restored_up_to LIMIT 1;
        IF NOT FOUND THEN
          RETURN CASE WHEN mark.is_tidy THEN 'done' ELSE 'more' END;
        END IF;
      END IF;
      PERFORM add_usage(mark.xid, until, mark.restored_up_to);
      UPDATE usage_watermark SET xid = until, seal = DEFAULT;
      RETURN CASE WHEN mark.is_tidy AND last IS NULL THEN 'done' ELSE 'more' END;
    END
    $$
  `,
};
