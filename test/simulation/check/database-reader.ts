import { usageEntryId } from '../../../src/money/ledger/entry-id.ts';
import { findNodeContradictions, overLedger } from '../../faults/nodes-kill/read-postgres-ledger.ts';
import type { DatabaseServer } from '../database/database-server.ts';
import type { Amount, Charge, Item, LedgerReader } from './ledger-reader.ts';

const chargesSql = overLedger(`
  SELECT account_id AS "accountId", at, period, microcredits, key_id AS "keyId", request_id AS "requestId", model,
    input, cached, output, outcome, is_estimated AS "isEstimated", is_adjusted AS "isAdjusted",
    posted_at AS "postedAt"
  FROM usage ORDER BY number`);

const amountsSql = overLedger(`
  SELECT id, account_id AS "accountId", kind, period, microcredits, kind = 'usage' AS "isUsage"
  FROM entries ORDER BY number`);

const itemsSql = `
  SELECT b.id AS "batchId", i.custom_id AS "customId", i.request_id AS "requestId"
  FROM batch_item i JOIN batch b ON b.sequence = i.batch`;

/** Reads charges, amounts and items from the database that all nodes share. */
export class DatabaseReader implements LedgerReader {
  readonly #server: DatabaseServer;

  constructor(server: DatabaseServer) {
    this.#server = server;
  }

  charges(): Promise<Charge[]> {
    return this.#read<Charge>(chargesSql);
  }

  amounts(): Promise<Amount[]> {
    return this.#read<Amount>(amountsSql);
  }

  items(): Promise<Item[]> {
    return this.#read<Item>(itemsSql);
  }

  async isCharged(requestId: string): Promise<boolean> {
    return (await this.#count(`entry WHERE id = '${usageEntryId(requestId)}'`)) > 0;
  }

  countHolds(): Promise<number> {
    return this.#count('open_hold');
  }

  contradictions(): Promise<string[]> {
    return findNodeContradictions((sql) => this.#read<{ what: string }>(sql));
  }

  async #count(table: string): Promise<number> {
    const [row] = await this.#read<{ count: number }>(`SELECT count(*) FROM ${table}`);
    return row!.count;
  }

  async #read<Row>(sql: string): Promise<Row[]> {
    const rows = await this.#server.read(`SELECT row_to_json(r) FROM (${sql}) AS r`);
    return rows.map(([json]) => JSON.parse(json!));
  }
}
