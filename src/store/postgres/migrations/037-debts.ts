import type { PostgresMigration } from '../migration.ts';
import { editFunction } from './edit-function.ts';

/** Amounts of purchased credit that can be taken beyond what is left. What is given is always accepted, since it pays a debt first. */
const giveEntry = `
    CREATE FUNCTION give_entry(p_node text, p_id text, p_account text, p_at bigint, p_period text, p_amount bigint,
      p_before text, p_behind text, p_largest_limit bigint, p_may_owe boolean)
    RETURNS text LANGUAGE plpgsql AS $$
    DECLARE
      most_safe constant bigint := 9007199254740991;
      balance bucket;
      given bigint;
    BEGIN
      PERFORM lock_heads(ARRAY[p_account]);
      SELECT b.* INTO balance FROM bucket b WHERE b.account_id = p_account AND b.period = p_period;
      IF EXISTS (SELECT 1 FROM entry e WHERE e.id = p_id) THEN
        RETURN json_build_array('exists', coalesce(balance.granted, 0), coalesce(balance.used, 0))::text;
      END IF;
      given := coalesce(balance.granted, 0) + p_amount;
      IF abs(given) > most_safe
        OR (p_period = 'purchased' AND p_amount <= 0 AND NOT p_may_owe
          AND given < coalesce(balance.used, 0) + coalesce(balance.held, 0))
        OR (p_period <> 'purchased' AND given + p_largest_limit > most_safe)
      THEN
        RETURN '["refused",0,0]';
      END IF;
      PERFORM append_entry(p_node, p_id, p_account, p_at, p_before, p_behind);
      INSERT INTO bucket AS b (account_id, period, granted) VALUES (p_account, p_period, p_amount)
        ON CONFLICT (account_id, period) DO UPDATE SET granted = b.granted + EXCLUDED.granted;
      RETURN json_build_array('given', given, coalesce(balance.used, 0))::text;
    END
    $$
    --;
    CREATE OR REPLACE FUNCTION give_entry(p_node text, p_id text, p_account text, p_at bigint, p_period text,
      p_amount bigint, p_before text, p_behind text, p_largest_limit bigint)
    RETURNS text LANGUAGE sql AS $$
      SELECT give_entry(p_node, p_id, p_account, p_at, p_period, p_amount, p_before, p_behind, p_largest_limit, false)
    $$`;

/** A debt is told as too little credit, also where none is left. */
const gate = editFunction('gate', [
  [
    `IF used[op.b] >= granted[op.b] THEN short := 'nothing-purchased';`,
    `IF used[op.b] >= granted[op.b] AND used[op.b] + held[op.b] <= granted[op.b] THEN short := 'nothing-purchased';`,
  ],
]);

/**
 * In debt, a request can still spend what it holds, and the rest of its hold pays the debt. The holds of a call therefore count until
 * their posting is decided.
 */
const postEntries = editFunction('post_entries', [
  [
    `      room bigint;
`,
    `      room bigint;
      own bigint;
      own_ids text[];
      own_buckets text[];
      own_amounts bigint[];
      owing boolean[];
`,
  ],
  [`RETURNING o.account_id, o.pays,`, `RETURNING o.request_id, o.account_id, o.pays,`],
  [
    `          IF r.pays = 'purchased' THEN
`,
    `          IF r.pays = 'purchased' THEN
            own_ids := own_ids || r.request_id;
            own_buckets := own_buckets || (r.account_id || ' ' || r.period);
            own_amounts := own_amounts || r.microcredits;
`,
  ],
  [
    `      -- The latest day of each account in this call.`,
    `      IF own_ids IS NOT NULL THEN
        FOR i IN 1 .. cardinality(bucket_names) LOOP
          SELECT coalesce(sum(u.amount), 0) INTO own
            FROM unnest(own_buckets, own_amounts) AS u (name, amount) WHERE u.name = bucket_names[i];
          owing[i] := own > 0 AND used[i] + held[i] + own > granted[i];
          IF owing[i] THEN held[i] := held[i] + own; END IF;
        END LOOP;
      END IF;
      -- The latest day of each account in this call.`,
  ],
  [
    `        entry_id := p.id;
        k := array_position(old_ids, p.id);`,
    `        entry_id := p.id;
        own := 0;
        IF owing[b] THEN
          own := coalesce(own_amounts[array_position(own_ids, p.rq)], 0);
          held[b] := held[b] - own;
          IF own > 0 THEN own_amounts[array_position(own_ids, p.rq)] := 0; END IF;
        END IF;
        k := array_position(old_ids, p.id);`,
  ],
  [
    `room := greatest(0, least(cost, granted[b] - used[b] - held[b]));`,
    `room := greatest(0, least(cost, greatest(own, granted[b] - used[b] - held[b])));`,
  ],
  [
    `            amount := least(amount, granted[b] - used[b] - held[b]);
`,
    `            IF amount > 0 THEN amount := greatest(0, least(amount, granted[b] - used[b] - held[b])); END IF;
`,
  ],
]);

/** What a refund or dispute takes beyond what is left becomes a debt: more is used and held of purchased credit than was given. */
export const debts: PostgresMigration = {
  number: 37,
  name: 'debts',
  sql: `
    ${giveEntry}
    --;
    ${gate}
    --;
    ${postEntries}
  `,
};
