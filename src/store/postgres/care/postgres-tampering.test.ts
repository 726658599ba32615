import { afterAll, describe, expect, test } from 'bun:test';
import { isFull } from '../../../../test/support/is-full.ts';
import { verifyLedger } from '../../../money/ledger/verify-ledger.ts';
import { budgetAudit, sampleBudget } from '../../testing/conformance/sample-budget.ts';
import { sampleTime } from '../../testing/conformance/sample-ledger.ts';
import { PostgresBudgets } from '../budgets/postgres-budgets.ts';
import type { PostgresRow, SqlValue } from '../database.ts';
import type { Queries } from '../queries.ts';
import { selectPostgresLedgerAccounts } from './select-postgres-ledger-accounts.ts';
import { type CareForTest, fillLedger, openCare } from './testing/care-for-test.ts';
import { verifyPostgresAccount } from './verify-postgres-account.ts';
import { verifyPostgresStore } from './verify-postgres-store.ts';

// Changes rows behind the gateway's back, each in a transaction that is rolled back.
// Verification must find each change.

/** Adds a budget that counts the entries. */
const addBudget = ({ database }: CareForTest) =>
  new PostgresBudgets({ database, isQuarantined: () => false }).createBudget(
    sampleBudget({ scope: 'key' }),
    budgetAudit,
    10,
  );

const pristine = await openCare();
await fillLedger(pristine);
await addBudget(pristine);
const archived = await openCare();
await fillLedger(archived);
await archived.care.archiveEntries({ before: sampleTime + 1 });
afterAll(() => Promise.all([pristine.close(), archived.close()]));

class Undone extends Error {}

/** Makes the change in a transaction of its own, and returns the faults of a verification after it. */
async function faultsAfter(sql: string, values: readonly SqlValue[] = [], from = pristine): Promise<string> {
  let faults = '';
  const changed = from.database.transaction(async (queries) => {
    if (values.length > 0) await queries.run(sql, values);
    else for (const statement of sql.split(';')) await queries.run(statement);
    faults = await faultsOf(queries, from);
    throw new Undone();
  });
  await changed.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
  return faults;
}

async function faultsOf(queries: Queries, { care: { archive } }: CareForTest): Promise<string> {
  const faults = await verifyPostgresStore(queries, archive);
  const upTo = Number.MAX_SAFE_INTEGER;
  for (const accountId of await selectPostgresLedgerAccounts(queries, { limit: 100, after: '' }))
    faults.push(...(await verifyPostgresAccount(queries, { archive, accountId, upTo })).faults);
  return faults.map(({ what }) => what).join('\n');
}

test('an unchanged ledger has no faults, with and without an archive', async () => {
  const report = { accounts: 2, entries: 11, faults: [], isComplete: true };
  expect(await verifyLedger(pristine.care)).toEqual(report);
  expect(await verifyLedger(archived.care)).toEqual(report);
  const row = await archived.database.first('SELECT count(*) AS rows FROM entry');
  expect(Number(row?.rows)).toBeLessThan(11);
});

const entryWith = (id: string, path: string, value: string) =>
  `UPDATE entry SET text = jsonb_set(text::jsonb, '{${path}}', '${value}')::text WHERE id = '${id}'`;

const knownAccountSql = `INSERT INTO account (id, name, email_verified, plan, status, cycle_started_at, cycle_day, created_at, version)
  VALUES ('acct_1', 'One', false, 'free', 'active', 0, 1, 0, 1)`;

