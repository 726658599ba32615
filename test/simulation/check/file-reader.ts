import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { usageEntryId } from '../../../src/money/ledger/entry-id.ts';
import { findContradictions } from '../../faults/read-ledger.ts';
import { sqliteEntries } from '../../support/entries-sql.ts';
import type { Amount, Charge, Item, LedgerReader } from './ledger-reader.ts';

const chargesSql = `
  SELECT account_id AS accountId, at, period, microcredits, key_id AS keyId, request_id AS requestId, model,
    input, cached, output, outcome, is_estimated AS isEstimated
  FROM ${sqliteEntries} WHERE kind = 'usage' ORDER BY number`;

const amountsSql = `
  SELECT id, account_id AS accountId, kind, period, microcredits, kind = 'usage' AS isUsage
  FROM ${sqliteEntries} ORDER BY number`;

const chargedSql = `SELECT COUNT(*) AS count FROM entry WHERE id = ?`;

const itemsSql = `
  SELECT b.id AS batchId, i.custom_id AS customId, i.request_id AS requestId
  FROM batch_item i JOIN batch b ON b.sequence = i.batch`;

/** Reads the file of the embedded store while the gateway has it open. */
export class FileReader implements LedgerReader {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async charges(): Promise<Charge[]> {
    const rows = this.#read<Omit<Charge, 'isEstimated'> & { isEstimated: number }>(chargesSql);
    return rows.map((row) => ({ ...row, isEstimated: row.isEstimated === 1, isAdjusted: false }));
  }

  async amounts(): Promise<Amount[]> {
    const rows = this.#read<Omit<Amount, 'isUsage'> & { isUsage: number }>(amountsSql);
    return rows.map((row) => ({ ...row, isUsage: row.isUsage === 1 }));
  }

  async items(): Promise<Item[]> {
    return this.#read<Item>(itemsSql);
  }

  async isCharged(requestId: string): Promise<boolean> {
    return this.#read<{ count: number }>(chargedSql, usageEntryId(requestId))[0]!.count > 0;
  }

  async countHolds(): Promise<number> {
    return this.#read<{ count: number }>('SELECT COUNT(*) AS count FROM open_hold')[0]!.count;
  }

  async contradictions(): Promise<string[]> {
    return findContradictions(this.#directory);
  }

  #read<Row>(sql: string, ...values: string[]): Row[] {
    const database = new Database(join(this.#directory, 'tollgate.db'), { readonly: true });
    try {
      return database.query(sql).all(...values) as Row[];
    } finally {
      database.close();
    }
  }
}
