import { Database, type SQLQueryBindings } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { isFull } from '../../../../test/support/is-full.ts';
import { DAY_MS } from '../../../base/lib/units.ts';
import { verifyLedger } from '../../../money/ledger/verify-ledger.ts';
import { budgetAudit, sampleBudget } from '../../testing/conformance/sample-budget.ts';
import {
  heldBy,
  sampleEntry,
  samplePeriod,
  samplePosting,
  sampleTime,
} from '../../testing/conformance/sample-ledger.ts';
import { openSqliteStore } from '../open-sqlite-store.ts';
import type { SqliteStore } from '../sqlite-store.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

// Changes rows outside the gateway. Verification must find each change, while a server runs and without one.

const { directory: place, remove } = temporaryDirectory();
afterAll(remove);
const pristine = join(place, 'pristine');
await fill(pristine);

/** The same ledger with its entries up to number 6 in the archive. */
const archived = join(place, 'archived');
await archive(archived);

let copies = 0;
/** Copies the directory. */
function copyOf(directory: string): string {
  const copy = join(place, `copy-${copies++}`);
  cpSync(directory, copy, { recursive: true });
  return copy;
}

type Change = { sql: string; values?: SQLQueryBindings[]; from?: string };

/** Changes a ledger under a running server, and returns the faults of a verification. */
async function faultsAfter({ sql, values = [], from = pristine }: Change): Promise<string> {
  const store = await openSqliteStore({ directory: copyOf(from) });
  try {
    for (const statement of sql.split(';'))
      await store.read((connection) => connection.run(statement, values));
    return await faultsOf(store);
  } finally {
    await store.close();
  }
}

/** Changes a ledger while no server runs. `tollgate ledger verify` opens the directory in the same way. */
async function reportedOffline({ sql, values = [], from = pristine }: Change): Promise<string> {
  const directory = copyOf(from);
  const database = new Database(join(directory, 'tollgate.db'));
  for (const statement of sql.split(';')) database.query(statement).run(...values);
  database.close();
  const store = await openSqliteStore({ directory });
  try {
    return await faultsOf(store);
  } finally {
    await store.close();
  }
}

const faultsOf = async ({ ledger }: SqliteStore): Promise<string> =>
  (await verifyLedger(ledger)).faults.map(({ what }) => what).join('\n');

/**
 * Creates two accounts, every kind of entry, a crash, an open hold, a quarantined account, and an unused
 * entry number.
 */
async function fill(directory: string): Promise<void> {
  const before = join(place, 'before');
  const crashed = await openSqliteStore({ directory: before });
  for (const id of ['ent_1', 'ent_2']) await crashed.ledger.give(sampleEntry({ id, microcredits: 500 }));
  cpSync(before, directory, { recursive: true });
  await crashed.close();
  const store = await openSqliteStore({ directory });
  const { ledger } = store;
  for (let number = 3; number <= 6; number++) {
    const hold = await heldBy(ledger, { requestId: `req_${number}`, keyCapMicrocredits: 350 });
    await ledger.post(samplePosting(hold, 100));
  }
  await ledger.give(sampleEntry({ id: 'ent_1', microcredits: 500 })); // its number stays unused
  const worst = { least: 1, most: 50 };
  const paid = await heldBy(ledger, {
    requestId: 'req_8',
    pays: 'purchased',
    worst,
    at: sampleTime + DAY_MS,
  });
  await ledger.post(samplePosting(paid, 40));
  await ledger.openPeriod('acct_1', samplePeriod({ id: 'cycle-2', startedAt: 2 }));
  await ledger.give(sampleEntry({ id: 'ent_10', kind: 'grant', period: 'cycle-2', microcredits: 7 }));
  await ledger.give(sampleEntry({ id: 'ent_11', accountId: 'acct_2', microcredits: 9 }));
  const open = await heldBy(ledger, { requestId: 'req_open' });
  await ledger.checkpoint([{ posting: samplePosting(open, 5), produced: true }]);
  await ledger.budgets.createBudget(sampleBudget({ scope: 'key' }), budgetAudit, 10);
  await store.writer.write((connection) =>
    connection.run(`INSERT INTO entry VALUES (12, 'ent_12', 0, 'nothing that can be read of acct_9', 'x')`),
  );
  await ledger.findEntry('ent_12');
  await store.writer.write((connection) => connection.run('DELETE FROM entry WHERE number = 12'));
  await store.close();
}

