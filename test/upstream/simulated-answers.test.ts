import { afterAll, describe, expect, test } from 'bun:test';
import { batchClient, flavors } from '../support/batch-client.ts';
import { type Answer, bearer, chatBody, type Json } from '../support/call.ts';
import { messagesBody } from '../support/messages-body.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { ableModel, simulated } from '../support/wire-models.ts';

/** A server without any provider. */
const server = await startServer({
  config: {
    catalog: {
      default: false,
      models: [
        ableModel('plain', [simulated('openai-chat')]),
        ableModel('broken', [simulated('openai-chat', 'm!status=400')]),
        ableModel('vectors', [simulated('openai-embeddings')], { kind: 'embedding', output_dimensions: 8 }),
      ],
    },
    plans: wideLimits,
  },
});
afterAll(server.stop);

const { key, account } = await server.createKey('pro');
const HEADER = 'x-svc-simulated';
const ask = (path: string, body: Json, headers = bearer(key)): Promise<Answer> =>
  server.call(path, { headers, body });
const prompt = { model: 'plain', prompt: 'say: hello', max_tokens: 50 };

const asking: [what: string, path: string, body: Json][] = [
  ['a chat completion', '/v1/chat/completions', chatBody('plain')],
  ['a streamed chat completion', '/v1/chat/completions', chatBody('plain', { stream: true })],
  ['several answers', '/v1/chat/completions', chatBody('plain', { n: 2 })],
  ['several streamed answers', '/v1/chat/completions', chatBody('plain', { n: 2, stream: true })],
  ['a message', '/v1/messages', messagesBody('plain')],
  ['a streamed message', '/v1/messages', messagesBody('plain', { stream: true })],
  ['a response', '/v1/responses', { model: 'plain', input: 'hello' }],
  ['a streamed response', '/v1/responses', { model: 'plain', input: 'hello', stream: true }],
  ['a completion', '/v1/completions', prompt],
  ['a streamed completion', '/v1/completions', { ...prompt, stream: true }],
  ['an embedding', '/v1/embeddings', { model: 'vectors', input: 'hello' }],
  [
    'a token count',
    '/v1/messages/count_tokens',
    { model: 'plain', messages: messagesBody('plain').messages },
  ],
  ['a quote', '/v1/quote', chatBody('plain')],
];

test.each(
  asking,
)('%s of the simulator carries the header of simulated answers [CRD-44]', async (_, path, body) => {
  const { status, headers, text } = await ask(path, body);
  expect(status, text).toBe(200);
  expect(headers.get(HEADER)).toBe('true');
});

test('an error is not marked as a simulated answer', async () => {
  for (const model of ['broken', 'nothing', 'vectors']) {
    const { status, headers } = await server.chat(key, model);
    expect([model, status >= 400, headers.get(HEADER)]).toEqual([model, true, null]);
  }
});

test('the log line of a simulated answer says so, beside the provider that the simulator stands in for', async () => {
  const { headers } = await server.chat(key, 'plain');
  const id = headers.get('x-svc-request-id')!;
  const line = () =>
    server
      .log()
      .split('\n')
      .find((each) => each.includes(id) && each.startsWith('{'));
  await waitFor(() => line() !== undefined);
  expect(JSON.parse(line()!)).toMatchObject({ simulated: true, provider: 'simulator', status: 200 });
});

describe('a simulated answer is free', () => {
  test('with zero rates in its receipt and the tokens that were counted [CRD-44]', async () => {
    const answer = await ask('/v1/chat/completions', chatBody('plain', { max_tokens: 50 }));
    const id = answer.headers.get('x-svc-request-id')!;
    const { body: receipt } = await server.call(`/v1/usage/${id}`, { headers: bearer(key) });
    expect(receipt).toMatchObject({
      simulated: true,
      microcredits: 0,
      credits: 0,
      list_cost_microcredits: 0,
      held_microcredits: 0,
      shortfall_microcredits: 0,
      outcome: 'complete',
      tokens: { output: answer.body.usage.completion_tokens },
    });
    expect(receipt.tokens.uncached_input + receipt.tokens.cached_input).toBeGreaterThan(0);
    for (const price of receipt.prices) expect(price).toMatchObject({ usd_per_mtok: 0, microcredits: 0 });
    expect(receipt.explanation).toStartWith('The simulator answered in place of the model');
    const { body: entry } = await server.admin('GET', `/ledger/entries/${id}`);
    expect(entry).toMatchObject({ microcredits: 0, receipt: { simulated: true } });
    expect(entry.receipt.rates_usd_per_mtok).toEqual({ input: 0, cached_input: 0, output: 0 });
  });

  test('and leaves the monthly credits as they were [CRD-44]', async () => {
    const { headers } = await server.chat(key, 'plain');
    expect(headers.get('x-svc-monthly-used-percent')).toBe('0.0');
    expect((await server.admin('GET', `/accounts/${account}`)).body.credits.used).toBe(0);
    expect((await server.admin('GET', `/accounts/${account}/ledger?limit=1`)).body.data).toHaveLength(1);
  });

  test('and leaves purchased credit and a cap as they were [CRD-44]', async () => {
    const payg = await server.createKey('payg', { monthly_cap_usd: 0.01 });
    await server.purchase(payg.account, 2);
    const bought = (await server.admin('GET', `/accounts/${payg.account}`)).body.purchased_credits;
    expect(bought).toBe(1_000);
    const { status, headers } = await server.chat(payg.key, 'plain');
    expect(status).toBe(200);
    expect(headers.get(HEADER)).toBe('true');
    expect((await server.admin('GET', `/accounts/${payg.account}`)).body.purchased_credits).toBe(bought);
  });

  test('in its quote too', async () => {
    const { body } = await ask('/v1/quote', chatBody('plain'));
    expect(body).toMatchObject({ admitted: true, credits: { lowest: 0, highest: 0 } });
  });
});

test.each(flavors)('the results of a batch of $name mark simulated answers [CRD-44]', async (flavor) => {
  const batches = batchClient(server, { flavor, key });
  const { id } = await batches.create(['plain', 'broken']);
  await batches.ended(id);
  const results = await batches.lines(id);
  expect(results['item-0']).toMatchObject({ type: 'succeeded', simulated: true });
  expect(results['item-1'].type).toBe('errored');
  expect('simulated' in results['item-1']).toBe(false);
});

test('the list of models, the start page and the log say that every answer is simulated', async () => {
  const { body } = await server.call('/v1/models');
  expect(body.data.map(({ simulated }: Json) => simulated)).toEqual([true, true, true]);
  const { body: page } = await server.call('/v1/models', { headers: { 'anthropic-version': '2023-06-01' } });
  expect(page.data.map(({ simulated }: Json) => simulated)).toEqual([true, true, true]);
  const { models, simulated_models } = (await server.call('/dashboard/v1/welcome')).body;
  expect({ models, simulated_models }).toEqual({ models: 3, simulated_models: 3 });
  expect(server.log()).toContain('"providers":[],"models":0,"simulated_models":3}');
});
