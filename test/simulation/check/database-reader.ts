import { usageEntryId } from '../../../src/money/ledger/entry-id.ts';
import type { Queries } from '../../../src/store/postgres/queries.ts';
import { findNodeContradictions } from '../../faults/nodes-kill/read-postgres-ledger.ts';
import type { DatabaseServer } from '../database/database-server.ts';
import type { Amount, Charge, Item, LedgerReader } from './ledger-reader.ts';

const chargesSql = `
  SELECT t ->> 0, t ->> 2, t ->> 4, t ->> 5, t -> 7 ->> 0, t -> 7 ->> 1, t -> 7 ->> 2, t -> 7 -> 4 ->> 0,
    t -> 7 -> 4 ->> 1, t -> 7 -> 4 ->> 3, t -> 7 ->> 9, t -> 7 ->> 10,
    EXISTS (SELECT 1 FROM entry l WHERE l.id = 'ent_late_' || substr(e.id, 5)), posted_at
  FROM (SELECT *, text::jsonb AS t FROM entry) AS e WHERE t ->> 3 = 'usage' ORDER BY number`;

const amountsSql = `
  SELECT t ->> 0, t ->> 4, t ->> 5, t ->> 3, id FROM (SELECT *, text::jsonb AS t FROM entry) AS e ORDER BY number`;

const itemsSql = `
  SELECT b.id, i.custom_id, i.request_id FROM batch_item i JOIN batch b ON b.sequence = i.batch`;

/** Reads the database of all nodes. */
export class DatabaseReader implements LedgerReader {
  readonly #server: DatabaseServer;

  constructor(server: DatabaseServer) {
    this.#server = server;
  }

  async charges(): Promise<Charge[]> {
    return (await this.#server.read(chargesSql)).map((row) => {
      const text = (column: number) => String(row[column]);
      return {
        accountId: text(0),
        at: Number(text(1)),
        period: text(2),
        microcredits: Number(text(3)),
        keyId: text(4),
        requestId: text(5),
        model: text(6),
        input: Number(text(7)),
        cached: Number(text(8)),
        output: Number(text(9)),
        outcome: text(10),
        isEstimated: ['true', '1'].includes(text(11)),
        isAdjusted: text(12) === 't',
        postedAt: Number(text(13)),
      };
    });
  }

  async amounts(): Promise<Amount[]> {
    return (await this.#server.read(amountsSql)).map(([accountId, period, microcredits, kind, id]) => ({
      id: String(id),
      accountId: String(accountId),
      kind: String(kind),
      period: String(period),
      microcredits: Number(microcredits),
      isUsage: kind === 'usage',
    }));
  }

  async items(): Promise<Item[]> {
    return (await this.#server.read(itemsSql)).map(([batchId, customId, requestId]) => ({
      batchId: String(batchId),
      customId: String(customId),
      requestId: String(requestId),
    }));
  }

  async isCharged(requestId: string): Promise<boolean> {
    const text = `SELECT count(*) FROM entry WHERE id = '${usageEntryId(requestId)}'`;
    return Number((await this.#server.read(text))[0]?.[0]) > 0;
  }

  async countHolds(): Promise<number> {
    return Number((await this.#server.read('SELECT count(*) FROM open_hold'))[0]?.[0]);
  }

  contradictions(): Promise<string[]> {
    const all = async (text: string) => (await this.#server.read(text)).map(([what]) => ({ what }));
    return findNodeContradictions({ all } as unknown as Queries);
  }
}
