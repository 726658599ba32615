import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '../testing/run-captured.ts';
import type { Finding } from './finding.ts';

// The examination of a configuration whose server does not run.

const directory = mkdtempSync(join(tmpdir(), 'tollgate-doctor-clouds-'));
const valid = new Set(['hidden-token-1']);
let issued = 0;
const cloud = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('/token'))
      return Response.json({ access_token: `hidden-token-${++issued}`, expires_in: 3_600 });
    const token = request.headers.get('authorization')?.replace('Bearer ', '') ?? '';
    return valid.has(token)
      ? Response.json({ choices: [] })
      : Response.json({ error: { message: `no ${token}` } }, { status: 401 });
  },
});
const url = `http://127.0.0.1:${cloud.port}`;
afterAll(async () => {
  await cloud.stop(true);
  rmSync(directory, { recursive: true });
});

async function examine(environment: Record<string, string>, { isRouted = true } = {}) {
  const config = join(directory, 'tollgate.yaml');
  const row = `  - { id: cloud, wire: openai-chat, base_url: "${url}/openai/v1", azure: {} }`;
  const model = `[{ id: ours, context_window: 8192, pricing_usd_per_mtok: { input: 1, output: 1 }, routes: [{ provider: cloud, model: up }] }]`;
  const models = isRouted ? model : '[]';
  writeFileSync(config, `providers:\n${row}\ncatalog:\n  default: false\n  models: ${models}\n`);
  const args = ['doctor', '--json', '--live', '--config', config];
  const place = ['--data', join(directory, 'data'), '--port', '0'];
  const { printed } = await runCaptured([...args, ...place], { AZURE_AUTHORITY_HOST: url, ...environment });
  const { findings } = JSON.parse(printed) as { findings: Finding[] };
  return findings
    .filter(({ check }) => check === 'live')
    .map(({ status, message }) => `${status} ${message}`);
}

const identity = { AZURE_CLIENT_ID: 'id', AZURE_CLIENT_SECRET: 'secret-of-the-client', AZURE_TENANT_ID: 't' };

test('makes a real call with a credential of the cloud', async () => {
  expect(await examine(identity)).toEqual([
    expect.stringMatching(/^ok cloud accepts its key \(a call of up, \d+ ms\)$/),
  ]);
});

test('says that the identity lacks a permission if the host refuses a renewed token', async () => {
  valid.clear();
  issued = 0;
  expect(await examine(identity)).toEqual(['fail cloud refuses its key with status 401 (no [redacted])']);
  expect(issued).toBe(2);
});

test('says what is missing, even if no model is routed to the provider', async () => {
  const { AZURE_TENANT_ID: _, ...rest } = identity;
  const missing =
    'fail cloud has no credential, because the source client_secret failed: set azure.tenant_id or AZURE_TENANT_ID';
  expect(await examine(rest)).toEqual([missing]);
  expect(await examine(rest, { isRouted: false })).toEqual([missing]);
  expect(await examine(identity, { isRouted: false })).toEqual(['warn the key of cloud cannot be tried']);
});
