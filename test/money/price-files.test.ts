import { afterAll, expect, test } from 'bun:test';
import { generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../support/call.ts';
import { ledgerEntries } from '../support/ledger-entries.ts';
import { answerWell, startRecordingUpstream } from '../support/recording-upstream.ts';
import { runProgram } from '../support/spawn-program.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

/** The upstream counts 7 tokens in and 3 out. A dollar per million tokens is 500 micro-credits a token. */
const BASE = 7 * 500 + 3 * 2_000;

const upstream = startRecordingUpstream();
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
const model = (id: string, fields: Json = {}) =>
  ableModel(id, [{ provider: 'hidden', model: `hidden-${id}` }], fields);
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: [{ id: 'hidden', wire: 'openai-chat', base_url: upstream.url }],
    catalog: {
      default: false,
      price_keys: [key],
      models: [model('stale', { confirmed_at: '2020-01-01' }), model('own'), model('idle')],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const update = async (text: string, ...more: string[]): Promise<Json> => {
  const file = join(server.directory, 'prices.yaml');
  writeFileSync(file, text);
  writeFileSync(`${file}.sig`, sign(null, Buffer.from(text), privateKey).toString('base64'));
  const place = ['--config', server.configFile, '--data', server.dataDirectory];
  const { code, stdout, stderr } = await runProgram(['catalog', 'update', file, ...place, '--json', ...more]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
};

test('a model in use whose price is not confirmed raises one alert', async () => {
  const { key: caller } = await server.createKey('enterprise');
  for (const id of ['stale', 'stale', 'own', 'stale'])
    expect((await server.chat(caller, id)).status).toBe(200);
  const reported = async () =>
    (await server.admin('GET', '/alerts?limit=1000')).body.data.filter(
      ({ event }: Json) => event === 'price_unconfirmed',
    );
  await waitFor(async () => (await reported()).length > 0);
  expect((await reported()).map(({ data }: Json) => data)).toEqual([
    { model: 'stale', rows: [{ row: 'base', confirmed_at: '2020-01-01' }] },
  ]);
});

test('a price file is imported while requests are under way [CRD-54]', async () => {
  const caller = await server.createKey('enterprise');
  expect((await server.chat(caller.key, 'own')).status).toBe(200);
  const expensiveFile = `issued_at: 2026-11-28T08:00:00Z
prices:
  own: { input: 1, output: 4, conditions: [{ name: always, factor: 3 }] }
  idle: { input: 9, output: 9 }
`;
  const before = readFileSync(server.configFile, 'utf8');
  const tried = await update(expensiveFile, '--dry-run');
  expect(tried).toMatchObject({ written: false, reloaded: false });
  expect(tried.changes).toContainEqual({ model: 'own', row: 'always', field: 'input', from: null, to: 3 });
  expect(tried.accounts).toContainEqual({ account_id: caller.account, model: 'own', requests_30d: 1 });
  expect(tried.accounts.every((use: Json) => use.model === 'own')).toBe(true);
  expect(readFileSync(server.configFile, 'utf8')).toBe(before);
  const { promise, resolve } = Promise.withResolvers<void>();
  upstream.forget();
  upstream.answer('hidden-own', async (request) => {
    await promise;
    return answerWell(request);
  });
  const open = server.chat(caller.key, 'own');
  await waitFor(() => upstream.models().length > 0);
  expect(await update(expensiveFile, '--yes')).toMatchObject({ written: true, reloaded: true });
  resolve();
  expect((await open).status).toBe(200);
  expect((await server.chat(caller.key, 'own')).status).toBe(200);
  const entries = await ledgerEntries(server, caller.account);
  expect(entries.map((entry) => [entry.microcredits, entry.receipt.price_row])).toEqual([
    [3 * BASE, 'always'],
    [BASE, 'base'],
    [BASE, 'base'],
  ]);
});

test('an import names the models whose stored rows can keep other prices', async () => {
  const text = `issued_at: 2026-11-29T08:00:00Z
prices:
  own: { input: 5, output: 5 }
  idle: { input: 5, output: 5 }
`;
  const stored = await server.admin('PATCH', '/models/idle', {
    pricing_usd_per_mtok: { input: 2, output: 2 },
  });
  expect(stored.status).toBe(200);
  const file = join(server.directory, 'stored.yaml');
  writeFileSync(file, text);
  writeFileSync(`${file}.sig`, sign(null, Buffer.from(text), privateKey).toString('base64'));
  const place = ['--config', server.configFile, '--data', server.dataDirectory];
  const { code, stderr } = await runProgram(['catalog', 'update', file, ...place, '--yes']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/have stored rows: idle\. /) });
  const served = await server.admin('GET', '/catalog/idle');
  expect(served.body.pricing_usd_per_mtok).toMatchObject({ input: 2, output: 2 });
});
