import { readEntry } from '../../../money/ledger/entry-text.ts';
import { hashEntry, NO_HASH } from '../../../money/ledger/hash-entry.ts';
import type { LedgerFault } from '../../../money/ledger/ledger-fault.ts';
import type { EntryPage, LedgerCare, UsageQuestion, UsageSum } from '../../../money/ledger/ledger-store.ts';
import { Database } from '../database.ts';
import type { NodeIdentity } from '../gate/node-identity.ts';
import { PostgresGate } from '../gate/postgres-gate.ts';
import { monthOf } from '../ledger/month-of.ts';
import { type LedgerReads, PostgresLedger } from '../ledger/postgres-ledger.ts';

/** The parts of the schema that other rooms own, if they are missing. */
const PARTS = `
  CREATE TABLE IF NOT EXISTS node (id text PRIMARY KEY, started_at bigint, heartbeat bigint, closed_at bigint);
  CREATE TABLE IF NOT EXISTS account (id text PRIMARY KEY, version bigint);
  CREATE TABLE IF NOT EXISTS api_key (id text PRIMARY KEY, version bigint);
  CREATE TABLE IF NOT EXISTS unconfirmed (entry_id text PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS batch_item (batch bigint, number bigint, submission bigint, state text);
  ALTER TABLE open_hold ADD COLUMN IF NOT EXISTS seal text;
  DO $do$ BEGIN
    IF to_regproc('finish_item') IS NULL THEN
      CREATE FUNCTION finish_item(job jsonb) RETURNS boolean LANGUAGE sql AS 'SELECT (job -> ''lease'' ->> ''batch'') = ''1''';
    END IF;
    IF to_regproc('insert_response') IS NULL THEN
      CREATE FUNCTION insert_response(account_id text, response jsonb) RETURNS void LANGUAGE sql AS 'SELECT';
    END IF;
    IF to_regproc('release_items') IS NULL THEN
      CREATE FUNCTION release_items(p_node text) RETURNS void LANGUAGE sql AS 'SELECT';
    END IF;
  END $do$`;

export const prepareForNodes = (database: Database): Promise<void> => database.script(PARTS);

/** A node of an installation, without a server. */
export type NodeForTest = {
  database: Database;
  gate: PostgresGate;
  ledger: PostgresLedger;
  identity: NodeIdentity & { current: string; closings: string[] };
  close(): Promise<void>;
};

let nodes = 0;

export type NodeOptions = { url: string; previousNode?: string; connections?: number };

/** Opens a node on a database that has been prepared. */
export async function nodeForTest({ url, previousNode, connections = 3 }: NodeOptions): Promise<NodeForTest> {
  const database = new Database({ url, most: connections });
  const closings: string[] = [];
  const identity = {
    current: await register(database),
    closings,
    id: () => identity.current,
    closed: (id: string) => void closings.push(id),
  };
  const gate = new PostgresGate({ database, identity });
  const care = careOn(database);
  const ledger = new PostgresLedger({
    ...{ database, gate, identity, care, reads: readsOn(database) },
    ...(previousNode !== undefined && { previousNode }),
  });
  await gate.checkEra();
  const close = async () => {
    await gate.close();
    await database.close();
  };
  return { database, gate, ledger, identity, close };
}

/** Registers a node and returns its id. */
export async function register(database: Database): Promise<string> {
  const id = `node_${process.pid}_${++nodes}`;
  const columns = await database.all(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'node' AND is_nullable = 'NO' AND column_default IS NULL AND column_name NOT IN ('id', 'started_at', 'heartbeat')",
  );
  if (columns.length > 0) throw new Error(`register must write ${columns.map(({ name }) => name)}`);
  await database.run('INSERT INTO node (id, started_at, heartbeat) VALUES ($1, now_ms(), now_ms())', [id]);
  return id;
}

const readsOn = (database: Database): LedgerReads => ({
  async listEntries({ accountId, limit, after }: EntryPage) {
    const found = after
      ? await database.first('SELECT sequence FROM entry WHERE account_id = $1 AND id = $2', [
          accountId,
          after,
        ])
      : { sequence: Number.MAX_SAFE_INTEGER };
    if (!found) return undefined;
    const rows = await database.all(
      'SELECT id, text, hash FROM entry WHERE account_id = $1 AND sequence < $2 ORDER BY sequence DESC LIMIT $3',
      [accountId, Number(found.sequence), limit + 1],
    );
    const items = rows.slice(0, limit).map(entryOf);
    return { items, hasMore: rows.length > limit };
  },
  async findEntry(id) {
    const row = await database.first('SELECT id, text, hash FROM entry WHERE id = $1', [id]);
    return row && entryOf(row);
  },
  sumUsage: (question) => sumUsage(database, question),
});