async function archive(directory: string): Promise<void> {
  cpSync(pristine, directory, { recursive: true });
  const { ledger, close } = await opened(directory);
  expect(await ledger.archiveEntries({ before: sampleTime + 1 })).toMatchObject({ entries: 6 });
  await close();
}

async function opened(directory: string) {
  const store = await openSqliteStore({ directory });
  return { ledger: store.ledger, close: () => store.close() };
}

for (const [name, directory] of Object.entries({ 'an unchanged': pristine, 'an archived': archived }))
  test(`${name} ledger has no faults`, async () => {
    const { ledger, close } = await opened(copyOf(directory));
    expect(await verifyLedger(ledger)).toEqual({ accounts: 2, entries: 10, faults: [], isComplete: true });
    await close();
  });

/** `path` selects a value in an entry's text. */
const entryWith = (number: number, path: string, value: string | number) =>
  `UPDATE entry SET text = json_set(text, '$${path}', ${value}) WHERE number = ${number}`;

const tampered: Record<string, { sql: string; faults: RegExp }> = {
  'a changed charge': {
    sql: entryWith(3, '[5]', 9999),
    faults: /charge of entry ent_3.*hash of entry ent_3.*used of bucket cycle-1/s,
  },
  'a changed number of tokens': {
    sql: entryWith(3, '[7][4][3]', 1),
    faults: /hash of entry ent_3.*output_tokens of usage_hour 2026-01-31T12 key_1/s,
  },
  'a changed rate': { sql: entryWith(3, '[7][5][2]', 0), faults: /hash of entry ent_3/ },
  'a changed key': { sql: entryWith(3, '[7][0]', "'key_9'"), faults: /row of usage_hour \S+ key_9/ },
  'a changed account': { sql: entryWith(3, '[0]', "'acct_2'"), faults: /account of entry ent_3/ },
  'a changed sequence': { sql: entryWith(3, '[1]', 4), faults: /sequence of entry ent_3/ },
  'a changed outcome': { sql: entryWith(3, '[7][9]', "'left'"), faults: /hash of entry ent_3/ },
  'a changed time': { sql: entryWith(3, '[2]', sampleTime + 1), faults: /hash of entry ent_3/ },
  'a changed period': { sql: entryWith(3, '[4]', "'free'"), faults: /row of bucket free/ },
  'a changed id': { sql: `UPDATE entry SET id = 'ent_x' WHERE number = 3`, faults: /hash of entry ent_x/ },
  'an added space': {
    sql: `UPDATE entry SET text = replace(text, ',', ', ') WHERE number = 3`,
    faults: /hash of entry ent_3/,
  },
  'a text that is not an entry': {
    sql: `UPDATE entry SET text = '[]' WHERE number = 3`,
    faults: /text of entry ent_3/,
  },
  'a changed grant': { sql: entryWith(1, '[5]', 9000), faults: /granted of bucket purchased/ },
  'a removed entry in the middle': {
    sql: 'DELETE FROM entry WHERE number = 3',
    faults: /previous number of entry ent_4.*hash of entry ent_4.*entries in chains/s,
  },
  'a removed last entry': { sql: 'DELETE FROM entry WHERE number = 10', faults: /row of account_head/ },
  'a removed only entry of an account': {
    sql: 'DELETE FROM entry WHERE number = 11',
    faults: /row of account_head.*row of bucket purchased/s,
  },
  'removed entries': {
    sql: 'DELETE FROM entry',
    faults: /row of account_head.*number of summed.*number of confirmed/s,
  },
  'two exchanged entries': {
    sql: `UPDATE entry SET number = CASE number WHEN 3 THEN 104 ELSE 103 END WHERE number IN (3, 4);
          UPDATE entry SET number = number - 100 WHERE number > 100`,
    faults: /hash of entry ent_5/,
  },
  'an added entry that the head points to': {
    sql: `INSERT INTO entry
          SELECT 13, 'ent_13', number, json_set(text, '$[1]', 9), hash FROM entry WHERE number = 10;
          UPDATE account_head SET number = 13, sequence = 9 WHERE account_id = 'acct_1'`,
    faults: /hash of entry ent_13.*granted of bucket cycle-2/s,
  },
  'an added entry in no chain': {
    sql: `INSERT INTO entry SELECT 7, 'ent_7', 6, text, hash FROM entry WHERE number = 6`,
    faults: /entries in chains\nplace of entry ent_7/,
  },
  'an entry of an account without a chain': {
    sql: `INSERT INTO entry SELECT 7, 'ent_7', 0, json_set(text, '$[0]', 'acct_3'), hash FROM entry WHERE number = 1`,
    faults: /place of entry ent_7/,
  },
  'a skipped entry': {
    sql: 'UPDATE entry SET previous = previous - 1 WHERE number = 5',
    faults: /hash of entry ent_5.*place of entry ent_4/s,
  },
  'a changed head': {
    sql: `UPDATE account_head SET number = 9 WHERE account_id = 'acct_1'`,
    faults: /hash of account_head.*place of entry ent_10/s,
  },
  'a changed balance': {
    sql: `UPDATE bucket SET used = used - 1 WHERE used > 0`,
    faults: /used of bucket cycle-1/,
  },
  'an added balance': {
    sql: `INSERT INTO bucket VALUES ('acct_1', 'cycle-3', 5, 0)`,
    faults: /row of bucket cycle-3/,
  },
  'added usage': {
    sql: `INSERT INTO usage_day SELECT account_id, day + 9, key_id, model, 0, 0, 0, 0, 0 FROM usage_day`,
    faults: /row of usage_day 2026-02-09/,
  },
  'an added balance of zero of a later cycle': {
    sql: `INSERT INTO bucket VALUES ('acct_1', 'cycle-3', 0, 0)`,
    faults: /row of bucket cycle-3/,
  },
  'an added balance of zero of no period': {
    sql: `INSERT INTO bucket VALUES ('acct_2', 'cycle-x', 0, 0)`,
    faults: /row of bucket cycle-x/,
  },
  'removed balances': { sql: 'DELETE FROM bucket', faults: /row of bucket cycle-1/ },
  'removed sums of an account': {
    sql: `DELETE FROM bucket WHERE account_id = 'acct_2'; DELETE FROM account_head WHERE account_id = 'acct_2'`,
    faults: /entries in chains\nplace of entry ent_11/,
  },
  'removed entries and balances': {
    sql: 'DELETE FROM entry; DELETE FROM bucket',
    faults: /row of usage_hour/,
  },
};

