import { describe, expect, test } from 'bun:test';
import type Anthropic from '@anthropic-ai/sdk';
import { type OpenAI, toFile } from 'openai';
import { createSimulator } from '../simulator.ts';
import { inProcessClients } from '../testing/in-process-clients.ts';

const KEY = 'simulator-key';
const simulator = createSimulator({ apiKey: KEY, tokensPerSecond: 100_000 });
const { openai, anthropic } = inProcessClients(simulator, KEY);

/** Returns the status of a call that must fail. The clients' promises are not those of the runtime. */
const statusOf = (call: PromiseLike<unknown>): PromiseLike<unknown> =>
  call.then(
    () => 'no failure',
    (error) => error.status,
  );

/** Polls without a wait, since the batch runs between two turns of the event loop. */
async function until<View>(look: () => Promise<View>, isDone: (view: View) => boolean): Promise<View> {
  for (;;) {
    const view = await look();
    if (isDone(view)) return view;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const params = (model: string, content: string) => ({
  model,
  max_tokens: 64,
  messages: [{ role: 'user' as const, content }],
});

describe('message batches of Anthropic', () => {
  test('answer each request or report its failure', async () => {
    const { id } = await anthropic.messages.batches.create({
      requests: [
        { custom_id: 'a', params: params('m', 'say: one') },
        { custom_id: 'b', params: params('m!status=529', 'say: two') },
      ],
    });
    const look = () => anthropic.messages.batches.retrieve(id);
    const ended = await until(look, ({ processing_status }) => processing_status === 'ended');
    expect(ended.request_counts).toEqual({
      processing: 0,
      succeeded: 1,
      errored: 1,
      canceled: 0,
      expired: 0,
    });
    const results = await Array.fromAsync(await anthropic.messages.batches.results(id));
    expect(results).toMatchObject([
      { custom_id: 'a', result: { type: 'succeeded', message: { content: [{ text: '[simulated] one' }] } } },
      { custom_id: 'b', result: { type: 'errored', error: { error: { type: 'overloaded_error' } } } },
    ]);
    const listed = await anthropic.messages.batches.list();
    expect(listed.data.map((batch) => batch.id)).toContain(id);
    expect(await anthropic.messages.batches.delete(id)).toEqual({ id, type: 'message_batch_deleted' });
    expect(await statusOf(look())).toBe(404);
  });

  test('are listed in pages, the latest first', async () => {
    const ids: string[] = [];
    for (const content of ['a', 'b', 'c'])
      ids.unshift(
        (
          await anthropic.messages.batches.create({
            requests: [{ custom_id: 'x', params: params('m', content) }],
          })
        ).id,
      );
    const page = await anthropic.messages.batches.list({ limit: 2 });
    expect(page.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(page.has_more).toBe(true);
    const next = await anthropic.messages.batches.list({ limit: 2, after_id: page.last_id! });
    expect(next.data[0]!.id).toBe(ids[2]!);
    expect(await statusOf(anthropic.messages.batches.list({ after_id: 'none' }))).toBe(400);
  });

  test('can be canceled', async () => {
    const requests = Array.from({ length: 50 }, (_, at) => ({
      custom_id: `r${at}`,
      params: params('m', `say: ${at}`),
    }));
    const { id } = await anthropic.messages.batches.create({ requests });
    await anthropic.messages.batches.cancel(id);
    const look = () => anthropic.messages.batches.retrieve(id);
    const ended = await until(look, ({ processing_status }) => processing_status === 'ended');
    expect(ended.cancel_initiated_at).toBeString();
    expect(ended.request_counts.canceled).toBeGreaterThan(0);
    expect(ended.request_counts.canceled + ended.request_counts.succeeded).toBe(50);
  });

  test('refuse requests without an id or with another key', async () => {
    const create = (client: Anthropic, requests: unknown[]) =>
      client.messages.batches.create({ requests: requests as [] });
    expect(await statusOf(create(anthropic, [{ params: params('m', 'x') }]))).toBe(400);
    expect(await statusOf(create(anthropic, []))).toBe(400);
    const other = inProcessClients(simulator, 'other');
    expect(await statusOf(other.anthropic.messages.batches.list())).toBe(401);
  });
});

describe('batches of OpenAI', () => {
  const line = (custom_id: string, url: string, body: object) =>
    `${JSON.stringify({ custom_id, method: 'POST', url, body })}\n`;
  const upload = async (text: string) =>
    openai.files.create({ purpose: 'batch', file: await toFile(Buffer.from(text), 'in.jsonl') });
  type Endpoint = OpenAI.BatchCreateParams['endpoint'];
  const run = async (endpoint: Endpoint, text: string) => {
    const { id: input_file_id } = await upload(text);
    const order = { input_file_id, endpoint, completion_window: '24h' } as const;
    const { id } = await openai.batches.create({ ...order, metadata: { mine: 'yes' } });
    return until(
      () => openai.batches.retrieve(id),
      ({ status }) => status === 'completed' || status === 'cancelled',
    );
  };
  const linesIn = async (id: string | null | undefined) =>
    (await (await openai.files.content(id!)).text())
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));

  for (const [endpoint, body, answer] of [
    ['/v1/chat/completions', params('m', 'say: one'), { object: 'chat.completion' }],
    ['/v1/responses', { model: 'm', input: 'say: one' }, { object: 'response' }],
    ['/v1/completions', { model: 'm', prompt: 'say: one' }, { object: 'text_completion' }],
    ['/v1/embeddings', { model: 'm', input: 'one' }, { object: 'list' }],
  ] as const)
    test(`answer requests of ${endpoint}`, async () => {
      const batch = await run(endpoint, line('a', endpoint, body));
      expect(batch).toMatchObject({
        status: 'completed',
        error_file_id: null,
        metadata: { mine: 'yes' },
        request_counts: { total: 1, completed: 1, failed: 0 },
      });
      const lines = await linesIn(batch.output_file_id);
      expect(lines).toMatchObject([
        { custom_id: 'a', error: null, response: { status_code: 200, body: answer } },
      ]);
    });

  test('put failed requests into a file of their own', async () => {
    const url = '/v1/chat/completions';
    const text = line('a', url, params('m', 'x')) + line('b', url, params('m!status=429', 'x'));
    const batch = await run(url, text);
    expect(batch.request_counts).toEqual({ total: 2, completed: 1, failed: 1 });
    expect(await linesIn(batch.error_file_id)).toMatchObject([
      { custom_id: 'b', response: { status_code: 429, body: { error: { code: 'rate_limit_exceeded' } } } },
    ]);
    const { id, deleted } = await openai.files.delete(batch.input_file_id);
    expect({ id, deleted }).toEqual({ id: batch.input_file_id, deleted: true });
    expect(await statusOf(openai.files.retrieve(id))).toBe(404);
  });

  test('are listed in pages with their metadata, the latest first', async () => {
    const { id: input_file_id } = await upload(line('a', '/v1/responses', { model: 'm', input: 'x' }));
    const order = { input_file_id, endpoint: '/v1/responses', completion_window: '24h' } as const;
    for (const mine of ['1', '2', '3']) await openai.batches.create({ ...order, metadata: { mine } });
    const page = await openai.batches.list({ limit: 2 });
    expect(page.data.map(({ metadata }) => metadata)).toEqual([{ mine: '3' }, { mine: '2' }]);
    expect(page.has_more).toBe(true);
    const next = await page.getNextPage();
    expect(next.data[0]!.metadata).toEqual({ mine: '1' });
    expect(await statusOf(openai.batches.list({ after: 'none' }))).toBe(400);
    const metadata = { long: 'x'.repeat(513) };
    expect(await statusOf(openai.batches.create({ ...order, metadata }))).toBe(400);
  });

  test('refuse an unknown file, an unknown endpoint and a broken line', async () => {
    const { id: input_file_id } = await upload('{"custom_id":"a"}\n');
    const order = { input_file_id, endpoint: '/v1/responses', completion_window: '24h' } as const;
    for (const wrong of [
      order,
      { ...order, input_file_id: 'none' },
      { ...order, endpoint: '/v1/x' as never },
    ])
      expect(await statusOf(openai.batches.create(wrong))).toBe(400);
  });
});
