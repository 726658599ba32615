import { afterAll, expect, test } from 'bun:test';
import { bearer, call } from '../support/call.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';

const TOKEN = 'token-of-the-machine';
const answer = (fetch: (request: Request) => Response) =>
  Bun.serve({ port: 0, hostname: '127.0.0.1', fetch });
const identity = answer(() => Response.json({ access_token: TOKEN, expires_in: '3600' }));
const received: (string | null)[] = [];
const elsewhere = answer(({ headers }) => {
  received.push(headers.get('authorization'));
  return Response.json({ data: [] });
});
const server = await startServer({
  config: sampleConfig('http://127.0.0.1:9'),
  environment: { IDENTITY_ENDPOINT: `http://127.0.0.1:${identity.port}/token`, IDENTITY_HEADER: 'x' },
});
afterAll(async () => {
  await server.stop();
  await Promise.all([identity.stop(true), elsewhere.stop(true)]);
});

test('only an owner sends the credential of the machine to a server outside its cloud', async () => {
  const { token } = (await server.admin('POST', '/tokens', { name: 'on-call', role: 'operator' })).body;
  const asOperator = async (method: string, path: string, body: object) =>
    (await call(`${server.url}/admin/v1${path}`, { method, headers: bearer(token), body })).status;
  const away = { base_url: `http://127.0.0.1:${elsewhere.port}/v1`, azure: {} };
  const row = { wire: 'openai-chat', ...away };
  expect(await asOperator('POST', '/providers/test', { id: 'draft', model: 'm', ...row })).toBe(403);
  expect(await asOperator('POST', '/providers', { id: 'new', ...row })).toBe(403);
  const cloud = { ...row, id: 'cloud', base_url: 'https://x.openai.azure.com/openai/v1' };
  expect(await asOperator('POST', '/providers', cloud)).toBe(201);
  expect(await asOperator('PATCH', '/providers/cloud', away)).toBe(403);
  expect(await asOperator('PATCH', '/providers/cloud', { max_concurrent: 3 })).toBe(200);
  expect((await server.admin('PATCH', '/providers/cloud', away)).status).toBe(200);
  const sameServer = { base_url: away.base_url, max_concurrent: 4 };
  expect(await asOperator('PATCH', '/providers/cloud', sameServer)).toBe(200);
  expect(await asOperator('PATCH', '/providers/cloud', away)).toBe(403);
  expect(received).toEqual([]);
  await server.admin('POST', '/providers/test', { id: 'draft', model: 'm', ...row });
  expect(received).toEqual([`Bearer ${TOKEN}`]);
});
