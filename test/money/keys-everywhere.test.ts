import { afterAll, describe, expect, test } from 'bun:test';
import { type Answer, bearer, type Json } from '../support/call.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';

const server = await startServer({ config: sampleConfig('http://127.0.0.1:9/v1') });
afterAll(server.stop);

const carriers = {
  bearer,
  'x-api-key': (key: string): Record<string, string> => ({ 'x-api-key': key }),
};
type Carrier = keyof typeof carriers;
const names = Object.keys(carriers) as Carrier[];

const keyOf = async (status: string): Promise<string> => {
  const { account, key } = await server.createKey('pro');
  await server.admin('PATCH', `/accounts/${account}`, { status });
  return key;
};
const { key: good } = await server.createKey('pro');
const revoked = await server.createKey('pro');
await server.admin('DELETE', `/keys/${revoked.id}`);

/** Invalid keys, with their errors. */
const useless = {
  'that is malformed': [good.slice(0, -1), 401, 'invalid_api_key'],
  'that was revoked': [revoked.key, 401, 'revoked_api_key'],
  'of a suspended account': [await keyOf('suspended'), 403, 'account_suspended'],
  'of a closed account': [await keyOf('closed'), 403, 'account_closed'],
} as const;

/** The operations that require a key, by the API description. */
const { paths } = (await server.call('/openapi.json')).body as Json;
const operations = Object.entries<Json>(paths)
  .filter(([path]) => path.startsWith('/v1/'))
  .flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, rest]) => ({ path, method, rest })),
  )
  .map(({ path, method, rest }) => ({
    path,
    method: method.toUpperCase(),
    takes: ((rest.security ?? []) as Json[]).flatMap((each) => Object.keys(each)) as Carrier[],
  }))
  .filter(({ takes }) => takes.length > 0)
  // Without an upgrade this address opens no socket. The tests of the socket prove its key.
  .filter(({ path, method }) => `${method} ${path}` !== 'GET /v1/responses');

/** The answers that prove which header a path takes its key from. */
const proofs: readonly [beginning: string, takes: string, refuses: string][] = [
  ['/v1/messages/batches', ' [AUT-09]', ' [AUT-10]'],
  ['/v1/batches', ' [AUT-11]', ' [AUT-12]'],
  ['/v1/', '', ' [AUT-08]'],
];

const reported = ({ status, body, headers }: Answer) => [
  status,
  body.error.code,
  headers.get('x-svc-error-code'),
];

test('every path that is not public requires a key in a header', () => {
  expect(operations.length).toBeGreaterThan(10);
  for (const collection of ['/v1/messages/batches', '/v1/batches'])
    expect(operations.filter(({ path }) => path.startsWith(collection)).length).toBeGreaterThanOrEqual(5);
  for (const { takes } of operations) for (const carrier of takes) expect(names).toContain(carrier);
});

describe.each(operations)('$method $path', ({ method, path, takes }) => {
  const [, taking, refusing] = proofs.find(([beginning]) => path.startsWith(beginning))!;
  const call = (headers: Record<string, string>) =>
    server.call(path.replaceAll(/\{\w+\*?\}/g, 'none'), {
      method,
      headers,
      ...(method === 'POST' && { body: {} }),
    });

  test('refuses a request without a key [AUT-15]', async () => {
    expect(reported(await call({}))).toEqual([401, 'missing_api_key', 'missing_api_key']);
  });

  test.each(takes)(`accepts a key in %s${taking}`, async (carrier) => {
    expect([401, 403]).not.toContain((await call(carriers[carrier](good))).status);
  });

  test.each(Object.entries(useless))('refuses a key %s [AUT-16] [AUT-18] [AUT-23] [AUT-24]', async (_, [
    key,
    status,
    code,
  ]) => {
    for (const carrier of takes)
      expect(reported(await call(carriers[carrier](key)))).toEqual([status, code, code]);
  });

  const others = names.filter((name) => !takes.includes(name));
  test.each(others)(`ignores a key in %s${refusing}`, async (carrier) => {
    expect(reported(await call(carriers[carrier](good)))).toEqual([
      401,
      'invalid_api_key',
      'invalid_api_key',
    ]);
  });
});
