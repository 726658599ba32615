import type { OpenedStore, TestedStore } from '../../conformance/store-test.ts';
import { Database, type Queries } from '../database.ts';
import { postgresForTest } from '../testing/postgres-for-test.ts';
import { closeNode, createMissingParts, registerNode } from './missing-parts-for-test.ts';
import { PostgresBatches } from './postgres-batches.ts';

/** Creates an empty database and returns its address. */
export async function databaseForBatches(): Promise<{ url: string; drop(): Promise<void> }> {
  const postgres = await postgresForTest();
  const url = await postgres.create();
  const database = new Database({ url, most: 1 });
  await createMissingParts(database);
  await database.close();
  return { url, drop: () => postgres.drop(url) };
}

/** Opens the part of the store that has batches. A restart closes the node as another node would. */
export async function openBatchesForTest(): Promise<OpenedStore> {
  const { url, drop } = await databaseForBatches();
  const database = new Database({ url, most: 4 });
  let lives = 1;
  await registerNode(database, 'node_1');
  const open = () => {
    const node = `node_${lives}`;
    const batches = new PostgresBatches({ database, node: () => node });
    return { batches, ...storedBytesOf(database) } as unknown as TestedStore;
  };
  return {
    store: open(),
    reopen: async () => {
      await closeNode(database, `node_${lives++}`);
      await registerNode(database, `node_${lives}`);
      return open();
    },
    dispose: async () => {
      await database.close();
      await drop();
    },
  };
}

/** The sums of stored bytes, read without the part of the store that has responses. */
const storedBytesOf = (queries: Queries) => ({
  async storedBytes(accountId: string): Promise<number> {
    const row = await queries.first('SELECT bytes FROM account_storage WHERE account_id = $1 AND until = 0', [
      accountId,
    ]);
    return Number(row?.bytes ?? 0);
  },
  async expiryOf(accountId: string, bytes: number): Promise<number | undefined> {
    const row = await queries.first(
      `SELECT min(until) * 1000 AS until FROM (
         SELECT until, sum(bytes) OVER (ORDER BY until) AS freed
         FROM account_storage WHERE account_id = $1 AND until > 0
       ) AS steps WHERE freed >= $2`,
      [accountId, bytes],
    );
    return row?.until === null ? undefined : Number(row?.until);
  },
});
