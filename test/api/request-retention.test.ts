import { afterAll, expect, test } from 'bun:test';
import { bearer } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const config = (requestsS: number) => ({
  log: { client_address: false },
  retention: { requests_s: requestsS },
  catalog: { default: false, models: [] },
});
const server = await startServer({ config: config(600), environment: { TOLLGATE_TEST_CLOCK: '1' } });
afterAll(() => server.stop());
const { key } = await server.createKey('enterprise');

const read = async () =>
  (await server.call('/v1/usage', { headers: bearer(key) })).headers.get('x-svc-request-id')!;
const isKept = async (id: string) => (await server.admin('GET', `/requests/${id}`)).status === 200;
const advance = (seconds: number) => server.admin('POST', '/test/clock', { advance_s: seconds });

test("keeps no client's address if the operator says so", async () => {
  const id = await read();
  await waitFor(() => isKept(id));
  expect((await server.admin('GET', `/requests/${id}`)).body.client_address).toBeNull();
  const line = server
    .log()
    .split('\n')
    .find((one) => one.includes(id));
  expect(line).not.toContain('client_address');
});

test('removes records when their time is over', async () => {
  const id = await read();
  await waitFor(() => isKept(id));
  await advance(500);
  expect(await isKept(id)).toBe(true);
  await advance(200);
  expect(await isKept(id)).toBe(false);
  expect((await server.admin('GET', '/requests')).body.data).toEqual([]);
});

test('keeps no records if their time is zero', async () => {
  server.configure(config(0));
  expect((await server.reload()).status).toBe(200);
  const before = await read();
  const { status, body } = await server.admin('GET', `/requests/${before}`);
  expect([status, body.error.kept_s]).toEqual([404, 0]);
  server.configure(config(600));
  expect((await server.reload()).status).toBe(200);
  const after = await read();
  await waitFor(() => isKept(after));
  expect(await isKept(before)).toBe(false);
});

test('counts the records that were dropped', async () => {
  expect((await server.call('/metrics')).text).toContain('\ntollgate_request_records_dropped_total 0\n');
});
