import { expect, test } from 'bun:test';
import type { Json } from '../support/call.ts';
import { openCreditGateway } from '../support/credit-gateway.ts';
import { expectRefusal } from '../support/expect-refusal.ts';

const { server, chatWell, ledger } = await openCreditGateway();

test('sums usage by model, key and day, equal to the ledger [ADM-34]', async () => {
  const key = await server.createKey('max');
  const other = await server.createKey('max', { account: key.account });
  await chatWell(key);
  await chatWell(key, { model: 'test-max' });
  await chatWell(other);
  const total = (await ledger(key)).reduce((sum, { microcredits }) => sum + microcredits, 0);
  for (const [by, name, count] of [
    ['model', 'model', 2],
    ['key', 'key_id', 2],
    ['day', 'day', 1],
  ] as const) {
    const { data } = (await server.admin('GET', `/accounts/${key.account}/usage?by=${by}`)).body;
    expect(data).toHaveLength(count);
    expect(data.every((row: Json) => typeof row[name] === 'string')).toBe(true);
    expect(data.reduce((sum: number, row: Json) => sum + row.microcredits, 0)).toBe(total);
  }
  const past = await server.admin('GET', `/accounts/${key.account}/usage?to=2020-01-01`);
  expect(past.body.data).toEqual([]);
  for (const query of ['by=hour', 'from=yesterday', 'to=2026-13-01']) {
    const refused = await server.admin('GET', `/accounts/${key.account}/usage?${query}`);
    expectRefusal(refused, 400, 'invalid_request', query.split('=')[0]!);
  }
});

test('pages and verifies the ledger [ADM-33]', async () => {
  const key = await server.createKey('max');
  for (let request = 0; request < 3; request++) await chatWell(key);
  const all = await ledger(key);
  const page = (await server.admin('GET', `/accounts/${key.account}/ledger?limit=2`)).body;
  expect({ data: page.data, has_more: page.has_more }).toEqual({ data: all.slice(0, 2), has_more: true });
  const rest = await server.admin('GET', `/accounts/${key.account}/ledger?limit=2&after=${page.last_id}`);
  expect({ data: rest.body.data, has_more: rest.body.has_more }).toEqual({
    data: all.slice(2),
    has_more: false,
  });
  expectRefusal(
    await server.admin('GET', `/accounts/${key.account}/ledger?after=x`),
    400,
    'invalid_request',
    'after',
  );
  const verified = (await server.admin('GET', '/ledger/verify')).body;
  expect(verified.faults).toEqual([]);
  expect(verified.entries).toBeGreaterThan(3);
});
