import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { isLong } from '../support/is-long.ts';
import { isOnPostgres } from '../support/postgres/database-of.ts';
import { sampleModel } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { BusyClients } from './busy-clients.ts';
import { SLOW, startChatUpstream } from './chat-upstream.ts';
import { billedOnPostgres, leftOnPostgres } from './left-on-postgres.ts';
import { countHolds, findContradictions, readBilled } from './read-ledger.ts';

const STOPS = isLong ? 3 : 2;
const REPLIES_EACH = 60;

async function expectNothingLeft(dataDirectory: string): Promise<void> {
  if (isOnPostgres)
    expect(await leftOnPostgres(dataDirectory)).toEqual({ holds: 0, held: 0, places: 0, nodes: 0 });
  else
    expect({
      holds: countHolds(dataDirectory),
      contradictions: findContradictions(dataDirectory),
    }).toEqual({ holds: 0, contradictions: [] });
}

const billedIn = async (dataDirectory: string): Promise<string[]> =>
  isOnPostgres
    ? billedOnPostgres(dataDirectory)
    : readBilled(dataDirectory).map(({ requestId }) => requestId);

test('a stop under load bills each complete reply once and leaves no hold [ADM-15]', async () => {
  const upstream = startChatUpstream();
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tollgate-stop-'));
  const clients = new BusyClients(12, seededRandom(20_261_121));
  const config = {
    server: { drain_s: 1 }, // short requests finish, slow requests end with an error
    simulator: { mode: 'off' },
    providers: [{ id: 'upstream', wire: 'openai-chat', base_url: upstream.url }],
    catalog: {
      default: false,
      models: ['quick', SLOW].map((id) =>
        sampleModel(id, { routes: [{ provider: 'upstream', model: id }], capabilities: { tools: true } }),
      ),
    },
    plans: wideLimits,
  };
  const start = () => startServer({ config, dataDirectory });
  let key: string | undefined;
  for (let stop = 0; stop < STOPS; stop++) {
    const server = await start();
    key ??= (await server.createKey('enterprise')).key;
    const before = clients.complete.length;
    clients.open({ url: server.url, keys: [{ key }] });
    await waitFor(() => clients.complete.length >= before + REPLIES_EACH);
    server.signal('SIGTERM');
    expect(await server.exited).toBe(0);
    clients.close();
    await server.stop();
    await expectNothingLeft(dataDirectory);
  }
  const last = await start();
  clients.open({ url: last.url, keys: [{ key: key! }] });
  await clients.stop();
  expect(await last.ledgerFaults()).toEqual([]);
  expect(await last.stop()).toBe(0);
  const billed = await billedIn(dataDirectory);
  const unbilled = clients.complete.filter(({ requestId }) => !billed.includes(requestId));
  expect(unbilled).toEqual([]);
  expect(new Set(billed).size).toBe(billed.length);
  upstream.stop();
  rmSync(dataDirectory, { recursive: true });
}, 120_000);
