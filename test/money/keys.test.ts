import { afterAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { bearerEndpoints } from '../support/bearer-endpoints.ts';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { messagesBody } from '../support/messages-body.ts';
import { isOnPostgres } from '../support/postgres/database-of.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { storeRows } from '../support/store-rows.ts';

const upstream = startRecordingUpstream();
const config = sampleConfig(upstream.url);
const server = await startServer({ config });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const { account, key } = await server.createKey('pro');
const revoked = await server.createKey('pro', { account });
await server.admin('DELETE', `/keys/${revoked.id}`);

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const inBase62 = (value: number): string => {
  let text = '';
  for (let rest = value, place = 0; place < 6; place++, rest = Math.floor(rest / 62))
    text = BASE62[rest % 62] + text;
  return text;
};
/** Adds a checksum that fits to the text of a key. */
const withChecksum = (text: string): string => text + inBase62(crc32(text));

/** Reads all rows of all tables. */
async function databaseText(): Promise<string> {
  const names = await storeRows<Json>(
    server.dataDirectory,
    `SELECT relname AS name FROM pg_stat_user_tables`,
  );
  const texts = names.map(({ name }) =>
    storeRows<Json>(server.dataDirectory, `SELECT string_agg(${name}::text, ' ') AS text FROM ${name}`),
  );
  return (await Promise.all(texts)).map(([row]) => row!.text).join('\n');
}

const neverIssued = (): string =>
  withChecksum(`svc_${Array.from({ length: 43 }, () => BASE62[Math.floor(Math.random() * 62)]).join('')}`);

describe('an API key', () => {
  test('has a prefix, 43 unique random characters and their checksum [AUT-01] [AUT-02]', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => server.createKey('free', { account })));
    const keys = [server.firstKey, ...made.map(({ key: each }) => each)];
    for (const each of keys) {
      expect(each).toMatch(/^svc_[0-9A-Za-z]{49}$/);
      expect(each).toBe(withChecksum(each.slice(0, -6)));
    }
    expect(new Set(keys).size).toBe(21);
  });

  test('is shown once: lists, logs and store files never contain it, only its SHA-256 [AUT-04]', async () => {
    await server.chat(key, 'test-plain');
    await server.chat(`${key}x`, 'test-plain');
    await server.call(`/v1/models/${key}?key=${key}`);
    const { text } = await server.admin('GET', `/accounts/${account}/keys`);
    const { text: audit } = await server.admin('GET', '/audit');
    await Bun.sleep(100); // log lines are written together
    const files = readdirSync(server.dataDirectory).filter((name) => name !== 'first-key');
    const inFiles = files.map((name) => readFileSync(join(server.dataDirectory, name), 'latin1')).join('');
    const stored = isOnPostgres ? inFiles + (await databaseText()) : inFiles;
    for (const place of [text, audit, server.log(), stored]) expect(place.includes(key)).toBe(false);
    expect(stored).toContain(createHash('sha256').update(key).digest('hex'));
    const logged = server.log().slice(server.log().indexOf('"event"'));
    expect(logged.includes(server.firstKey) || stored.includes(server.firstKey)).toBe(false);
  });
});