for (const [what, { sql, faults }] of Object.entries(tampered)) {
  test(`verification finds: ${what}`, async () => {
    expect(await faultsAfter({ sql })).toMatch(faults);
    expect(await reportedOffline({ sql })).not.toBe('');
  });
}

test('finds an entry that was removed after a clean stop, even if the server has run since', async () => {
  const directory = copyOf(pristine);
  const database = new Database(join(directory, 'tollgate.db'));
  database.run('DELETE FROM entry WHERE number = 11');
  database.close();
  for (let starts = 0; starts < 2; starts++) {
    const store = await openSqliteStore({ directory });
    expect(await faultsOf(store)).toMatch(/row of account_head\n.*number of summed\nnumber of confirmed/s);
    await store.close();
  }
  const store = await openSqliteStore({ directory });
  await store.ledger.give(sampleEntry());
  expect(await faultsOf(store)).toMatch(/row of account_head/);
  await store.close();
});

/**
 * Tables that no balance depends on. A table that is added to the store must be verified or listed here.
 * The sums of requests on the dashboard are shown beside those of the ledger. A row of `shortfall` says when
 * hosted tools are stopped.
 */
const OTHERS = new Set([
  'account',
  'account_storage',
  'admin_token',
  'alert',
  'alert_delivery',
  'alert_occasion',
  'api_key',
  'attempt',
  'audit',
  'background_frames',
  'background_response',
  'batch',
  'batch_item',
  'batch_request',
  'batch_result',
  'billing_record',
  'budget',
  'client_token',
  'conversation',
  'conversation_part',
  'credit_mark',
  'device_sign_in',
  'idempotency_key',
  'invitation',
  'key_use',
  'link_request',
  'membership',
  'merged_traffic',
  'migration',
  'milestone',
  'native_submission',
  'operator_role',
  'payload',
  'payload_account',
  'people_secret',
  'person',
  'person_session',
  'probe',
  'provider_drain',
  'provider_fault',
  'recorded_answer',
  'recorded_part',
  'refusal_hour',
  'replaced_secret',
  'request_count',
  'request_day',
  'request_group',
  'request_hour',
  'response',
  'response_item',
  'saved_prompt',
  'second_factor',
  'shortfall',
  'sign_in',
  'sign_in_token',
  'sqlite_sequence',
  'stored_setting',
  'traffic',
  'traffic_counted',
  'traffic_merge',
  'turn',
  'turn_part',
]);

