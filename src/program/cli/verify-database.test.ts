import { afterAll, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fillLedger, openCare } from '../../store/postgres/care/testing/care-for-test.ts';
import { temporaryDirectory } from '../../store/sqlite/testing/temporary-directory.ts';
import { runCaptured } from './testing/run-captured.ts';

const { directory, remove } = temporaryDirectory();

const place = await openCare();
await fillLedger(place);
afterAll(async () => {
  await place.close();
  remove();
});

test('ledger verify reads the database that the option or the variable names', async () => {
  const expected = '2 accounts with 11 entries: all balances match the entries.';
  const named = await runCaptured(['ledger', 'verify', '--database-url', place.url], {});
  expect(named).toMatchObject({ code: 0, printed: expected });
  const chosen = await runCaptured(['ledger', 'verify'], { DATABASE_URL: place.url });
  expect(chosen).toMatchObject({ code: 0, printed: expected });
});

test('ledger verify exits with 1 after a list of the faults of a database', async () => {
  await place.database.run('UPDATE bucket SET used = used + 1 WHERE used > 0');
  const { code, printed, remarked } = await runCaptured([
    'ledger',
    'verify',
    '--database-url',
    place.url,
    '--json',
  ]);
  expect({ code, remarked }).toEqual({
    code: 1,
    remarked: 'tollgate: 2 faults in 2 accounts with 11 entries.',
  });
  expect(JSON.parse(printed).faults[0]).toMatchObject({ account_id: 'acct_1', recorded: 51, recomputed: 50 });
});

test('an address that is no database is refused without its password', async () => {
  for (const address of ['postgres://a:hidden@127.0.0.1:1/none', 'nothing:hidden']) {
    const { code, remarked } = await runCaptured(['ledger', 'verify', '--database-url', address]);
    expect(code).toBe(1);
    expect(remarked).not.toContain('hidden');
  }
});

test('a repair in a Postgres installation asks a server instead of opening a data directory', async () => {
  const data = join(directory, 'data');
  const environment = { DATABASE_URL: place.url, DATA_DIR: data, TOLLGATE_ADMIN_TOKEN: 'x' };
  const { code } = await runCaptured(['ledger', 'repair', '--yes'], environment);
  expect(code).toBe(1);
  expect(existsSync(data)).toBe(false);
});

test('a database that no node of this version has migrated is refused in one line', async () => {
  await place.database.run('DELETE FROM migration WHERE number = (SELECT max(number) FROM migration)');
  const { code, remarked } = await runCaptured(['ledger', 'verify', '--database-url', place.url]);
  expect(code).toBe(1);
  expect(remarked).toMatch(
    /^tollgate: The database has schema \d+, but this version needs schema \d+: start a node of this version[^\n]+\.$/,
  );
});
