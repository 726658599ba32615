import { afterAll, expect, test } from 'bun:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { StoreProblem } from '../store-problem.ts';
import { openConnection } from './connection/open-connection.ts';
import { Database } from './database.ts';
import { postgresForTest } from './testing/postgres-for-test.ts';

const url = await (await postgresForTest()).create();
const database = new Database({ url, maxConnections: 2 });
await database.script('CREATE TABLE sample (n integer UNIQUE)');
afterAll(() => database.close());

test('passes every kind of value to Postgres and back', async () => {
  const bytes = new Uint8Array([0, 1, 92, 255]);
  const names = ['x', 'a "quoted", \\ one', '', 'NULL', '{}', 'ü€😀'];
  const row = await database.first(
    `SELECT 9007199254740991::bigint AS amount, $1::text[] AS names, $2::text::jsonb AS json, $3::bytea AS bytes,
       $4::boolean AS yes, $5::text AS missing, $6::bigint[] AS numbers, $7::float8 AS part, ''::text AS empty`,
    [names, '{"a":[1]}', bytes, true, null, [1, -2], 0.5],
  );
  expect(row).toEqual({
    amount: Number.MAX_SAFE_INTEGER,
    names,
    json: { a: [1] },
    bytes,
    yes: true,
    missing: null,
    numbers: [1, -2],
    part: 0.5,
    empty: '',
  });
});

test('passes values and rows that are larger than a packet', async () => {
  const text = 'ü'.repeat(3_000_000);
  const rows = await database.all('SELECT n, $1::text AS text FROM generate_series(1, 3) n', [text]);
  expect(rows.map((row) => [row.n, row.text === text])).toEqual([
    [1, true],
    [2, true],
    [3, true],
  ]);
});

