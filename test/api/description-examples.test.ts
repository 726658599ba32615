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

test('the check of answers refuses an answer of another form', () => {
  expect(fits({ $ref: '#/components/schemas/ChatCompletion' }, { id: 'x' })).toBe(false);
});

const fits = (schema: Json, value: unknown): boolean =>
  Compile({ ...schema, $defs: {}, components: document.components } as never).Check(value);
