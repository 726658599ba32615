import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { renameSync, writeFileSync } from 'node:fs';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { fullTest } from '../support/full-test.ts';
import { isOnPostgres } from '../support/postgres/database-of.ts';
import { takeDatabaseAway } from '../support/postgres/take-database-away.ts';
import { answerSlowly, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig, sampleModel, sampleModels } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { DONE } from '../support/stream-events.ts';
import { waitFor } from '../support/wait-for.ts';

const upstream = startRecordingUpstream();
const config = sampleConfig(upstream.url);
const server = await startServer({ config });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const { key } = await server.createKey('enterprise');
const listed = async (): Promise<Json[]> => (await server.call('/v1/models')).body.data;
const count = (event: string): number => server.log().split(`"event":"${event}"`).length - 1;
/** The log line of a reload by the admin API may follow its answer. */
const bySignal = (): number => count('reloaded","actor":"signal');

const withCatalog = (catalog: Record<string, unknown>) => sampleConfig(upstream.url, catalog);

/** Loads another configuration in one of the two ways. */
const ways: Record<string, (next: Record<string, unknown> | string) => Promise<void>> = {
  'the admin API': async (next) => {
    server.configure(next);
    expect((await server.reload()).body).toMatchObject({ reloaded: true, generation: expect.any(Number) });
  },
  SIGHUP: async (next) => {
    const before = bySignal();
    server.configure(next);
    server.signal('SIGHUP');
    await waitFor(() => bySignal() > before);
  },
};
const reloadWith = ways['the admin API']!;

beforeEach(async () => {
  await reloadWith(config);
  upstream.forget();
});

const renewed = withCatalog({
  models: [
    ...sampleModels.filter(({ id }) => id !== 'test-vision' && id !== 'test-max'),
    sampleModel('test-max', { pricing_usd_per_mtok: { input: 3, output: 9 } }),
    sampleModel('test-new'),
  ],
  handles: { 'gpt-stock': 'test-plain' },
});

for (const [way, use] of Object.entries(ways)) {
  describe(`a reload by ${way}`, () => {
    const furtherTest = use === reloadWith ? test : fullTest;

    test('adds, removes and reprices models within the same API version [VER-02] [ADM-21]', async () => {
      const before = (await listed()).map(({ id }) => id);
      const etag = (await server.call('/v1/models')).headers.get('etag')!;
      await use(renewed);
      const after = await listed();
      expect(after.map(({ id }) => id).sort()).toEqual(
        [...before.filter((id) => id !== 'test-vision'), 'test-new'].sort(),
      );
      expect(after.find(({ id }) => id === 'test-max').pricing_usd_per_mtok.input).toBe(3);
      expect((await server.call('/v1/models', { headers: { 'if-none-match': etag } })).status).toBe(200);
      expectRefusal(await server.chat(key, 'test-vision'), 404, 'unknown_model', 'model');
      expect((await server.call('/v1/models/test-vision')).status).toBe(404);
      expect((await server.chat(key, 'test-new')).status).toBe(200);
    });

    furtherTest('keeps older model names valid [VER-03]', async () => {
      const spellings = ['@svc/test-small', 'svc-test-small', 'test-small', 'svc-test-plain'];
      const served = async () => {
        upstream.forget();
        for (const spelling of spellings) expect((await server.chat(key, spelling)).status).toBe(200);
        return upstream.models();
      };
      const before = await served();
      await use(renewed);
      expect(await served()).toEqual(before);
      expect(new Set(before)).toEqual(new Set(['hidden-test-small', 'hidden-test-plain']));
    });

    furtherTest('moves a handle to another model without a visible change [VER-04]', async () => {
      const ask = async () => {
        const { body } = await server.chat(key, 'gpt-stock');
        return { model: body.model, upstream: upstream.models().at(-1) };
      };
      expect(await ask()).toEqual({ model: 'gpt-stock', upstream: 'hidden-test-small' });
      await use(renewed);
      expect(await ask()).toEqual({ model: 'gpt-stock', upstream: 'hidden-test-plain' });
    });

    furtherTest('does not affect a running stream', async () => {
      const slow = answerSlowly();
      upstream.answer('hidden-test-vision', slow.answer);
      const response = await fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: bearer(key),
        body: JSON.stringify(chatBody('test-vision', { stream: true })),
      });
      await use(renewed);
      expect((await server.chat(key, 'test-vision')).status).toBe(404);
      slow.release();
      const text = await response.text();
      expect(text.match(/"content":"[^"]+"/g)).toEqual(['"content":"one "', '"content":"two"']);
      expect(text).toContain('"model":"test-vision"');
      expect(text).not.toContain('hidden');
      expect(text).toEndWith(DONE);
    });
  });
}

