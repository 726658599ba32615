import { afterAll, describe, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';

const server = await startServer({ config: sampleConfig('http://127.0.0.1:9/v1') });
afterAll(server.stop);

const accessFor = async (headers: Record<string, string>): Promise<Record<string, Json>> => {
  const { status, body } = await server.call('/v1/models', { headers });
  expect(status).toBe(200);
  return Object.fromEntries(body.data.map(({ id, svc }: Json) => [id, svc.access]));
};

const unlockedBy = {
  '@svc/test-small': 'free',
  'test-plain': 'starter',
  'test-vision': 'pro',
  'test-max': 'max',
  'test-payg': 'payg',
};

/** The sample's models beyond Free that each plan includes. Launch has models of its own choice. */
const included: Record<string, string[]> = {
  free: [],
  launch: [],
  starter: ['test-plain'],
  pro: ['test-plain', 'test-vision'],
  max: ['test-plain', 'test-vision', 'test-max'],
  scale: ['test-plain', 'test-vision', 'test-max'],
  enterprise: ['test-plain', 'test-vision', 'test-max'],
};

describe('svc.access', () => {
  test('is in every entry, with four fields [MOD-17]', async () => {
    for (const access of Object.values(await accessFor({})))
      expect(Object.keys(access)).toEqual(['included', 'plan', 'unlocked_by', 'payg']);
    const { body } = await server.call('/v1/models/test-plain');
    expect(Object.keys(body.svc)).toEqual(['reasoning_efforts', 'endpoints', 'access']);
  });

  test('has no value for `included` without a key [MOD-18]', async () => {
    for (const { included: known, plan } of Object.values(await accessFor({})))
      expect({ known, plan }).toEqual({ known: null, plan: null });
  });

  test('names the cheapest plan on sale or payg [MOD-20]', async () => {
    const access = await accessFor({});
    for (const [id, plan] of Object.entries(unlockedBy))
      expect({ id, unlocked_by: access[id].unlocked_by }).toEqual({ id, unlocked_by: plan });
  });

  test('offers every model in pay-as-you-go mode [MOD-21]', async () => {
    for (const { payg } of Object.values(await accessFor({}))) expect(payg).toBe(true);
  });

  for (const [plan, models] of Object.entries(included)) {
    test(`lists the models that ${plan} includes [MOD-19]`, async () => {
      const { key } = await server.createKey(plan);
      const access = await accessFor(bearer(key));
      for (const id of ['test-plain', 'test-vision', 'test-max', 'test-payg'])
        expect({ id, included: access[id].included, plan: access[id].plan }).toEqual({
          id,
          included: models.includes(id),
          plan,
        });
      expect(access['@svc/test-small'].included).toBe(true);
      // The sample's Free models are not Launch models, except one that lists Launch.
      expect(access['test-messages'].included).toBe(plan !== 'launch');
    });
  }

  test('includes every listed model for a pay-as-you-go account [MOD-19]', async () => {
    const { key } = await server.createKey('payg');
    const access = await accessFor(bearer(key));
    expect(Object.keys(access)).toEqual(['test-plain', 'test-vision', 'test-payg']);
    for (const { included: known, plan } of Object.values(access))
      expect({ known, plan }).toEqual({ known: true, plan: 'payg' });
  });

  test('also takes the key from x-api-key, for one model and for the list', async () => {
    const { key } = await server.createKey('pro');
    const { body } = await server.call('/v1/models/test-vision', { headers: { 'x-api-key': key } });
    expect(body.svc.access).toEqual({ included: true, plan: 'pro', unlocked_by: 'pro', payg: true });
  });
});

test('ignores an invalid key and answers as without a key [MOD-56]', async () => {
  const { account, id, key } = await server.createKey('pro');
  const revoked = await server.createKey('pro');
  await server.admin('DELETE', `/keys/${revoked.id}`);
  const anonymous = await server.call('/v1/models');
  const good = bearer(key);
  const invalid: Record<string, string>[] = [
    bearer('nonsense'),
    bearer(revoked.key),
    { authorization: 'Basic abc' },
    { 'x-api-key': 'nonsense' },
    { ...good, 'x-api-key': revoked.key },
  ];
  for (const headers of invalid) {
    const { status, text } = await server.call('/v1/models', { headers });
    expect(status).toBe(200);
    expect(text).toBe(anonymous.text);
  }
  await server.admin('PATCH', `/accounts/${account}`, { status: 'suspended' });
  expect((await server.call('/v1/models', { headers: good })).text).toBe(anonymous.text);
  await server.admin('PATCH', `/accounts/${account}`, { status: 'active' });
  await server.admin('DELETE', `/keys/${id}`);
});
