import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { HOUR_MS } from '../../../base/lib/units.ts';
import { hashEntry } from '../../../money/ledger/hash-entry.ts';
import { verifyLedger } from '../../../money/ledger/verify-ledger.ts';
import { samplePeriod, sampleTime } from '../../testing/conformance/sample-ledger.ts';
import { migrations } from '../migrations.ts';
import { openSqliteStore } from '../open-sqlite-store.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { makeOldDirectory } from '../testing/make-old-directory.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

// Directories of earlier versions, created with SQL statements only.

const { directory: place, remove } = temporaryDirectory();
afterAll(remove);

/** The last schema without seals. */
const OLD = migrations.slice(0, 7);
const STARTED_AT = sampleTime + 1_000;

/** Creates a directory of the old schema and fills it with `fill`. */
function oldDirectory(name: string, fill: (connection: SqliteConnection) => void, schema = OLD): string {
  const directory = join(place, name);
  makeOldDirectory(directory, schema, fill);
  return directory;
}

type OldEntry = { number: number; id: string; previous: number; text: string; after: string };

function insert(connection: SqliteConnection, { after, ...entry }: OldEntry): string {
  const hash = hashEntry(after, entry.id, entry.text);
  connection.run('INSERT INTO entry VALUES ($number, $id, $previous, $text, $hash)', { ...entry, hash });
  return hash;
}

/**
 * Amounts as `JSON.stringify` wrote them: 10,000,000,000 credits, an amount beyond the safe integers, and
 * infinity.
 */
const amounts: [name: string, text: string][] = [
  ['above the safe integers', '10000000000000000'],
  ['with an exponent', '1e+40'],
  ['of infinity', 'null'],
];

for (const [name, amount] of amounts)
  for (const isSummed of [true, false])
    test(`reads a renewal of an amount ${name} from an earlier version, ${isSummed ? 'after a clean stop' : 'after a crash'} [CRD-48]`, async () => {
      const renewal = `ent_renewal_acct_1_${STARTED_AT}`;
      const directory = oldDirectory(`${amount}-${isSummed}`, (connection) => {
        const granted = `["acct_1",1,${sampleTime},"grant","cycle-1",500,null,null]`;
        const first = insert(connection, { number: 1, id: 'ent_1', previous: 0, text: granted, after: '' });
        const text = `["acct_1",2,${STARTED_AT},"renewal","cycle-2",${amount},null,null]`;
        const hash = insert(connection, { number: 2, id: renewal, previous: 1, text, after: first });
        connection.run(
          `INSERT INTO bucket VALUES ('acct_1', 'cycle-1', 500, 0), ('acct_1', 'cycle-2', 0, 0)`,
        );
        const head = isSummed ? { number: 2, sequence: 2, hash } : { number: 1, sequence: 1, hash: first };
        connection.run('INSERT INTO account_head VALUES ($accountId, $number, $sequence, $hash)', {
          accountId: 'acct_1',
          ...head,
        });
        connection.run(`UPDATE summed SET number = ${head.number}`);
      });
      for (let starts = 0; starts < 2; starts++) {
        const store = await openSqliteStore({ directory });
        expect(store.ledger.quarantined()).toEqual([]);
        const page = await store.ledger.listEntries({ accountId: 'acct_1', limit: 10 });
        expect(page?.items.slice(-2)).toMatchObject([
          { id: renewal, kind: 'renewal', microcredits: Number.MAX_SAFE_INTEGER },
          { id: 'ent_1', microcredits: 500 },
        ]);
        await store.ledger.openPeriod('acct_1', samplePeriod({ id: 'cycle-3', startedAt: STARTED_AT * 2 }));
        expect((await verifyLedger(store.ledger)).faults).toEqual([]);
        await store.close();
      }
    });

test('seals positions that skipped numbers after moving them onto entries', async () => {
  const directory = oldDirectory('skipped', (connection) => {
    const text = `["acct_1",1,${sampleTime},"grant","cycle-1",500,null,null]`;
    const hash = insert(connection, { number: 3, id: 'ent_1', previous: 0, text, after: '' });
    connection.run(`INSERT INTO bucket VALUES ('acct_1', 'cycle-1', 500, 0)`);
    connection.run(`INSERT INTO account_head VALUES ('acct_1', 3, 1, '${hash}')`);
    connection.run('UPDATE summed SET number = 3');
    connection.run('UPDATE confirmed SET number = 5');
    connection.run(`INSERT INTO unconfirmed VALUES (1, 2)`);
    connection.run(
      `INSERT INTO open_hold VALUES ('req_1', '{"posting":{"hold":{"order":{}}},"produced":false}')`,
    );
  });
  const store = await openSqliteStore({ directory });
  expect((await verifyLedger(store.ledger)).faults).toEqual([]);
  await store.close();
});

test('daily tokens include all entries, even those from before days were counted', async () => {
  const usage = (sequence: number, period: string) =>
    `["acct_1",${sequence},${sampleTime},"usage","${period}",5,null,` +
    `["key_1","req_${sequence}","m","m",[7,2,1,3,1],[500000000,50000000,2000000000],0,1,[],"complete",false]]`;
  const directory = oldDirectory(
    'before-days',
    (connection) => {
      const first = insert(connection, {
        number: 1,
        id: 'ent_1',
        previous: 0,
        text: usage(1, 'cycle-1'),
        after: '',
      });
      const hash = insert(connection, {
        number: 2,
        id: 'ent_2',
        previous: 1,
        text: usage(2, 'purchased'),
        after: first,
      });
      connection.run(`INSERT INTO bucket VALUES ('acct_1', 'cycle-1', 0, 5), ('acct_1', 'purchased', 0, 5)`);
      connection.run(`INSERT INTO account_head VALUES ('acct_1', 2, 2, '${hash}')`);
      connection.run(
        `INSERT INTO usage_hour VALUES ('acct_1', 'key_1', ${Math.floor(sampleTime / HOUR_MS)}, 'm', 2, 14, 4, 6, 10)`,
      );
      connection.run('UPDATE summed SET number = 2');
    },
    migrations.slice(0, 3),
  );
  const store = await openSqliteStore({ directory });
  expect(await store.ledger.tokensOn('acct_1', sampleTime)).toBe(10);
  expect((await verifyLedger(store.ledger)).faults).toEqual([]);
  await store.close();
});
