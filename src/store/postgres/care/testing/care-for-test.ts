import { DAY_MS } from '../../../../base/lib/units.ts';
import { verifyLedger } from '../../../../money/ledger/verify-ledger.ts';
import { everyPage } from '../../../testing/conformance/every-page.ts';
import { sampleEntry, sampleTime } from '../../../testing/conformance/sample-ledger.ts';
import { Database } from '../../database.ts';
import { postgresForTest } from '../../testing/postgres-for-test.ts';
import { PostgresLedgerCare } from '../postgres-ledger-care.ts';
import { PostgresLedgerReads } from '../postgres-ledger-reads.ts';
import { sampleUsage } from './sample-usage.ts';
import { writeEntries } from './write-entries.ts';

export type CareForTest = AsyncDisposable & {
  url: string;
  database: Database;
  care: PostgresLedgerCare;
  reads: PostgresLedgerReads;
  close(): Promise<void>;
};

/** Opens a database: a new one, or the one at the address. */
export async function openCare(url?: string): Promise<CareForTest> {
  const server = await postgresForTest();
  const address = url ?? (await server.create());
  // A loaded machine answers late.
  const database = new Database({ url: address, maxConnections: 4, deadlineMs: 30_000 });
  const care = new PostgresLedgerCare(database);
  await care.quarantines.refresh();
  const close = async () => {
    await care.stop();
    await database.close();
    if (!url) await server.drop(address);
  };
  const reads = new PostgresLedgerReads(database, care);
  return { url: address, database, care, reads, close, [Symbol.asyncDispose]: close };
}

/**
 * Creates two accounts, every kind of entry, usage beyond a cap, an open hold, a quarantined account and an
 * unconfirmed entry.
 */
export async function fillLedger({ database, care }: CareForTest): Promise<void> {
  await writeEntries(database, [
    sampleEntry({ id: 'ent_1', microcredits: 500 }),
    sampleEntry({ id: 'ent_2', microcredits: 500 }),
    ...[3, 4, 5].map((number) => sampleUsage({ requestId: `req_${number}` })),
    sampleUsage({ requestId: 'req_6', beyondCapMicrocredits: 4 }),
    sampleUsage({ requestId: 'req_7', period: 'purchased', at: sampleTime + DAY_MS }),
    sampleEntry({ id: 'ent_8', kind: 'renewal', period: 'cycle-2', microcredits: 1_000 }),
    sampleEntry({ id: 'ent_9', kind: 'grant', period: 'cycle-2', microcredits: 7 }),
    sampleEntry({ id: 'ent_10', accountId: 'acct_2', microcredits: 9 }),
  ]);
  await care.rollUp.catchUp();
  await writeEntries(database, [sampleUsage({ requestId: 'req_11' })]);
  await holdCredit(database);
  await care.quarantines.add('acct_9', 'An entry cannot be read.');
  await database.run(`INSERT INTO unconfirmed (entry_id) VALUES ('ent_7')`);
}

/** Makes an open hold of purchased credit that a key's cap limits. */
export async function holdCredit(database: Database): Promise<void> {
  const hold = {
    request_id: 'req_open',
    node: 'node_1',
    account_id: 'acct_1',
    key_id: 'key_1',
    pays: 'purchased',
    period: 'purchased',
    month: '2026-01',
    microcredits: 50,
    is_capped: true,
    at: sampleTime,
    order_text: '{}',
    checkpoint: '{"tokens":5}',
    produced: true,
    away_batch: 1,
    away_number: 2,
  };
  await database.run(
    'INSERT INTO open_hold SELECT * FROM jsonb_populate_record(NULL::open_hold, $1::text::jsonb)',
    [JSON.stringify(hold)],
  );
  await database.run(`UPDATE bucket SET held = 50 WHERE account_id = 'acct_1' AND period = 'purchased'`);
  await database.run(`UPDATE key_month SET held = 50 WHERE key_id = 'key_1' AND month = '2026-01'`);
}

/** Removes the open holds and what they reserve. */
export const freeHolds = ({ database }: CareForTest): Promise<void> =>
  database.script('DELETE FROM open_hold; UPDATE bucket SET held = 0; UPDATE key_month SET held = 0');

/** Verifies the ledger, and returns its faults. */
export const faultsIn = async ({ care }: CareForTest) => (await verifyLedger(care)).faults;

/** Lists all entries of an account, newest first. */
export const listAll = async ({ reads }: CareForTest, accountId: string) =>
  (await everyPage(async (page) => (await reads.listEntries({ accountId, ...page }))!, 3)).flat();
