import { afterAll, expect, test } from 'bun:test';
import { expectNoTrace } from '../support/expect-no-trace.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { startServer } from '../support/start-server.ts';
import { startSmallProvider } from '../support/start-small-provider.ts';

const KEY = 'sk-small-1234567890abcdef';
/** The error of an account without credit. Undefined if the account has credit. */
const unpaid: { body: object | undefined; status: number; calls: number } = {
  body: undefined,
  status: 402,
  calls: 0,
};
const good = startSmallProvider([KEY]);
const poor = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    unpaid.calls++;
    if (unpaid.body) return Response.json(unpaid.body, { status: unpaid.status });
    return fetch(`${good.url}/chat/completions`, {
      method: 'POST',
      headers: request.headers,
      body: await request.text(),
    });
  },
});
afterAll(async () => {
  good.stop();
  await poor.stop(true);
});

const host = (id: string, base_url: string) => ({ id, wire: 'openai-chat', base_url, api_key: KEY });
const model = (id: string, routes: string[]) => ({
  id,
  plan: 'free',
  context_window: 8_192,
  max_output: 4_096,
  pricing_usd_per_mtok: { input: 1, output: 4 },
  delivery: 'exact',
  routes: routes.map((provider, index) => ({ provider, model: id, weight: index === 0 ? 1_000 : 0 })),
});
const config = {
  providers: [host('poor', `http://127.0.0.1:${poor.port}`), host('rich', good.url)],
  catalog: {
    models: [model('covered', ['poor', 'rich']), model('other', ['poor', 'rich']), model('bare', ['poor'])],
  },
};

test('a provider whose account has no credit is left alone at once, and reported with its cause', async () => {
  const server = await startServer({ config, environment: { TOLLGATE_TEST_CLOCK: '1' } });
  const ask = (name: string) => server.chat(server.firstKey, name);
  const shown = async () => (await server.admin('GET', '/providers/poor')).body;
  for (const name of ['covered', 'other']) expect((await ask(name)).status).toBe(200);
  Object.assign(unpaid, {
    status: 429,
    body: { error: { code: 'insufficient_quota', message: 'Pay at poor.example.' } },
  });
  unpaid.calls = 0;
  expect((await ask('covered')).status).toBe(200);
  for (const name of ['covered', 'other', 'other']) expect((await ask(name)).status).toBe(200);
  expect(unpaid.calls).toBe(1); // every model of the account is left alone
  expect(await shown()).toMatchObject({
    health: 'down',
    fault: {
      cause: 'out_of_credit',
      status: 429,
      message: 'Pay at poor.example.',
      remedy: expect.stringContaining('Buy credit'),
    },
    targets: [{ circuit: 'open' }, { circuit: 'open' }],
  });
  expect((await server.admin('GET', '/faults')).body.data).toMatchObject([
    { provider: 'poor', cause: 'out_of_credit', count: 1, hidden_by_fallback: 1, severity: 'error' },
  ]);
  expect(server.log().split('"event":"provider-out-of-credit"')).toHaveLength(2);

  const refused = await ask('bare');
  expectNoTrace(refused, [poor.port!]);
  expectRefusal(refused, 503, 'upstream_unavailable');
  unpaid.body = undefined;
  expect((await ask('bare')).status).toBe(200); // a model without another target is asked nevertheless
  expect(await shown()).toMatchObject({
    targets: expect.arrayContaining([expect.objectContaining({ circuit: 'half-open' })]),
  });
  expect((await ask('covered')).status).toBe(200);
  expect((await shown()).fault).toBeNull();
  await server.stop();
});