const middle = key.slice(4, -6);
const other = middle[5] === 'a' ? 'b' : 'a';
const malformed: Record<string, string> = {
  'a key without its prefix': key.slice(4),
  'another prefix': withChecksum(`sk-_${middle}`),
  "another operator's prefix": withChecksum(`acme_${middle}`),
  'a prefix in capitals': withChecksum(`SVC_${middle}`),
  'a character too few': withChecksum(`svc_${middle.slice(1)}`),
  'a character too many': withChecksum(`svc_${middle}0`),
  'a character that is not base62': withChecksum(`svc_${middle.slice(1)}-`),
  'a wrong checksum': `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
  'a typo': `${key.slice(0, 9)}${other}${key.slice(10)}`,
  'two keys': `${key} ${key}`,
  'a key in quotes': `"${key}"`,
};

for (const { path, body } of bearerEndpoints) {
  const call = (headers: Record<string, string>, query = '') =>
    server.call(path + query, { headers, body: body('test-plain') });

  describe(`POST ${path}`, () => {
    test('without a key is refused [AUT-15]', async () => {
      for (const headers of [{}, { 'x-api-key': '' }, { authorization: '' }] as Record<string, string>[])
        expectRefusal(await call(headers), 401, 'missing_api_key');
      expectRefusal(await call({}, `?api_key=${key}&key=${key}`), 401, 'missing_api_key');
    });

    test('with a valid key in x-api-key is refused [AUT-08]', async () => {
      expectRefusal(await call({ 'x-api-key': key }), 401, 'invalid_api_key');
    });

    test('with a scheme other than Bearer is refused', async () => {
      for (const authorization of [`Basic ${btoa(`${key}:`)}`, `Basic ${key}`, key, 'Bearer', `Token ${key}`])
        expectRefusal(await call({ authorization }), 401, 'invalid_api_key');
    });

    for (const [what, text] of Object.entries(malformed)) {
      test(`with ${what} is refused [AUT-16]`, async () => {
        expectRefusal(await call(bearer(text)), 401, 'invalid_api_key');
      });
    }

    test("with a vendor's key is refused with the beginning of a valid one [AUT-16]", async () => {
      const { body } = await call(bearer('sk-proj-0123456789abcdef0123456789abcdef'));
      expect(body.error.message).toBe("The API key is not valid. The keys of this server begin with 'svc_'.");
    });

    test('with a well-formed key that was never issued is refused [AUT-17]', async () => {
      expectRefusal(await call(bearer(neverIssued())), 401, 'invalid_api_key');
      expectRefusal(await call(bearer(withChecksum(`svc_${'0'.repeat(43)}`))), 401, 'invalid_api_key');
    });

    test('with a revoked key is refused at once [AUT-18]', async () => {
      expectRefusal(await call(bearer(revoked.key)), 401, 'revoked_api_key');
      const { key: used, id } = await server.createKey('pro', { account });
      expect((await call(bearer(used))).status).toBe(200);
      await server.admin('DELETE', `/keys/${id}`);
      expectRefusal(await call(bearer(used)), 401, 'revoked_api_key');
    });

    test('ignores x-api-key [AUT-28]', async () => {
      for (const sent of ['nonsense', revoked.key, neverIssued(), key])
        expect((await call({ ...bearer(key), 'x-api-key': sent })).status).toBe(200);
      expectRefusal(await call({ ...bearer(revoked.key), 'x-api-key': key }), 401, 'revoked_api_key');
    });

    test('accepts the scheme in any case', async () => {
      for (const scheme of ['bearer', 'BEARER', 'Bearer '])
        expect((await call({ authorization: `${scheme} ${key}` })).status).toBe(200);
    });

    for (const [name, status, code] of [
      [
        'of a suspended account is refused until it is active again [AUT-23]',
        'suspended',
        'account_suspended',
      ],
      ['of a closed account is refused until it is active again [AUT-24]', 'closed', 'account_closed'],
    ] as const) {
      test(name, async () => {
        const owned = await server.createKey('pro');
        const change = (to: string) => server.admin('PATCH', `/accounts/${owned.account}`, { status: to });
        expect((await call(bearer(owned.key))).status).toBe(200);
        await change(status);
        expectRefusal(await call(bearer(owned.key)), 403, code);
        await change('active');
        expect((await call(bearer(owned.key))).status).toBe(200);
      });
    }

    test('calls no upstream before the key is verified', async () => {
      upstream.forget();
      await call({});
      await call(bearer(revoked.key));
      await call(bearer(neverIssued()));
      expect(upstream.requests).toEqual([]);
    });
  });
}

describe('a key with allowed_models', () => {
  test('can use only these models by any of their names [AUT-26]', async () => {
    const only = await server.createKey('pro', { account, allowed_models: ['svc-test-small', 'test-plain'] });
    for (const model of ['@svc/test-small', 'svc-test-small', 'test-small', 'gpt-stock', 'next-big-model'])
      expect({ model, status: (await server.chat(only.key, model)).status }).toEqual({ model, status: 200 });
    expectRefusal(await server.chat(only.key, 'test-vision'), 403, 'permission_denied');
  });

  test('can use all models again when the list is removed', async () => {
    const only = await server.createKey('pro', { account, allowed_models: ['test-plain'] });
    expectRefusal(await server.chat(only.key, 'test-vision'), 403, 'permission_denied');
    await server.admin('PATCH', `/keys/${only.id}`, { allowed_models: null });
    expect((await server.chat(only.key, 'test-vision')).status).toBe(200);
  });
});

test('a key with the mode payg uses it unless the header says otherwise [AUT-20]', async () => {
  const paying = await server.createKey('pro', { payg: true });
  await server.purchase(paying.account, 5);
  expect((await server.chat(paying.key, 'test-payg')).status).toBe(200);
  const headers = { ...bearer(paying.key), 'x-svc-payment-mode': 'subscription' };
  const request = { headers, body: chatBody('test-payg') };
  expectRefusal(await server.call('/v1/chat/completions', request), 400, 'payg_required');
  await server.admin('PATCH', `/keys/${paying.id}`, { payg: false });
  expectRefusal(await server.chat(paying.key, 'test-payg'), 400, 'payg_required');
});

test('auth.require_verified_email refuses only Free accounts without a verified address [ERR-19]', async () => {
  const free = await server.createKey('free');
  expect((await server.chat(free.key, 'test-small')).status).toBe(200);
  server.configure({ ...config, auth: { require_verified_email: true } });
  expect((await server.reload()).status).toBe(200);
  expectRefusal(await server.chat(free.key, 'test-small'), 400, 'verification_required');
  expect((await server.chat(key, 'test-small')).status).toBe(200);
  await server.admin('PATCH', `/accounts/${free.account}`, { email_verified: true });
  expect((await server.chat(free.key, 'test-small')).status).toBe(200);
  server.configure(config);
  expect((await server.reload()).status).toBe(200);
});

test('refuses subscription mode to a pay-as-you-go account, without a wait', async () => {
  const { key: paying } = await server.createKey('payg');
  const headers = { ...bearer(paying), 'x-svc-payment-mode': 'subscription' };
  expectRefusal(
    await server.call('/v1/chat/completions', { headers, body: chatBody('test-plain') }),
    402,
    'subscription_required',
  );
});

test('auth.any_header accepts a key in either header unless the two differ [AUT-29]', async () => {
  server.configure({ ...config, auth: { any_header: true } });
  expect((await server.reload()).status).toBe(200);
  const everywhere = [
    ...bearerEndpoints.map(({ path, body }) => ({ path, body: body('test-plain') })),
    { path: '/v1/messages', body: messagesBody('test-plain') },
    { path: '/v1/messages/count_tokens', body: messagesBody('test-plain') },
  ];
  for (const { path, body } of everywhere) {
    const call = (headers: Record<string, string>) => server.call(path, { headers, body });
    for (const headers of [bearer(key), { 'x-api-key': key }, { ...bearer(key), 'x-api-key': key }])
      expect((await call(headers)).status).toBe(200);
    const { key: second } = await server.createKey('pro');
    const codes = [await call({ ...bearer(key), 'x-api-key': second }), await call({})].map(
      ({ status, headers }) => [status, headers.get('x-svc-error-code')],
    );
    expect(codes).toEqual([
      [401, 'invalid_api_key'],
      [401, 'missing_api_key'],
    ]);
  }
  const listed = { 'x-api-key': key };
  expect((await server.call('/v1/responses/resp_1', { headers: listed })).status).toBe(404);
  server.configure(config);
  expect((await server.reload()).status).toBe(200);
});
