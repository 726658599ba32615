import { afterAll, expect, test } from 'bun:test';
import { Compile } from 'typebox/schema';
import { signInAsOperator } from '../dashboard/sign-in.ts';
import { bearer, call, type Json } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';

const server = await startServer();
afterAll(server.stop);

const document: Json = (await server.call('/openapi.json')).body;
const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    operation,
  })),
);
const examples = operations.filter(({ operation }) => exampleOf(operation) !== undefined);

const { account, id: keyId, key } = await server.createKey('max');
await signInAsOperator(server);
const person = (await server.admin('GET', '/people')).body.data[0]?.id;
const token = (await server.admin('POST', '/tokens', { name: 'spare', role: 'operator' })).body.id;

function exampleOf({ requestBody }: Json): Json {
  return requestBody?.content['application/json'].example;
}

/** The objects that path parameters name. */
const ids: Record<string, string> = { accounts: account, keys: keyId, people: person, tokens: token };

const filled = (path: string): string =>
  path.replace(/(\w+)\/\{(\w+)\}/g, (_, group: string, name: string) => `${group}/${ids[group] ?? name}`);

const credentialOf = (operation: Json): Record<string, string> => {
  const scheme = operation.security[0] ? Object.keys(operation.security[0])[0] : undefined;
  if (scheme === 'admin-token') return bearer(server.adminToken);
  return scheme === 'x-api-key' ? { 'x-api-key': key } : bearer(key);
};

test('every example of /openapi.json runs as it stands, and its answer has the described form [ADM-18]', async () => {
  expect(examples.length).toBeGreaterThan(20);
  for (const { path, method, operation } of examples) {
    if (path.includes('{person}')) continue; // needs a member
    const answer = await call(server.url + filled(path), {
      method,
      headers: credentialOf(operation),
      body: exampleOf(operation),
    });
    const status = Object.keys(operation.responses).find((one) => one.startsWith('2'));
    expect([method, path, answer.status, answer.text]).toEqual([
      method,
      path,
      Number(status),
      expect.anything(),
    ]);
    const { schema } = operation.responses[status!].content['application/json'];
    if (schema) expect([path, fits(schema, answer.body)]).toEqual([path, true]);
  }
});

/** Wrong requests: without a credential, for things that do not exist, and with bodies and queries that nobody accepts. */
const wrongRequests = ({ path, method, operation }: (typeof operations)[number]) => {
  const url = server.url + path.replace(/\{\w+\}/g, 'unknown');
  const credential = credentialOf(operation);
  const body = operation.requestBody ? { body: { unknown: true } } : {};
  return [
    { url, method, ...body },
    // Answers to wrong admin tokens are delayed.
    ...(path.startsWith('/admin') ? [] : [{ url, method, headers: bearer('wrong'), ...body }]),
    { url, method, headers: credential, ...body },
    { url: `${url}?limit=-1&after=x&from=x&since=x&by=x&wire=x`, method, headers: credential, ...body },
    ...(operation.requestBody ? [{ url, method, headers: credential, body: '{' }] : []),
  ];
};

test('every status that an operation answers is described, and errors have the described form [ADM-18]', async () => {
  for (const one of operations) {
    for (const { url, ...options } of wrongRequests(one)) {
      const { status, body } = await call(url, options);
      const described = one.operation.responses[status];
      expect([one.method, one.path, status, described !== undefined]).toEqual([
        ...[one.method, one.path, status, true],
      ]);
      const { schema, examples } = described.content?.['application/json'] ?? {};
      if (examples && status >= 400)
        expect([one.path, status, Object.keys(examples)]).toEqual([
          ...[one.path, status, expect.arrayContaining([body.error.code])],
        ]);
      if (schema && status >= 400)
        expect([one.path, status, fits(schema, body)]).toEqual([one.path, status, true]);
    }
  }
});

test('the check of answers refuses an answer of another form', () => {
  expect(fits({ $ref: '#/components/schemas/ChatCompletion' }, { id: 'x' })).toBe(false);
});

const fits = (schema: Json, value: unknown): boolean =>
  Compile({ ...schema, $defs: {}, components: document.components } as never).Check(value);