test('rolls a failed transaction back', async () => {
  const failed = database.transaction(async (queries) => {
    await queries.run('INSERT INTO sample VALUES (1)');
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(await database.all('SELECT n FROM sample')).toEqual([]);
});

test('does not commit a transaction whose failed statement was ignored', async () => {
  const failed = database.transaction(async (queries) => {
    await queries.run('INSERT INTO sample VALUES (1)');
    await queries.run('SELECT 1 / 0').catch(() => {});
  });
  await expect(failed).rejects.toThrow('failed and its error was ignored');
  expect(await database.all('SELECT n FROM sample')).toEqual([]);
});

test('does not run the first statement of a transaction that cannot begin', async () => {
  const connection = await openConnection(database.target, { timeoutMs: 5_000, allowsReadOnly: false });
  const text = 'INSERT INTO sample VALUES ($1)';
  await expect(connection.begin(['SELECT 1 / 0', 'BEGIN'], { text, values: [1] })).rejects.toThrow(
    'division',
  );
  expect(connection).toMatchObject({ isClean: true, canCommit: false });
  expect(await connection.query({ text: 'SELECT n FROM sample' })).toMatchObject({ rows: [] });
  // The server has not parsed the statement, and it is parsed again.
  await connection.begin(['BEGIN', "SET LOCAL work_mem = '1MB'"], { text, values: [2] });
  await connection.query({ text, values: [3] });
  expect(connection).toMatchObject({ isClean: false, canCommit: true });
  await connection.simple('ROLLBACK');
  expect(await connection.query({ text: 'SELECT n FROM sample' })).toMatchObject({ rows: [] });
  connection.end();
});

test('statements that are sent at once run in one transaction, which ends at the first failure', async () => {
  const send = (first: string) =>
    database.transaction((queries) =>
      Promise.allSettled([
        queries.all(first),
        queries.run('INSERT INTO sample VALUES (1)'),
        queries.script('INSERT INTO sample VALUES (2)'),
      ]),
    );
  await expect(send('SELECT 1 / 0')).rejects.toThrow('division');
  expect(await database.all('SELECT n FROM sample')).toEqual([]);
  await send('SELECT 1');
  expect(await database.all('SELECT n FROM sample ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }]);
  await database.run('DELETE FROM sample');
});

test('runs the statements of a pipeline as transactions of their own', async () => {
  const results = await database.pipeline([
    { text: 'INSERT INTO sample VALUES ($1) RETURNING n', values: [7] },
    { text: 'INSERT INTO sample VALUES ($1) RETURNING n', values: [7] },
    { text: 'SELECT count(*) AS count FROM sample' },
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: { code: '23505', constraint: 'sample_n_key' } });
  expect(results[2]).toMatchObject({ value: [{ count: 1 }] });
});

test('reads the rows of each statement of a pipeline with the same text', async () => {
  const statement = { text: 'SELECT $1::integer AS twice' };
  const outcomes = await database.pipeline([
    { ...statement, values: [1] },
    { ...statement, values: [2] },
  ]);
  expect(outcomes).toMatchObject([{ value: [{ twice: 1 }] }, { value: [{ twice: 2 }] }]);
});

test('runs a prepared statement after the columns of its table have changed', async () => {
  const one = new Database({ url, maxConnections: 1 });
  await one.script('CREATE TABLE growing (a integer); INSERT INTO growing VALUES (1)');
  expect(await one.all('SELECT * FROM growing')).toEqual([{ a: 1 }]);
  await one.script('ALTER TABLE growing ADD COLUMN b integer');
  expect(await one.all('SELECT * FROM growing')).toEqual([{ a: 1, b: null }]);
  await one.script('DEALLOCATE ALL');
  expect(await one.all('SELECT * FROM growing')).toEqual([{ a: 1, b: null }]);
  await one.close();
});

test('keeps a statement prepared after it has failed', async () => {
  const one = new Database({ url, maxConnections: 1 });
  const text = 'SELECT 1 / $1::int AS part';
  for (const divisor of [1, 0, 2]) await one.all(text, [divisor]).catch(() => {});
  expect(await one.all('SELECT statement FROM pg_prepared_statements')).toEqual([
    { statement: text },
    { statement: 'SELECT statement FROM pg_prepared_statements' },
  ]);
  await one.close();
});

test('works without prepared statements', async () => {
  const plain = new Database({ url: `${url}?prepare=false`, maxConnections: 1 });
  for (const n of [1, 2]) expect(await plain.first('SELECT $1::int AS n', [n])).toEqual({ n });
  expect(await plain.all('SELECT name FROM pg_prepared_statements')).toEqual([]);
  await plain.close();
});

test('ends a statement that passes its deadline, on the server too', async () => {
  const slow = database.all('SELECT pg_sleep(600) AS marked', [], { deadlineMs: 100 });
  await expect(slow).rejects.toThrow('Postgres did not answer within 100 ms');
  await waitFor(async () => {
    const [row] = await database.all(
      `SELECT count(*) AS count FROM pg_stat_activity WHERE query LIKE '%600) AS marked' AND state = 'active'`,
    );
    return row?.count === 0;
  });
});

test('refuses a call for which no connection becomes free', async () => {
  const one = new Database({ url, maxConnections: 1 });
  const held = Promise.withResolvers<void>();
  const holder = one.transaction(() => held.promise);
  const refused = await one.all('SELECT 1', [], { deadlineMs: 100 }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StoreProblem);
  expect((refused as StoreProblem).sentence).toBe(
    'No connection to Postgres became free within 100 ms: raise store.connections.',
  );
  held.resolve();
  await holder;
  await one.close();
});

test('keeps connections for urgent calls', async () => {
  const busy = new Database({ url, maxConnections: 6 });
  const held = Promise.withResolvers<void>();
  const holders = Array.from({ length: 6 }, () => busy.transaction(() => held.promise));
  expect(await busy.first('SELECT 1 AS one', [], { isUrgent: true })).toEqual({ one: 1 });
  held.resolve();
  await Promise.all(holders);
  await busy.close();
});

test('closes while a call is under way', async () => {
  const other = new Database({ url, maxConnections: 1 });
  const slow = other
    .all('SELECT pg_sleep(600)', [], { deadlineMs: 600_000 })
    .catch((error: unknown) => error);
  await waitFor(() => other.counts.open === 1);
  await other.close();
  expect(await slow).toBeInstanceOf(StoreProblem);
  await expect(other.all('SELECT 1')).rejects.toThrow('closed');
});

test('passes notices on', async () => {
  const seen: string[] = [];
  const listener = database.listen({ channel: 'sample', onNotice: (payload) => seen.push(payload) });
  await waitFor(() => listener.isListening);
  await database.run(`SELECT pg_notify('sample', 'key:one')`);
  await waitFor(() => seen.length === 1);
  expect(seen).toEqual(['key:one']);
  listener.stop();
});

test('a listener that the server refuses leaves no connection behind', async () => {
  const name = 'refused_listener';
  const listening = new Database({ url, listenUrl: `${url}?application_name=${name}` });
  let failures = 0;
  const listener = listening.listen({ channel: '', onNotice: () => {}, onFailure: () => void failures++ });
  await waitFor(() => failures >= 3);
  listener.stop();
  const text = 'SELECT count(*) AS connections FROM pg_stat_activity WHERE application_name = $1';
  await waitFor(async () => (await database.first(text, [name]))?.connections === 0);
  await listening.close();
});

test('a call that nothing waits for when a connection is free is not sent', async () => {
  const one = new Database({ url, maxConnections: 1 });
  const busy = one.all('SELECT pg_sleep(0.05)');
  let isWanted = true;
  const queued = one.run('INSERT INTO sample VALUES (4711)', [], { isWanted: () => isWanted });
  isWanted = false;
  await expect(queued).rejects.toBeInstanceOf(StoreProblem);
  await busy;
  expect(await one.first('SELECT n FROM sample WHERE n = 4711')).toBeUndefined();
  await one.close();
});
