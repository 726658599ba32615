import type { Queries } from '../../../src/store/postgres/queries.ts';
import { postgresEntries } from '../../support/entries-sql.ts';

export type NodeBill = {
  requestId: string;
  keyId: string;
  accountId: string;
  outcome: string;
  input: number;
  output: number;
  /** The charge with all later adjustments. */
  microcredits: number;
  /** The limit that bounded the charge. */
  bound: string | null;
  /** True if a difference was entered later. */
  isAdjusted: boolean;
};

/** All entries, and the charges among them. The id of a later difference contains that of its charge. */
const ledger = `
  entries AS ${postgresEntries},
  usage AS (
    SELECT *, microcredits - coalesce(beyond_cap_microcredits, 0) AS key_microcredits,
      to_char(to_timestamp(at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM') AS month,
      EXISTS (SELECT 1 FROM entry l WHERE l.id = 'ent_late_' || substr(entries.id, 5)) AS is_adjusted
    FROM entries WHERE kind = 'usage')`;

/** Makes a statement over the tables `entries` and `usage`. */
export const overLedger = (select: string): string => `WITH ${ledger} ${select}`;

/** Entries beyond the watermark are not summed yet. */
const sumsOf = (table: string): string => `
  SELECT coalesce(h.account_id, u.account_id) || ' ' || coalesce(h.sum, 0) || ' ' || coalesce(u.sum, 0) AS what
  FROM (SELECT account_id, sum(microcredits) AS sum, sum(requests) AS count FROM ${table} GROUP BY 1) h
  FULL JOIN (SELECT account_id, sum(microcredits) AS sum, count(*) AS count FROM usage
    WHERE xid < (SELECT w.xid FROM usage_watermark w) GROUP BY 1) u USING (account_id)
  WHERE h.sum IS DISTINCT FROM u.sum OR h.count IS DISTINCT FROM u.count`;

/** The statements find contradictions by sums over rows. They share no code with the ledger. */
const contradictions: Record<string, string> = {
  'billed twice': `SELECT request_id AS what FROM usage GROUP BY 1 HAVING count(*) > 1`,
  'a difference without its charge': `
    SELECT id AS what FROM entries e WHERE id LIKE 'ent_late_%'
      AND NOT EXISTS (SELECT 1 FROM usage u WHERE u.id = 'ent_' || substr(e.id, 10))`,
  'used is not what entries add up to': `
    SELECT b.account_id || ' ' || b.period || ' ' || b.used || ' ' || coalesce(sum(u.microcredits), 0) AS what
    FROM bucket b LEFT JOIN usage u ON u.account_id = b.account_id AND u.period = b.period
    GROUP BY b.account_id, b.period, b.used HAVING b.used <> coalesce(sum(u.microcredits), 0)`,
  'granted is not what entries add up to': `
    SELECT b.account_id || ' ' || b.period || ' ' || b.granted AS what
    FROM bucket b LEFT JOIN entries e ON e.account_id = b.account_id AND e.period = b.period AND e.kind NOT IN ('usage', 'renewal')
    GROUP BY b.account_id, b.period, b.granted HAVING b.granted <> coalesce(sum(e.microcredits), 0)`,
  'an entry has no bucket': `
    SELECT id AS what FROM usage u
    WHERE NOT EXISTS (SELECT 1 FROM bucket b WHERE b.account_id = u.account_id AND b.period = u.period)`,
  'purchased credit below zero': `
    SELECT account_id AS what FROM bucket WHERE period = 'purchased' AND used > granted`,
  'credit stays held': `
    SELECT account_id || ' ' || period || ' ' || held AS what FROM bucket WHERE held <> 0
    UNION ALL SELECT key_id || ' ' || month || ' ' || held FROM key_month WHERE held <> 0`,
  'the month of a key is not what entries add up to': `
    SELECT coalesce(m.key_id, s.key_id) || ' ' || coalesce(m.used, 0) || ' ' || coalesce(s.sum, 0) AS what
    FROM key_month m FULL JOIN (
      SELECT u.key_id, u.month, sum(u.key_microcredits + coalesce(l.key_difference, 0)) AS sum
      FROM usage u LEFT JOIN entries l ON l.id = 'ent_late_' || substr(u.id, 5) GROUP BY 1, 2) s
      ON s.key_id = m.key_id AND s.month = m.month
    WHERE coalesce(m.used, 0) <> coalesce(s.sum, 0)`,
  'the tokens of a day are not what entries add up to': `
    SELECT d.account_id || ' ' || d.tokens || ' ' || coalesce(sum(u.input + u.output), 0) AS what
    FROM token_day d LEFT JOIN usage u
      ON u.account_id = d.account_id AND u.period <> 'purchased' AND u.at / 86400000 = d.day
    GROUP BY d.account_id, d.tokens HAVING d.tokens <> coalesce(sum(u.input + u.output), 0)`,
  'the end of a chain is not its last entry': `
    SELECT h.account_id AS what FROM account_head h
    LEFT JOIN (SELECT DISTINCT ON (account_id) account_id, sequence, number, hash FROM entry
      ORDER BY account_id, sequence DESC) e USING (account_id)
    WHERE coalesce(e.sequence, 0) <> h.sequence OR coalesce(e.number, 0) <> h.number OR coalesce(e.hash, '') <> h.hash`,
  'sums of hours are not what entries add up to': sumsOf('usage_hour'),
  'sums of days are not what entries add up to': sumsOf('usage_day'),
};

type ReadRows = (sql: string) => Promise<readonly { what?: unknown }[]>;

/** Lists the contradictions, one line each. */
export async function findNodeContradictions(read: ReadRows): Promise<string[]> {
  const found: string[] = [];
  for (const [name, sql] of Object.entries(contradictions)) {
    const rows = await read(overLedger(sql));
    found.push(...rows.map(({ what }) => `${name}: ${what}`));
  }
  return found;
}

export type LeftOver = { holds: number; places: number; unsummed: number };

/** Counts open holds, places of requests, and entries that no sum includes yet. */
export async function countLeftOver(database: Queries): Promise<LeftOver> {
  const row = await database.first(`
    SELECT (SELECT count(*) FROM open_hold) AS holds,
      (SELECT coalesce(sum(under_way), 0) FROM limit_state) AS places,
      (SELECT count(*) FROM entry WHERE xid >= (SELECT w.xid FROM usage_watermark w)) AS unsummed`);
  return { holds: Number(row?.holds), places: Number(row?.places), unsummed: Number(row?.unsummed) };
}

export async function readNodeBills(database: Queries): Promise<NodeBill[]> {
  const rows = await database.all(
    overLedger(`
      SELECT u.request_id, u.key_id, u.account_id, u.outcome, u.input, u.output, u.bound, u.is_adjusted,
        u.microcredits - coalesce(l.microcredits, 0) AS microcredits
      FROM usage u LEFT JOIN entries l ON l.id = 'ent_late_' || substr(u.id, 5)`),
  );
  return rows.map(
    ({ request_id, key_id, account_id, outcome, input, output, bound, microcredits, is_adjusted }) => ({
      requestId: String(request_id),
      keyId: String(key_id),
      accountId: String(account_id),
      outcome: String(outcome),
      input: Number(input),
      output: Number(output),
      microcredits: Number(microcredits),
      bound: bound === null ? null : String(bound),
      isAdjusted: is_adjusted === true,
    }),
  );
}
