import { afterAll, describe, expect, test } from 'bun:test';
import type { ModelCapabilities, ModelInfo } from '@anthropic-ai/sdk/resources/models';
import type { Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { sampleConfig, sampleModel, sampleModels } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';

const fillers = Array.from({ length: 20 }, (_, index) => sampleModel(`filler-${index}`));
const thinks = { tools: true, reasoning: true, vision: false, documents: false };
const aged = [
  {
    ...sampleModel('test-old'),
    capabilities: thinks,
    refuses: ['thinking_budget'],
    deprecated_at: '2020-01-02',
    retires_at: '2099-01-01',
  },
  { ...sampleModel('test-gone'), capabilities: thinks, retires_at: '2020-01-02' },
];
const models = [...sampleModels, ...fillers, ...aged];
const server = await startServer({ config: sampleConfig('http://127.0.0.1:9/v1', { models }) });
afterAll(server.stop);

const ids = models.map(({ id }) => id);
const SHAPE = { 'anthropic-version': '2023-06-01' };
const get = (query = '', headers: Record<string, string> = SHAPE) =>
  server.call(`/v1/models${query}`, { headers });
const idsOf = (page: Json): string[] => page.data.map(({ id }: Json) => id);

describe('with an anthropic-version header', () => {
  test("returns the list in Anthropic's envelope, for any version [MOD-23]", async () => {
    for (const version of ['2023-06-01', '2099-01-01', 'x']) {
      const { status, body } = await get('', { 'anthropic-version': version });
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['data', 'has_more', 'first_id', 'last_id']);
    }
  });

  test('sends the id of the request as the vendor does, even with an error [ERR-38]', async () => {
    for (const query of ['', `/${encodeURIComponent(ids[0]!)}`, '/nothing', '?wire=none']) {
      const { headers } = await get(query);
      expect({ query, requestId: headers.get('request-id') }).toEqual({
        query,
        requestId: headers.get('x-svc-request-id'),
      });
    }
    expect((await get('', {})).headers.get('request-id')).toBeNull();
  });

  test('lists models with a name and a release time [MOD-24] [MOD-25]', async () => {
    const { body } = await get('?limit=1000');
    for (const item of body.data) {
      const marks = item.id === 'test-unrouted' ? ['available'] : [];
      expect(Object.keys(item)).toEqual([
        'type',
        'id',
        'display_name',
        'created_at',
        'capabilities',
        'lifecycle',
        'line',
        'max_input_tokens',
        'max_tokens',
        'deprecated_at',
        'retires_at',
        ...marks,
      ]);
      expect(item.type).toBe('model');
      expect(typeof item.id).toBe('string');
      expect(typeof item.display_name).toBe('string');
      expect(item.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(Date.parse(item.created_at)).toBeGreaterThan(0);
    }
    const item = { id: '@svc/test-small', display_name: 'Test Small', created_at: '2025-06-15T15:06:40Z' };
    expect(body.data[0]).toMatchObject(item);
  });

  test("shows the stage of a model's life, and what the model takes of the client", async () => {
    const shown = async (id: string) => (await get(`/${encodeURIComponent(id)}`)).body;
    expect(await shown('test-old')).toMatchObject({
      lifecycle: 'deprecated',
      deprecated_at: '2020-01-02T00:00:00Z',
      retires_at: '2099-01-01T00:00:00Z',
      capabilities: { thinking: { types: { enabled: { supported: false }, adaptive: { supported: true } } } },
    });
    expect(await shown('test-gone')).toMatchObject({
      lifecycle: 'retired',
      deprecated_at: null,
      retires_at: '2020-01-02T00:00:00Z',
      capabilities: { thinking: { types: { enabled: { supported: true } } } },
    });
  });

  test('has every field that the official client requires [MOD-62]', async () => {
    const [listed] = (await get('?limit=1')).body.data;
    for (const item of [listed, (await get(`/${encodeURIComponent(listed.id)}`)).body]) {
      const info: Omit<ModelInfo, 'capabilities'> & { capabilities: ModelCapabilities } = item;
      const { capabilities, lifecycle, max_input_tokens, deprecated_at, retires_at } = info;
      expect({ lifecycle, deprecated_at, retires_at, line: info.line }).toEqual({
        lifecycle: 'active',
        deprecated_at: null,
        retires_at: null,
        line: null,
      });
      expect(max_input_tokens).toBeGreaterThan(0);
      expect(Object.keys(capabilities).sort()).toEqual([
        'batch',
        'citations',
        'code_execution',
        'context_management',
        'effort',
        'image_input',
        'pdf_input',
        'server_tools',
        'structured_outputs',
        'thinking',
      ]);
      expect(Object.keys(capabilities.thinking.types)).toEqual([
        'adaptive',
        'between_tools',
        'disabled',
        'enabled',
      ]);
    }
  });

  test('returns one model in the same form [MOD-30]', async () => {
    const { body } = await get('/svc-test-small');
    expect(body).toEqual((await get('?limit=1')).body.data[0]);
  });

  test("returns not_found for an unknown model, with the gateway's own type beside it [MOD-51]", async () => {
    const { status, body, headers } = await get('/nothing');
    expect({ status, body }).toEqual({
      status: 404,
      body: { type: 'error', error: { type: 'not_found', message: expect.stringContaining('nothing') } },
    });
    expect(headers.get('x-svc-error-code')).toBe('not_found');
    // Other errors here are OpenAI-style ones.
    expectRefusal(await get('?wire=bogus'), 400, 'invalid_request', 'wire');
  });

  test('lets clients cache the list and revalidate it by its etag', async () => {
    const { headers } = await get();
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    const again = await get('', { ...SHAPE, 'if-none-match': headers.get('etag')! });
    expect(again.status).toBe(304);
  });
});

describe('a page', () => {
  test('has twenty models by default or 1 to 1000 on request [MOD-27]', async () => {
    for (const [query, size] of [
      ['', 20],
      ['?limit=1', 1],
      ['?limit=7', 7],
      ['?limit=1000', ids.length],
    ] as const) {
      expect({ query, ids: idsOf((await get(query)).body) }).toEqual({ query, ids: ids.slice(0, size) });
    }
    for (const limit of ['0', '1001', '-1', '1.5', 'many', ''])
      expectRefusal(await get(`?limit=${limit}`), 400, 'invalid_request', 'limit');
  });

  test('says whether more follow with its first and last id [MOD-26]', async () => {
    const { body: part } = await get('?limit=3');
    expect({ has_more: part.has_more, first_id: part.first_id, last_id: part.last_id }).toEqual({
      has_more: true,
      first_id: ids[0],
      last_id: ids[2],
    });
    const { body: all } = await get('?limit=1000');
    expect({ has_more: all.has_more, first_id: all.first_id, last_id: all.last_id }).toEqual({
      has_more: false,
      first_id: ids[0],
      last_id: ids.at(-1),
    });
    const { body: none } = await get(`?after_id=${ids.at(-1)}`);
    expect(none).toEqual({ data: [], has_more: false, first_id: null, last_id: null });
  });

  test('leads to the next page of other models by after_id [MOD-28]', async () => {
    const seen: string[] = [];
    for (let query = '?limit=4'; ; ) {
      const { body } = await get(query);
      seen.push(...idsOf(body));
      if (!body.has_more) break;
      query = `?limit=4&after_id=${encodeURIComponent(body.last_id)}`;
    }
    expect(seen).toEqual(ids);
  });

  test('leads to the previous page of other models by before_id [MOD-28]', async () => {
    const seen: string[] = [ids.at(-1)!];
    for (;;) {
      const { body } = await get(`?limit=4&before_id=${encodeURIComponent(seen[0]!)}`);
      seen.unshift(...idsOf(body));
      if (!body.has_more) break;
    }
    expect(seen).toEqual(ids);
  });

  test('cannot start at an unknown model', async () => {
    expectRefusal(await get('?after_id=nothing'), 400, 'invalid_request', 'after_id');
    expectRefusal(await get('?before_id=nothing'), 400, 'invalid_request', 'before_id');
  });

  test('does not split the OpenAI-style list [MOD-29]', async () => {
    for (const query of ['', '?limit=1', `?after_id=${ids[3]}`]) {
      expect(idsOf((await get(query, {})).body)).toEqual(ids);
    }
  });
});

describe('?wire=', () => {
  const onWire = (wire: string) =>
    models.filter(({ routes }: Json) => routes[0]?.provider === `hidden-${wire}`).map(({ id }) => id);

  for (const [name, query, wire] of [
    ['returns models on the messages wire for anthropic [MOD-34]', 'anthropic', 'anthropic-messages'],
    ['returns models on the chat-completions wire for openai [MOD-35]', 'openai', 'openai-chat'],
    ['returns models on the responses wire for responses [MOD-36]', 'responses', 'openai-responses'],
  ] as const) {
    test(name, async () => {
      expect(onWire(wire).length).toBeGreaterThan(0);
      expect(idsOf((await get(`?wire=${query}`, {})).body)).toEqual(onWire(wire));
      expect(idsOf((await get(`?limit=1000&wire=${query}`)).body)).toEqual(onWire(wire));
    });
  }

  test('returns the models of one wire, and takes native as the wire of the endpoint [MOD-33]', async () => {
    expect(idsOf((await get('?wire=native', {})).body)).toEqual(onWire('openai-chat'));
    expect(idsOf((await get('?wire=native')).body)).toEqual(onWire('anthropic-messages'));
  });

  test('refuses any other value [MOD-37]', async () => {
    for (const wire of ['bogus', '', 'OpenAI', 'openai-chat', 'toString'])
      expectRefusal(await get(`?wire=${wire}`, {}), 400, 'invalid_request', 'wire');
  });
});