const tampered: Record<string, { sql: string; faults: RegExp }> = {
  'a changed charge': {
    sql: entryWith('ent_3', '5', '9999'),
    faults: /charge of entry ent_3.*hash of entry ent_3.*used of bucket cycle-1/s,
  },
  'a changed number of tokens': {
    sql: entryWith('ent_3', '7,4,3', '1'),
    faults: /hash of entry ent_3.*output_tokens of usage_hour 2026-01-31T12 key_1/s,
  },
  'a changed key': {
    sql: entryWith('ent_3', '7,0', '"key_9"'),
    faults: /row of key_month key_9.*row of usage_hour/s,
  },
  'a changed account': { sql: entryWith('ent_3', '0', '"acct_2"'), faults: /account of entry ent_3/ },
  'an added space': {
    sql: `UPDATE entry SET text = replace(text, ',', ', ') WHERE id = 'ent_3'`,
    faults: /hash of entry ent_3/,
  },
  'a text that is not an entry': {
    sql: `UPDATE entry SET text = '[]' WHERE id = 'ent_3'`,
    faults: /text of entry ent_3/,
  },
  'a removed entry in the middle': {
    sql: `DELETE FROM entry WHERE id = 'ent_3'`,
    faults: /hash of entry ent_4.*sequence of entry ent_4/s,
  },
  'a removed last entry': { sql: `DELETE FROM entry WHERE id = 'ent_11'`, faults: /number of account_head/ },
  'a removed only entry of an account': {
    sql: `DELETE FROM entry WHERE id = 'ent_10'`,
    faults: /row of account_head.*row of bucket purchased/s,
  },
  'removed entries': { sql: 'DELETE FROM entry', faults: /row of account_head/ },
  'two exchanged entries': {
    sql: `UPDATE entry SET sequence = -3 WHERE id = 'ent_3'; UPDATE entry SET sequence = 3 WHERE id = 'ent_4';
      UPDATE entry SET sequence = 4 WHERE id = 'ent_3'`,
    faults: /column sequence of entry ent_4/,
  },
  'an added entry in another account': {
    sql: `INSERT INTO entry (id, account_id, sequence, at, node, text, hash)
      SELECT 'ent_x', 'acct_3', 1, at, node, text, hash FROM entry WHERE id = 'ent_1'`,
    faults: /account of entry ent_x.*row of account_head/s,
  },
  'a changed balance': {
    sql: 'UPDATE bucket SET used = used - 1 WHERE used > 0',
    faults: /used of bucket cycle-1/,
  },
  'added credit': {
    sql: `INSERT INTO bucket VALUES ('acct_1', 'cycle-3', 5, 0)`,
    faults: /row of bucket cycle-3/,
  },
  'an added balance of zero of a later cycle': {
    sql: `INSERT INTO bucket VALUES ('acct_1', 'cycle-3', 0, 0)`,
    faults: /row of bucket cycle-3/,
  },
  'an added balance of zero of no period': {
    sql: `INSERT INTO bucket VALUES ('acct_2', 'cycle-x', 0, 0)`,
    faults: /row of bucket cycle-x/,
  },
  'an added month of zero of an unknown key': {
    sql: `${knownAccountSql}; INSERT INTO key_month VALUES ('key_none', '2026-01', 'acct_1', 0, 0)`,
    faults: /row of key_month key_none 2026-01/,
  },
  'an added month of zero that is no month': {
    sql: `INSERT INTO key_month VALUES ('key_1', '2026-13', 'acct_1', 0, 0)`,
    faults: /row of key_month key_1 2026-13/,
  },
  'removed balances': { sql: 'DELETE FROM bucket', faults: /row of bucket cycle-1/ },
  'a hold that reserves nothing': {
    sql: `DELETE FROM open_hold`,
    faults: /held of bucket purchased.*held of key_month key_1 2026-01/s,
  },
  'a watermark behind entries that were counted': {
    sql: `UPDATE usage_watermark SET xid = '3', seal = DEFAULT`,
    faults: /row of usage_hour/,
  },
  'a counted entry that would be counted again': {
    sql: `UPDATE entry SET xid = '9000000' WHERE id = 'ent_3'`,
    faults: /requests of usage_hour.*requests of usage_day/s,
  },
  'an entry that would never be counted': {
    sql: `UPDATE entry SET xid = '3' WHERE id = 'ent_11'`,
    faults: /requests of usage_hour.*requests of usage_day/s,
  },
  'a removed watermark': { sql: 'DELETE FROM usage_watermark', faults: /rows of usage_watermark/ },
};

for (const [what, { sql, faults }] of Object.entries(tampered))
  test(`verification finds: ${what}`, async () => {
    expect(await faultsAfter(sql)).toMatch(faults);
  });

test('a removed segment and changed bytes of a segment are found', async () => {
  expect(await faultsAfter('DELETE FROM ledger_segment', [], archived)).toMatch(/hash of entry/);
  const change = `UPDATE ledger_segment SET content = set_byte(content, 100, (get_byte(content, 100) + 1) % 256)`;
  expect(await faultsAfter(change, [], archived)).toMatch(/content of ledger_segment 1/);
  const cut = 'UPDATE ledger_segment SET content = substring(content FROM 1 FOR 90)';
  expect(await faultsAfter(cut, [], archived)).toMatch(/content of ledger_segment 1.*^segment 1/ms);
});