async function sumUsage(database: Database, { accountId, from, to, by }: UsageQuestion): Promise<UsageSum[]> {
  const sums = new Map<string, UsageSum>();
  for (const row of await database.all(
    'SELECT id, text, hash FROM entry WHERE account_id = $1 AND at >= $2 AND at < $3',
    [accountId, from, to],
  )) {
    const { receipt, at, microcredits } = entryOf(row);
    if (!receipt) continue;
    const day = new Date(at).toISOString().slice(0, 10);
    const group = { model: receipt.model, key: receipt.keyId, day }[by];
    const zero = { requests: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, microcredits: 0 };
    const sum = sums.get(group) ?? { group, ...zero };
    sums.set(group, {
      ...sum,
      requests: sum.requests + 1,
      microcredits: sum.microcredits + microcredits,
    });
  }
  return [...sums.values()].sort((a, b) => (a.group < b.group ? -1 : 1));
}

const entryOf = (row: Record<string, unknown>) => {
  const entry = readEntry({ id: String(row.id), text: String(row.text), hash: String(row.hash) });
  if (!entry) throw new Error(`unreadable: ${row.text}`);
  return entry;
};

/** Verification by recomputation. Repair and archives are not offered. */
const careOn = (database: Database): LedgerCare =>
  ({
    async ledgerAccounts({ limit, after = '' }: { limit: number; after?: string }) {
      const rows = await database.all(
        'SELECT account_id FROM account_head WHERE account_id > $1 ORDER BY account_id LIMIT $2',
        [after, limit],
      );
      return rows.map(({ account_id }) => String(account_id));
    },
    async verifyAccount(accountId: string) {
      return { entries: 0, counted: 0, faults: await ledgerFaults(database, accountId) };
    },
  }) as unknown as LedgerCare;

/** Recomputes an account's sums from its entries, and its held amounts from its open holds. */
export async function ledgerFaults(database: Database, accountId: string): Promise<LedgerFault[]> {
  const faults: string[] = [];
  const differ = (what: string, stored: unknown, expected: unknown) => {
    if (JSON.stringify(stored) !== JSON.stringify(expected))
      faults.push(`${what}: ${JSON.stringify(stored)}, not ${JSON.stringify(expected)}`);
  };
  const rows = await database.all('SELECT * FROM entry WHERE account_id = $1 ORDER BY sequence', [accountId]);
  const sums = new Map<string, number>();
  const add = (name: string, amount: number) => sums.set(name, (sums.get(name) ?? 0) + amount);
  let hash = NO_HASH;
  rows.forEach((row, index) => {
    hash = hashEntry(hash, String(row.id), String(row.text));
    differ('hash', row.hash, hash);
    const { sequence, kind, period, microcredits, receipt, at } = entryOf(row);
    differ('sequence', sequence, index + 1);
    if (kind === 'renewal') return;
    add(`${kind === 'usage' ? 'used' : 'granted'} ${period}`, microcredits);
    if (receipt)
      add(`key ${receipt.keyId} ${monthOf(at)}`, microcredits - (receipt.beyondCapMicrocredits ?? 0));
  });
  const head = await database.first('SELECT * FROM account_head WHERE account_id = $1', [accountId]);
  differ('head', [head?.sequence ?? 0, head?.hash ?? ''], [rows.length, hash]);
  const held = await database.all('SELECT * FROM open_hold WHERE account_id = $1', [accountId]);
  for (const hold of held) {
    if (hold.pays === 'purchased') add(`held ${hold.period}`, Number(hold.microcredits));
    if (hold.is_capped) add(`key held ${hold.key_id} ${hold.month}`, Number(hold.microcredits));
  }
  for (const row of await database.all('SELECT * FROM bucket WHERE account_id = $1', [accountId]))
    for (const name of ['used', 'granted', 'held'])
      differ(`${name} ${row.period}`, row[name], sums.get(`${name} ${row.period}`) ?? 0);
  for (const row of await database.all('SELECT * FROM key_month WHERE account_id = $1', [accountId])) {
    const name = `${row.key_id} ${row.month}`;
    differ(`key ${name}`, row.used, sums.get(`key ${name}`) ?? 0);
    differ(`key held ${name}`, row.held, sums.get(`key held ${name}`) ?? 0);
  }
  return faults as unknown as LedgerFault[];
}
