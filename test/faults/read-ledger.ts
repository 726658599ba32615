import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { sqliteEntries } from '../support/entries-sql.ts';

export type Billed = {
  requestId: string;
  keyId: string;
  outcome: string;
  isEstimated: boolean;
  input: number;
  output: number;
};

/** Reads the ledger's file while the server has it open. */
function ask<Row>(dataDirectory: string, sql: string): Row[] {
  const database = new Database(join(dataDirectory, 'tollgate.db'), { readonly: true });
  try {
    return database.query(sql).all() as Row[];
  } finally {
    database.close();
  }
}

/** Sums are written later than entries. For each account they end at its head. */
const summedUsage = `
  (SELECT e.account_id, e.period, SUM(e.microcredits) AS sum, COUNT(*) AS count
   FROM ${sqliteEntries} e JOIN account_head h ON h.account_id = e.account_id AND e.number <= h.number
   WHERE e.kind = 'usage' GROUP BY e.account_id, e.period)`;

/** The statements find contradictions by sums over rows. They share no code with the ledger. */
const contradictions: Record<string, string> = {
  'billed twice': `
    SELECT request_id AS what FROM ${sqliteEntries} WHERE kind = 'usage' GROUP BY what HAVING COUNT(*) > 1`,
  'an entry is in no sum': `
    SELECT e.id AS what FROM ${sqliteEntries} e JOIN summed s ON e.number <= s.number
    LEFT JOIN account_head h ON h.account_id = e.account_id
    WHERE h.number IS NULL OR h.number < e.number`,
  'used is not what entries add up to': `
    SELECT b.account_id || ' ' || b.period AS what FROM bucket b
    LEFT JOIN ${summedUsage} u ON u.account_id = b.account_id AND u.period = b.period
    WHERE b.used <> COALESCE(u.sum, 0)`,
  'roll-ups are not what entries add up to': `
    SELECT account_id AS what FROM
      (SELECT account_id, SUM(sum) AS sum, SUM(count) AS count FROM ${summedUsage} GROUP BY 1)
      LEFT JOIN (SELECT account_id, SUM(microcredits) AS rolled, SUM(requests) AS requests FROM usage_hour GROUP BY 1)
      USING (account_id)
    WHERE sum IS NOT rolled OR count IS NOT requests`,
  'purchased credit below zero': `
    SELECT account_id AS what FROM bucket WHERE period = 'purchased' AND used > granted`,
};

/** Lists the contradictions, one line each. */
export function findContradictions(dataDirectory: string): string[] {
  return Object.entries(contradictions).flatMap(([name, sql]) =>
    ask<{ what: string }>(dataDirectory, sql).map(({ what }) => `${name}: ${what}`),
  );
}

/** Counts the holds in the store. */
export const countHolds = (dataDirectory: string): number =>
  ask<{ count: number }>(dataDirectory, 'SELECT COUNT(*) AS count FROM open_hold')[0]!.count;

/** Returns the output tokens that each open hold records, for answers that have begun. */
export const producedByHolds = (dataDirectory: string): number[] =>
  ask<{ tokens: number }>(
    dataDirectory,
    `SELECT checkpoint ->> '$.posting.receipt.tokens.output' AS tokens FROM open_hold WHERE checkpoint ->> '$.produced'`,
  ).map(({ tokens }) => tokens);

/** Returns the charges, as the ledger's file has them. */
export const readBilled = (dataDirectory: string): Billed[] =>
  ask<Omit<Billed, 'isEstimated'> & { isEstimated: number }>(
    dataDirectory,
    `SELECT key_id AS keyId, request_id AS requestId, input, output, outcome, is_estimated AS isEstimated
     FROM ${sqliteEntries} WHERE kind = 'usage'`,
  ).map((row) => ({ ...row, isEstimated: row.isEstimated === 1 }));
