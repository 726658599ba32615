import { afterAll, expect, test } from 'bun:test';
import { openConnection } from '../../../store/postgres/connection/open-connection.ts';
import { parseConnectionUrl } from '../../../store/postgres/connection/parse-connection-url.ts';
import { PostgresError } from '../../../store/postgres/connection/postgres-error.ts';
import { postgresForTest } from '../../../store/postgres/testing/postgres-for-test.ts';
import { runCaptured } from '../testing/run-captured.ts';
import { checkPostgresSpace } from './check-postgres-space.ts';
import type { Finding } from './finding.ts';

const postgres = await postgresForTest();
const url = await postgres.create();
afterAll(() => postgres.drop(url));

async function examine(address: string) {
  const args = ['doctor', '--json', '--port', '0', '--data', '/nowhere/tollgate'];
  const { printed, remarked } = await runCaptured(args, { DATABASE_URL: address });
  const { findings } = JSON.parse(printed) as { findings: Finding[] };
  return { text: printed + remarked, store: findings.filter(({ check }) => check === 'store') };
}

test('examines a Postgres server and does not show its password', async () => {
  const { store, text } = await examine(url);
  const messages = store.map(({ message }) => message).join('\n');
  for (const said of [
    /has version 1\d.* and needs no extension/,
    /may create tables/,
    /the schema has version \d+, as this program/,
    /a round trip takes [\d.]+ ms/,
    /uses up to \d+ of \d+ connections/,
    /lead to the server itself/,
    /no standby is connected/,
    /the database's clock, which decides/,
    /notices arrive/,
    /has space for new rows/,
  ])
    expect(messages).toMatch(said);
  expect(text).not.toContain(new URL(url).password);
});

test('finds a full disk of the server without leaving a table', async () => {
  const full = new PostgresError(
    new Map([
      ['C', '53100'],
      ['M', 'could not extend file'],
    ]),
  );
  expect(await checkPostgresSpace({ simple: () => Promise.reject(full) })).toMatchObject({
    status: 'fail',
    message: expect.stringMatching(/new rows cannot be written.*no disk space left/),
    mend: expect.stringMatching(/free space/),
  });
  await examine(url);
  const connection = await openConnection(parseConnectionUrl(url), { timeoutMs: 5_000 });
  const { rows } = await connection.query({ text: `SELECT 1 FROM pg_class WHERE relname LIKE 'doctor_%'` });
  connection.end();
  expect(rows).toEqual([]);
});

test('says why a login fails and shows the password in no form', async () => {
  const wrong = Object.assign(new URL(url), { password: encodeURIComponent('p@ss wörd%') });
  const { store, text } = await examine(wrong.href);
  expect(store).toEqual([
    expect.objectContaining({ status: 'fail', message: expect.stringMatching(/login|28P01/) }),
  ]);
  for (const form of [wrong.password, decodeURIComponent(wrong.password)]) expect(text).not.toContain(form);
});