type Column = { name: string; type: string; pk: number };
type Row = Record<string, string | number>;

const schema = new Database(join(pristine, 'tollgate.db'), { readonly: true });
const archivedSchema = new Database(join(archived, 'tollgate.db'), { readonly: true });
/** The ledger whose table has rows. */
const ledgerWith = (table: string) => (table === 'ledger_segment' ? archived : pristine);
const tables = (
  schema.query("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[]
)
  .map(({ name }) => name)
  .filter((name) => !OTHERS.has(name));
const columnsOf = (table: string) => schema.query(`PRAGMA table_info(${table})`).all() as Column[];
const rowsOf = (table: string) =>
  (ledgerWith(table) === archived ? archivedSchema : schema).query(`SELECT * FROM ${table}`).all() as Row[];

/** Returns other values of a column's type. The ordinary run has one. */
const others = (value: string | number): (string | number)[] => {
  const changed = typeof value === 'number' ? [value + 1_003, value - 1_009] : [`${value}x`, ''];
  return isFull ? changed : changed.slice(0, 1);
};

describe('every column of every table with money data', () => {
  test('all tables have rows, so that every column is tested', () => {
    expect(tables.toSorted()).toEqual([
      'account_head',
      'bucket',
      'budget_spend',
      'confirmed',
      'entry',
      'key_excess',
      'ledger_segment',
      'open_hold',
      'quarantine',
      'summed',
      'token_day',
      'unconfirmed',
      'usage_day',
      'usage_hour',
    ]);
    for (const table of tables) expect([table, rowsOf(table).length > 0]).toEqual([table, true]);
  });

  for (const table of tables) {
    const columns = columnsOf(table);
    const key = columns.some(({ pk }) => pk > 0) ? columns.filter(({ pk }) => pk > 0) : columns;
    const where = key.map(({ name }) => `${name} = ?`).join(' AND ');
    for (const { name } of columns) {
      test(`finds a change of ${table}.${name} in every row, with and without a running server`, async () => {
        for (const row of rowsOf(table))
          for (const value of others(row[name]!)) {
            const values = [value, ...key.map((column) => row[column.name]!)];
            const sql = `UPDATE ${table} SET ${name} = ? WHERE ${where}`;
            const change = { sql, values, from: ledgerWith(table) };
            const context = `${table}.${name} of ${JSON.stringify(row)} set to ${value}`;
            expect([context, await faultsAfter(change)]).not.toEqual([context, '']);
            if (value === others(row[name]!)[0])
              expect([context, await reportedOffline(change)]).not.toEqual([context, '']);
          }
      });
    }
    // Nothing else in the store refers to a hold or a quarantine.
    if (table === 'open_hold' || table === 'quarantine') continue;
    test(`finds a row removed from ${table}, with and without a running server`, async () => {
      for (const row of rowsOf(table)) {
        const values = key.map((column) => row[column.name]!);
        const change = { sql: `DELETE FROM ${table} WHERE ${where}`, values, from: ledgerWith(table) };
        expect([row, await faultsAfter(change)]).not.toEqual([row, '']);
        expect([row, await reportedOffline(change)]).not.toEqual([row, '']);
      }
    });
  }
});
