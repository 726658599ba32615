import { afterAll, describe, expect, test } from 'bun:test';
import { Compile } from 'typebox/schema';
import { catalogue } from '../../base/errors/catalogue.ts';
import { startDocsServer } from './testing/start-docs-server.ts';

const { admin, routes, get, close } = await startDocsServer({ isSimulated: true });
afterAll(close);

// biome-ignore lint/suspicious/noExplicitAny: foreign JSON
type Json = any;

const openApi = async (): Promise<Json> => (await get('/openapi.json')).json();
const document = await openApi();
const operations: [path: string, method: string, operation: Json][] = Object.entries<Json>(
  document.paths,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, one]): [string, string, Json] => [path, method, one]),
);

/** Yields every object in the document. */
function* objectsIn(value: Json): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  yield value;
  for (const part of Object.values(value)) yield* objectsIn(part);
}

const resolve = (reference: string): Json =>
  reference
    .replace('#/', '')
    .split('/')
    .reduce((at: Json, step) => at?.[step], document);

describe('/openapi.json [ADM-18]', () => {
  test('is an OpenAPI 3.1 document with exactly the existing routes', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(typeof document.info.title).toBe('string');
    expect(typeof document.info.version).toBe('string');
    const documented = operations.map(([path, method]) => `${method.toUpperCase()} ${path}`);
    expect(documented.sort()).toEqual(
      routes.map(({ method, path }) => `${method} ${path.replace('*}', '}')}`).sort(),
    );
  });

  test('gives each operation a unique id', () => {
    const ids = operations.map(([, , { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/);
  });

  test('contains every component that it refers to', () => {
    const references = [...objectsIn(document)].flatMap(({ $ref }) =>
      typeof $ref === 'string' ? [$ref] : [],
    );
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter((reference) => resolve(reference) === undefined)).toEqual([]);
  });

  test('declares a parameter of a query as required if the route refuses a request without it', () => {
    const [ids] = document.paths['/admin/v1/names'].get.parameters;
    expect({ name: ids.name, required: ids.required }).toEqual({ name: 'ids', required: true });
    const { parameters } = document.paths['/admin/v1/accounts'].get;
    expect(parameters.some(({ required }: Json) => required)).toBe(false);
  });

  test('declares each parameter once, those of paths as required', () => {
    for (const [path, , { parameters = [] }] of operations) {
      const inPath = parameters.filter((one: Json) => one.in === 'path');
      expect(inPath.map(({ name }: Json) => name)).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      );
      expect(inPath.every(({ required }: Json) => required === true)).toBe(true);
      const places = parameters.map((one: Json) => `${one.in} ${one.name}`);
      expect(new Set(places).size).toBe(places.length);
      for (const { description, schema } of parameters) {
        expect(typeof description).toBe('string');
        expect(typeof schema).toBe('object');
      }
    }
  });

  test('gives every operation a summary, a declared tag and a declared credential', () => {
    const tags = document.tags.map(({ name }: Json) => name);
    for (const [, , { summary, tags: own, security }] of operations) {
      expect(summary.length).toBeGreaterThan(5);
      expect(tags).toContain(own[0]);
      for (const scheme of security.flatMap(Object.keys))
        expect(Object.keys(document.components.securitySchemes)).toContain(scheme);
    }
  });

  test('describes every response with the error codes of its status', () => {
    for (const [, , { responses }] of operations) {
      for (const [status, { description, content }] of Object.entries<Json>(responses)) {
        expect(description.length).toBeGreaterThan(3);
        if (Number(status) < 400) continue;
        for (const code of Object.keys(content['application/json'].examples ?? {}))
          expect(catalogue[code as keyof typeof catalogue].status).toBe(Number(status) as 400);
      }
    }
  });

  test('gives examples only of errors that operations answer, in their envelopes', () => {
    const { examples, schemas } = document.components;
    const used = [...objectsIn(document.paths)].flatMap(({ $ref }) => $ref ?? []);
    for (const [name, { value }] of Object.entries<Json>(examples)) {
      expect(used).toContain(`#/components/examples/${name}`);
      expect({ name, fits: Compile(schemas[name.split('.')[0]!]).Check(value) }).toEqual({
        name,
        fits: true,
      });
    }
    expect(Object.keys(examples)).toContain('Error.unknown_model');
  });

  test('names components and marks unions for generated clients', () => {
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => ['Response', 'Client', 'Unset', 'File'].includes(name))).toEqual([]);
    const { messages } = document.components.schemas.ChatCompletionRequest.properties;
    expect(messages.items.discriminator).toMatchObject({
      propertyName: 'role',
      mapping: { user: '#/components/schemas/ChatCompletionMessageUser' },
    });
    for (const { discriminator, anyOf } of objectsIn(document)) {
      if (typeof discriminator?.propertyName !== 'string') continue;
      const mapped = new Set(Object.values(discriminator.mapping));
      expect(anyOf.map(({ $ref }: Json) => $ref).toSorted()).toEqual([...mapped].toSorted());
    }
  });

  test('has the form of every time', () => {
    const times = [...objectsIn(document.components.schemas)].flatMap(({ properties = {} }) =>
      Object.entries<Json>(properties).filter(([name]) => /_at$|^(at|since)$/.test(name)),
    );
    const withoutFormat = times.filter(([, schema]) => {
      const text = schema.anyOf?.find(({ type }: Json) => type !== 'null') ?? schema;
      return text.type === 'string' && !/^date(-time)?$/.test(text.format) && text.pattern === undefined;
    });
    expect(times.length).toBeGreaterThan(30);
    expect(withoutFormat).toEqual([]);
  });

  test('documents a shortage of capacity and an invalid request for every operation', () => {
    for (const [path, , { responses }] of operations) {
      const shortage = path.startsWith('/v1/messages') ? '529' : '503';
      expect({ path, keys: Object.keys(responses) }).toEqual({
        path,
        keys: expect.arrayContaining(['400', shortage]),
      });
    }
  });

  test('describes the 404 of a model without the members of other errors', async () => {
    const { content } = document.paths['/v1/models/{id}'].get.responses['404'];
    const schema = resolve(content['application/json'].schema.$ref);
    for (const headers of [{}, { 'anthropic-version': '2023-06-01' }] as Record<string, string>[]) {
      const answer = await get('/v1/models/unknown', headers);
      expect(answer.status).toBe(404);
      expect(Compile(schema).Check(await answer.json())).toBe(true);
    }
    expect(schema.properties.error.properties).not.toHaveProperty('param');
  });

  test('gives body examples that match their schemas', () => {
    for (const { describe: described } of routes) {
      if (described?.bodyExample === undefined) continue;
      expect(Compile(described.body!).Check(described.bodyExample)).toBe(true);
    }
  });
});

