import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, chatBody } from '../support/call.ts';
import { isLong } from '../support/is-long.ts';
import { startServer } from '../support/start-server.ts';
import { loadDatabase, unpackDirectory } from './support/kept-release.ts';
import { releaseConfig } from './support/release-config.ts';
import { DATABASE_TOKEN, releases } from './support/releases.ts';
import { type AnyServer, startRelease } from './support/start-release.ts';
import { hasCommit, unpackTree } from './support/unpack-tree.ts';

// Programs of earlier releases beside this one and after it.
// They come from the history, which a shallow clone lacks.

const previous = releases.at(-1)!;
const place = mkdtempSync(join(tmpdir(), 'tollgate-earlier-'));
const upstream = serveSimulator();
const config = releaseConfig(upstream.url);
const runs = isLong && hasCommit(previous.commit);
const tree = runs ? unpackTree(previous.commit, join(place, 'tree')) : '';
afterAll(async () => {
  await upstream.stop();
  rmSync(place, { recursive: true, force: true });
});

/** Makes a key of a new account on a plan that pays from the purchased credit, so each request has a hold. */
async function newKey(server: AnyServer): Promise<string> {
  const { id } = (await server.admin('POST', '/accounts', { name: 'Rolling', plan: 'enterprise' })).body;
  return (await server.admin('POST', `/accounts/${id}/keys`, {})).body.key;
}

test.skipIf(!runs)(
  'nodes of the previous release serve beside this version, and again after a rollback',
  async () => {
    const databaseUrl = await loadDatabase(previous.name, Date.now());
    const startEarlier = (name: string) =>
      startRelease({
        tree,
        config,
        databaseUrl,
        adminToken: DATABASE_TOKEN,
        dataDirectory: join(place, name),
      });
    const earlier = await startEarlier('earlier');
    const key = await newKey(earlier);
    const ask = ({ call }: AnyServer) =>
      call('/v1/chat/completions', { headers: bearer(key), body: chatBody('able') });
    const statuses: number[] = [];
    let over = false;
    const load = (async () => {
      while (!over) statuses.push((await ask(earlier)).status);
    })();
    // This start migrates the database under the load of the earlier node.
    const server = await startServer({
      config,
      dataDirectory: join(place, 'this'),
      environment: { DATABASE_URL: databaseUrl, TOLLGATE_ADMIN_TOKEN: DATABASE_TOKEN },
    });
    for (let count = 0; count < 30; count++) statuses.push((await ask(server)).status);
    over = true;
    await load;
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await server.admin('GET', '/ledger/verify')).body.faults).toEqual([]);
    await earlier.end('SIGTERM');
    await server.stop();
    const again = await startEarlier('again');
    expect((await ask(again)).status).toBe(200);
    expect((await again.admin('GET', '/ledger/verify')).body.faults).toEqual([]);
    await again.end('SIGTERM');
  },
);

test.skipIf(!runs)('the previous release refuses a data directory of this version in one line', async () => {
  const dataDirectory = unpackDirectory(previous.name, join(place, 'directory'));
  const server = await startServer({ config, dataDirectory });
  await server.stop();
  const failed = startRelease({ tree, config, dataDirectory });
  expect((await failed.catch((error: Error) => error)) instanceof Error).toBe(true);
  const lines = readFileSync(`${dataDirectory}.log`, 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/but this version supports schemas up to \d+: run the newer version/);
});