const MONEY = [
  'account_head',
  'bucket',
  'budget_spend',
  'entry',
  'key_month',
  'ledger_segment',
  'open_hold',
  'quarantine',
  'token_day',
  'unconfirmed',
  'usage_day',
  'usage_hour',
  'usage_watermark',
];

/**
 * No amount depends on the node and the time of a write. `xid` matters only as above: an entry counts once.
 */
const UNCOVERED = new Set(['entry.node', 'entry.posted_at', 'entry.xid', 'open_hold.node']);

type Column = { name: string; type: string; isKey: boolean };

async function columnsOf(table: string): Promise<Column[]> {
  const rows = await pristine.database.all(
    `SELECT attname::text AS name, format_type(atttypid, null) AS type, attnum = ANY(conkey) AS is_key
     FROM pg_attribute JOIN pg_constraint ON conrelid = attrelid AND contype = 'p'
     WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  );
  return rows.map(({ name, type, is_key }) => ({
    name: String(name),
    type: String(type),
    isKey: is_key === true,
  }));
}

/** Expressions for other values of a column, by its type. */
const changesByType: Record<string, readonly string[]> = {
  bigint: ['# + 1003', '# - 1009'],
  integer: [],
  text: [`coalesce(#, '') || 'x'`, `''`],
  boolean: ['NOT #'],
  jsonb: [`'[1]'`],
  bytea: [`# || '\\x00'`],
  xid8: [`'9000000'`],
};

/** Returns the changes of a column. The ordinary run has one of them. */
const changesOf = (type: string) => changesByType[type]!.slice(0, isFull ? undefined : 1);

const ledgerWith = (table: string) => (table === 'ledger_segment' ? archived : pristine);

describe('every column of every table with money data', () => {
  for (const table of MONEY)
    test(`finds a change of each column in every row of ${table}`, async () => {
      const columns = await columnsOf(table);
      const key = columns.filter(({ isKey }) => isKey).map(({ name }) => name);
      const place = ledgerWith(table);
      const rows = await place.database.all(`SELECT ${key.join(', ')} FROM ${table}`);
      expect([table, rows.length > 0]).toEqual([table, true]);
      for (const { name, type } of columns)
        for (const row of rows)
          for (const change of UNCOVERED.has(`${table}.${name}`) ? [] : changesOf(type)) {
            const sql = `UPDATE ${table} SET ${name} = ${change.replaceAll('#', name)} WHERE ${where(key)}`;
            const context = `${table}.${name} ${change} of ${JSON.stringify(row)}`;
            expect([context, await faultsAfter(sql, valuesOf(key, row), place)]).not.toEqual([context, '']);
          }
    });

  for (const table of MONEY.filter((name) => !['quarantine', 'unconfirmed'].includes(name)))
    test(`finds a row removed from ${table}`, async () => {
      const key = (await columnsOf(table)).filter(({ isKey }) => isKey).map(({ name }) => name);
      const place = ledgerWith(table);
      for (const row of await place.database.all(`SELECT ${key.join(', ')} FROM ${table}`)) {
        const faults = await faultsAfter(
          `DELETE FROM ${table} WHERE ${where(key)}`,
          valuesOf(key, row),
          place,
        );
        expect([row, faults]).not.toEqual([row, '']);
      }
    });

  test('every table that refers to an account or an entry is listed', async () => {
    const tables = await pristine.database.all(
      `SELECT DISTINCT relname::text AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
       WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attname IN ('microcredits', 'granted', 'used', 'held', 'seal', 'hash')`,
    );
    const unlisted = tables.map(({ name }) => String(name)).filter((name) => !MONEY.includes(name));
    expect(unlisted.filter((name) => !OTHERS.has(name))).toEqual([]);
  });
});

/** Tables with such a column that no balance depends on. */
const OTHERS = new Set([
  'account',
  'admin_token',
  'api_key',
  'batch',
  'batch_item',
  'budget',
  'client_token',
  'credit_mark',
  'node',
  'provider_share',
  'replaced_secret',
  'request_day',
  'request_hour',
  'response',
  'shortfall',
  'turn',
]);

const where = (key: readonly string[]) => key.map((name, index) => `${name} = $${index + 1}`).join(' AND ');
const valuesOf = (key: readonly string[], row: PostgresRow) => key.map((name) => row[name] as SqlValue);
