/** `window_wait` follows `SlidingWindow.waitMs`. `lock_heads` locks the ends of chains in their order, which guard the balances. */
export const gateHelpers = `
    CREATE FUNCTION window_wait(bins bigint[], newest bigint, width bigint, now bigint, room bigint)
    RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      staying bigint := 0;
    BEGIN
      FOR bin IN REVERSE newest .. newest - 60 LOOP
        staying := staying + bins[bin % 61 + 1];
        IF staying > room THEN RETURN (bin + 61) * width - now; END IF;
      END LOOP;
      RETURN 0;
    END
    $$
    --;
    CREATE FUNCTION lock_heads(accounts text[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT count(*) FROM account_head WHERE account_id = ANY (accounts)) < cardinality(accounts) THEN
        INSERT INTO account_head (account_id, sequence, number, hash)
          SELECT u.id, 0, 0, '' FROM unnest(accounts) AS u (id) ORDER BY u.id COLLATE "C"
          ON CONFLICT DO NOTHING;
      END IF;
      PERFORM 1 FROM account_head WHERE account_id = ANY (accounts) ORDER BY account_id COLLATE "C" FOR UPDATE;
    END
    $$`;