describe('an invalid configuration', () => {
  const noCatalog = 'catalog: { default: false }\n';
  const wrong: [string, string, RegExp][] = [
    ['an unknown field', `brandd: acme\n${noCatalog}`, /tollgate\.yaml:1:\d+.*brandd/],
    ['a wrong type', `server:\n  port: many\n${noCatalog}`, /tollgate\.yaml:2:\d+.*server\.port/],
    ['no YAML', 'server: [\n', /tollgate\.yaml/],
    [
      'a missing provider',
      'catalog:\n  default: false\n  models:\n    - id: a\n      context_window: 1\n      pricing_usd_per_mtok: { input: 1, output: 1 }\n      routes: [{ provider: nobody, model: x }]\n',
      /tollgate\.yaml:7:\d+.*nobody/,
    ],
    ['a removed setting with a value', `store: { redis_url: "redis://x" }\n${noCatalog}`, /redis_url/],
  ];

  for (const [what, text, place] of wrong) {
    test(`with ${what} is refused with its place, and the current one stays in use [ADM-21]`, async () => {
      const before = await listed();
      server.configure(text);
      const { message } = expectDetails(await server.reload());
      expect(message).toMatch(place);
      expect(message).toContain('running configuration stays in place');
      expect(await listed()).toEqual(before);
      expect((await server.chat(key, 'test-plain')).status).toBe(200);
    });
  }

  test('is refused after SIGHUP, with the reason in the log [ADM-21]', async () => {
    const before = await listed();
    const refusals = count('reload-refused');
    server.configure(`brandd: acme\n${noCatalog}`);
    server.signal('SIGHUP');
    await waitFor(() => count('reload-refused') > refusals);
    expect(server.log()).toMatch(/"event":"reload-refused","actor":"signal".*tollgate\.yaml:1:\d+/);
    expect(await listed()).toEqual(before);
  });

  test('that is not text is refused', async () => {
    writeFileSync(server.configFile, new Uint8Array([0xff, 0xfe, 0x00]));
    expect((await server.reload()).status).toBe(400);
    expect((await listed()).length).toBe(sampleModels.length);
  });
});

function expectDetails({ status, body }: Json): Json {
  expect({ status, code: body.error.code, type: body.error.type }).toEqual({
    status: 400,
    code: 'invalid_request',
    type: 'invalid_request_error',
  });
  expect(Array.isArray(body.error.details)).toBe(true);
  return body.error;
}

test('reloads are in the audit log with their actor', async () => {
  await ways.SIGHUP!(renewed);
  const entries: Json[] = (await server.admin('GET', '/audit?limit=2')).body.data;
  expect(entries.map(({ actor, action }) => [actor, action])).toEqual([
    ['signal', 'config-reload'],
    ['admin', 'config-reload'],
  ]);
  const [{ before, after }] = entries as [Json];
  expect(after.generation).toBe(before.generation + 1);
});

test('a reload names the settings that need a restart in its answer and in the audit log, until the restart', async () => {
  const changed = { ...config, server: { header_timeout_s: 20 }, log: { level: 'debug' } };
  const needed = ['server.header_timeout_s', 'log'];
  for (let time = 0; time < 2; time++) {
    server.configure(changed);
    const { generation, restart_needed } = (await server.reload()).body;
    expect(restart_needed).toEqual(needed);
    const [entry] = (await server.admin('GET', '/audit?limit=1')).body.data;
    expect(entry.after).toEqual({ generation, restart_needed: needed });
  }
  server.configure(config);
  expect((await server.reload()).body.restart_needed).toEqual([]);
});

