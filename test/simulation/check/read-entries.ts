import { Database } from 'bun:sqlite';
import { join } from 'node:path';

/** A charge, read from the ledger's file. */
export type Charge = {
  requestId: string;
  accountId: string;
  keyId: string;
  at: number;
  period: string;
  microcredits: number;
  model: string;
  input: number;
  output: number;
  outcome: string;
  isEstimated: boolean;
};

const chargesSql = `
  SELECT text ->> 0 AS accountId, text ->> 2 AS at, text ->> 4 AS period, text ->> 5 AS microcredits,
    text ->> '$[7][0]' AS keyId, text ->> '$[7][1]' AS requestId, text ->> '$[7][2]' AS model,
    text ->> '$[7][4][0]' AS input, text ->> '$[7][4][3]' AS output,
    text ->> '$[7][9]' AS outcome, text ->> '$[7][10]' AS isEstimated
  FROM entry WHERE text ->> 3 = 'usage' ORDER BY number`;

type Row = Omit<Charge, 'isEstimated'> & { isEstimated: number };

function read<T>(directory: string, use: (database: Database) => T): T {
  const database = new Database(join(directory, 'tollgate.db'), { readonly: true });
  try {
    return use(database);
  } finally {
    database.close();
  }
}

export const readCharges = (directory: string): Charge[] =>
  read(directory, (database) =>
    (database.query(chargesSql).all() as Row[]).map((row) => ({
      ...row,
      isEstimated: row.isEstimated === 1,
    })),
  );

/** The amount of an entry: a usage, or credit that was given. */
export type Amount = { accountId: string; period: string; microcredits: number; isUsage: boolean };

const amountsSql = `
  SELECT text ->> 0 AS accountId, text ->> 4 AS period, text ->> 5 AS microcredits, text ->> 3 = 'usage' AS isUsage
  FROM entry`;

export const readAmounts = (directory: string): Amount[] =>
  read(directory, (database) =>
    (database.query(amountsSql).all() as (Omit<Amount, 'isUsage'> & { isUsage: number })[]).map((row) => ({
      ...row,
      isUsage: row.isUsage === 1,
    })),
  );

export const countHolds = (directory: string): number =>
  read(
    directory,
    (database) =>
      (database.query('SELECT COUNT(*) AS count FROM open_hold').get() as { count: number }).count,
  );

export type Item = { batchId: string; customId: string; requestId: string };

const itemsSql = `
  SELECT b.id AS batchId, i.custom_id AS customId, i.request_id AS requestId
  FROM batch_item i JOIN batch b ON b.sequence = i.batch`;

export const readItems = (directory: string): Item[] =>
  read(directory, (database) => database.query(itemsSql).all() as Item[]);