describe('route descriptions [ADM-18]', () => {
  test('every route has a group and a described answer', () => {
    const silent = routes.filter((route) => !route.describe?.group || !route.describe.answer);
    expect(silent.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  const answers = async (method: string, path: string): Promise<(value: unknown) => boolean> => {
    const route = routes.find((one) => one.method === method && one.path === path);
    const schema = JSON.parse(JSON.stringify(route!.describe!.answerSchema).replaceAll('{brand}', 'svc'));
    return (value) => Compile(schema).Check(value);
  };

  test('models match their description, in both forms', async () => {
    for (const path of ['/v1/models', '/v1/models/{id*}']) {
      const fits = await answers('GET', path);
      const list: Json = await (await get('/v1/models')).json();
      const asked = path.replace('{id*}', list.data[0].id);
      expect(fits(await (await get(asked)).json())).toBe(true);
      expect(fits(await (await get(asked, { 'anthropic-version': '2023-06-01' })).json())).toBe(true);
    }
    const fits = await answers('GET', '/v1/models');
    expect(fits({ object: 'list', data: [{ id: 'x' }] })).toBe(false);
  });

  test('answers of the admin API match their description', async () => {
    const id = await admin.newAccount();
    const key = (await admin.call(`POST /accounts/${id}/keys`, { name: 'one' })).body.id;
    const calls: [call: string, path: string, body?: unknown][] = [
      ['POST /accounts', '/accounts', { name: 'Ada', plan: 'payg' }],
      ['GET /accounts', '/accounts'],
      [`GET /accounts/${id}`, '/accounts/{id}'],
      [`PATCH /accounts/${id}`, '/accounts/{id}', { plan: 'pro' }],
      [`POST /accounts/${id}/keys`, '/accounts/{id}/keys', {}],
      [`GET /accounts/${id}/keys`, '/accounts/{id}/keys'],
      [`PATCH /keys/${key}`, '/keys/{id}', { payg: true }],
      [`DELETE /keys/${key}`, '/keys/{id}'],
      ['GET /providers', '/providers'],
      ['POST /providers/local/drain', '/providers/{id}/drain'],
      ['GET /catalog', '/catalog'],
      ['GET /plans', '/plans'],
      ['GET /audit', '/audit'],
      ['POST /reload', '/reload'],
      ['POST /test/clock', '/test/clock', { advance_s: 1 }],
    ];
    for (const [called, path, body] of calls) {
      const answer = await admin.call(called, body);
      expect([called, answer.status < 300]).toEqual([called, true]);
      const fits = await answers(called.split(' ')[0]!, `/admin/v1${path}`);
      expect({ called, fits: fits(answer.body) }).toEqual({ called, fits: true });
    }
  });
});
