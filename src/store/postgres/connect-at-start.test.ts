import { afterAll, expect, test } from 'bun:test';
import { StoreProblem } from '../store-problem.ts';
import { connectAtStart } from './connect-at-start.ts';
import { parseConnectionUrl } from './connection/parse-connection-url.ts';
import { Database } from './database.ts';
import { postgresForTest } from './testing/postgres-for-test.ts';

const url = await (await postgresForTest()).create();
const owner = new Database({ url, maxConnections: 1 });
afterAll(() => owner.close());

const start = (address: string, reported: string[] = [], now = () => performance.now()) =>
  connectAtStart(parseConnectionUrl(address), {
    report: (sentence) => void reported.push(sentence),
    now,
  }).then(
    () => undefined,
    (error: unknown) => error as StoreProblem,
  );
const changed = (change: Partial<URL>): string => Object.assign(new URL(url), change).href;

test('accepts a database that the role owns', async () => {
  expect(await start(url)).toBeUndefined();
});

test.each([
  ['a wrong password', { password: 'ge%25heim' }, 'refuses the login (28P01'],
  ['a missing database', { pathname: '/nowhere' }, 'has no such database (3D000'],
] as const)('refuses %s at once', async (_name, change, message) => {
  const problem = await start(changed(change));
  expect(problem).toBeInstanceOf(StoreProblem);
  expect(problem?.message).toContain(message);
  expect(Bun.inspect(problem)).not.toContain('heim');
});

test('names the permission that a role lacks', async () => {
  const role = `stranger_${process.pid}`;
  await owner.script(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
  const problem = await start(changed({ username: role, password: 'x' }));
  await owner.script(`DROP ROLE ${role}`);
  expect(problem?.message).toContain(`${role} lacks the permission CREATE on the schema public`);
});

test('tries a server that does not answer for 30 s with a report every 5 s', async () => {
  const reported: string[] = [];
  let time = 0;
  const problem = await start('postgres://u:geheim@127.0.0.1:1/d', reported, () => (time += 2_000));
  expect(problem?.message).toContain('Postgres cannot be reached');
  expect(reported.length).toBeGreaterThan(1);
  expect(reported[0]).toStartWith('Waiting for Postgres at 127.0.0.1:1 since ');
  expect(reported.join()).not.toContain('geheim');
});

test('stops waiting when the start is stopped', async () => {
  const target = parseConnectionUrl('postgres://u:p@127.0.0.1:1/d');
  const steps = { report: () => {}, now: () => 0, isStopped: () => true };
  await expect(connectAtStart(target, steps)).rejects.toThrow('The start was stopped');
});
