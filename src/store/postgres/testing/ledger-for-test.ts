import { readEntry } from '../../../money/ledger/entry-text.ts';
import { hashEntry, NO_HASH } from '../../../money/ledger/hash-entry.ts';
import { monthOf } from '../../../money/ledger/month-of.ts';
import { PostgresLedgerCare } from '../care/postgres-ledger-care.ts';
import { PostgresLedgerReads } from '../care/postgres-ledger-reads.ts';
import { Database } from '../database.ts';
import type { NodeIdentity } from '../gate/node-identity.ts';
import { PostgresGate } from '../gate/postgres-gate.ts';
import { PostgresLedger } from '../ledger/postgres-ledger.ts';
import { registerNode } from './nodes-for-test.ts';
import { postgresForTest } from './postgres-for-test.ts';

/** A node of an installation, without a server. */
export type NodeForTest = {
  database: Database;
  gate: PostgresGate;
  ledger: PostgresLedger;
  identity: NodeIdentity & { current: string; closings: string[] };
  close(): Promise<void>;
};

let registered = 0;

/** Nodes on a database of their own, and further connections to it. */
export type NodesForTest = { database: Database; nodes: NodeForTest[]; close(): Promise<void> };

/** Creates a database, and opens nodes on it. */
export async function openNodes(count: number): Promise<NodesForTest> {
  const server = await postgresForTest();
  const url = await server.create();
  const database = new Database({ url, maxConnections: 2 });
  const nodes = await Promise.all(Array.from({ length: count }, () => openNode(url)));
  const close = async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await database.close();
    await server.drop(url);
  };
  return { database, nodes, close };
}

async function openNode(url: string): Promise<NodeForTest> {
  const database = new Database({ url, maxConnections: 3 });
  const closings: string[] = [];
  const identity = {
    current: await register(database),
    closings,
    id: () => identity.current,
    closed: (id: string) => void closings.push(id),
  };
  const gate = new PostgresGate({ database, identity });
  const care = new PostgresLedgerCare(database);
  const reads = new PostgresLedgerReads(database, care);
  const ledger = new PostgresLedger({ database, gate, identity, care, reads });
  await gate.checkEra();
  const close = async () => {
    await gate.close();
    await database.close();
  };
  return { database, gate, ledger, identity, close };
}

/** Registers a node and returns its id. */
export async function register(database: Database): Promise<string> {
  const id = `node_${process.pid}_${++registered}`;
  await registerNode(database, id);
  return id;
}

function entryOf(row: Record<string, unknown>) {
  const entry = readEntry({ id: String(row.id), text: String(row.text), hash: String(row.hash) });
  if (!entry) throw new Error(`unreadable: ${row.text}`);
  return entry;
}

/** Recomputes an account's sums from its entries, and its held amounts from its open holds. */
export async function ledgerFaults(database: Database, accountId: string): Promise<string[]> {
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
    const { sequence, kind, period, microcredits, receipt, at, keyDifference } = entryOf(row);
    differ('sequence', sequence, index + 1);
    if (kind === 'renewal') return;
    add(`${kind === 'usage' ? 'used' : 'granted'} ${period}`, microcredits);
    if (keyDifference)
      add(`key ${keyDifference.keyId} ${monthOf(keyDifference.at)}`, keyDifference.microcredits);
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
  return faults;
}