test('a reload warns of legal but unlikely settings in its answer and in the log', async () => {
  server.configure(
    withCatalog({ models: [sampleModel('test-plain', { max_output: 9_000 })], handles: {}, previews: {} }),
  );
  const { status, body } = await server.reload();
  const warning =
    /tollgate\.yaml:\d+:\d+ catalog\.models\[0\]\.max_output: is 9000 tokens, more than the .*\.$/;
  expect({ status, warnings: body.warnings }).toEqual({
    status: 200,
    warnings: [expect.stringMatching(warning)],
  });
  await waitFor(() => server.log().includes('"event":"config-warning","problem":"'));
});

test('a refused reload is in the audit log with its problems', async () => {
  server.configure('store: { database_url: "postgres://h/d" }\nbrand: 5\n');
  const refused = await server.reload();
  expect(refused.status).toBe(400);
  const [entry] = (await server.admin('GET', '/audit?limit=1')).body.data;
  expect(entry).toMatchObject({ actor: 'admin', action: 'config-reload-refused', target: 'configuration' });
  expect(entry.after.generation).toBe(entry.before.generation);
  expect(entry.after.problems).toEqual(refused.body.error.details);
  expect(entry.after.problems).toHaveLength(1);
});

describe('while the store is unavailable', () => {
  const elsewhere = `${server.dataDirectory}.away`;
  const takeAway = async (): Promise<() => Promise<void>> => {
    if (isOnPostgres) return takeDatabaseAway(server.dataDirectory);
    renameSync(server.dataDirectory, elsewhere);
    return async () => renameSync(elsewhere, server.dataDirectory);
  };
  const whileAway = async (act: () => Promise<void>): Promise<void> => {
    const bringBack = await takeAway();
    try {
      await act();
    } finally {
      await bringBack();
    }
  };
  const generation = async (): Promise<number> =>
    (await server.admin('GET', '/audit?limit=1')).body.data[0].after.generation;

  test('a reload by the admin API returns 503 and keeps the old configuration', async () => {
    const before = await listed();
    server.configure(renewed);
    await whileAway(async () => void expectRefusal(await server.reload(), 503, 'capacity_unavailable'));
    expect(await listed()).toEqual(before);
    const last = await generation();
    await reloadWith(renewed);
    expect(await generation()).toBe(last + 1);
    expect((await listed()).map(({ id }) => id)).toContain('test-new');
  });

  test('a reload by SIGHUP is refused in the log and keeps the old configuration', async () => {
    const before = await listed();
    const failures = count('reload-failed');
    server.configure(renewed);
    await whileAway(async () => {
      server.signal('SIGHUP');
      await waitFor(() => count('reload-failed') > failures);
    });
    const reason = isOnPostgres ? /not currently accepting connections|Postgres/ : /no longer at its path/;
    expect(server.log().split('"event":"reload-failed","problem":"').at(-1)).toMatch(reason);
    expect(await listed()).toEqual(before);
    expect(server.errors()).toBe('');
  });

  test('a provider cannot be drained without its entry in the audit log', async () => {
    const id = (await server.admin('GET', '/providers')).body.data[0].id;
    const health = async () => (await server.admin('GET', `/providers/${id}`)).body.health;
    const before = await health();
    await whileAway(async () => {
      expectRefusal(await server.admin('POST', `/providers/${id}/drain`), 503, 'capacity_unavailable');
    });
    expect(await health()).toBe(before);
    // A connection of the pool can still find the store away.
    const drained = async () =>
      (await server.admin('POST', `/providers/${id}/drain`)).body.health === 'drained';
    await waitFor(drained);
    await whileAway(async () => {
      expectRefusal(await server.admin('POST', `/providers/${id}/undrain`), 503, 'capacity_unavailable');
    });
    expect(await health()).toBe('drained');
    expect((await server.admin('POST', `/providers/${id}/undrain`)).body.health).not.toBe('drained');
  });
});
