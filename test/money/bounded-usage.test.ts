import { afterAll, describe, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { billed, countingDialects } from '../support/counting-dialects.ts';
import { countingWires, startCountingUpstream } from '../support/counting-upstream.ts';
import { expectNoTrace } from '../support/expect-no-trace.ts';
import { expectOk } from '../support/expect-ok.ts';
import { leaveStream } from '../support/leave-stream.ts';
import { ledgerEntries } from '../support/ledger-entries.ts';
import { startRecordingUpstream, streamed } from '../support/recording-upstream.ts';
import { reportsOn } from '../support/reports-on.ts';
import { startServer } from '../support/start-server.ts';
import { DONE, dataEvent, typedEvent } from '../support/stream-events.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { ableModel } from '../support/wire-models.ts';

const HUGE = 100_000_000;
const WINDOW = 200_000;
/** The output ceiling of every request in the table. */
const CEILING = 4_000;

const upstream = startCountingUpstream();
const scripted = startRecordingUpstream();
const wires = [...countingWires, 'openai-embeddings'];
const on = (id: string, wire: string, fields: Json = {}) =>
  ableModel(id, [{ provider: `hidden-${wire}`, model: `hidden-${id}` }], fields);
const scriptedModel = (id: string, fields: Json = {}, wire = 'openai-chat') =>
  ableModel(id, [{ provider: `hidden-scripted-${wire}`, model: `hidden-${id}` }], fields);
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    pricing: { unpriced: 'pass' },
    plans: wideLimits,
    providers: [
      ...wires.map((wire) => ({ id: `hidden-${wire}`, wire, base_url: upstream.url, api_key: 'key' })),
      ...['openai-chat', 'anthropic-messages', 'openai-embeddings'].map((wire) => ({
        id: `hidden-scripted-${wire}`,
        wire,
        base_url: scripted.url,
      })),
    ],
    catalog: {
      default: false,
      models: [
        ...countingWires.map((wire) => on(`on-${wire}`, wire)),
        on('bounded', 'openai-chat', { max_output: 8_000 }),
        scriptedModel('wide', { delivery: 'optimized', context_window: 1_000_000, comparable: ['narrow'] }),
        scriptedModel('narrow', { delivery: 'optimized', context_window: 150_000 }),
        scriptedModel('several'),
        scriptedModel('leaving', {}, 'anthropic-messages'),
        scriptedModel('vectors', { kind: 'embedding', output_dimensions: 2 }, 'openai-embeddings'),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await Promise.all([upstream.stop(), scripted.stop()]);
});
const { key, account } = await server.createKey('enterprise');

async function newest(): Promise<Json> {
  const [entry] = await ledgerEntries(server, account);
  return { ...billed(entry), estimated: entry.receipt.estimated, id: entry.request_id };
}

async function ask(path: string, body: Json): Promise<Json> {
  const answer = expectOk(await server.call(path, { headers: bearer(key), body }));
  return { ...(await newest()), answer };
}

const chat = (model: string, fields: Json = {}) =>
  ask('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'hello' }], ...fields });

const alerts = (): Json[] =>
  server
    .log()
    .split('\n')
    .filter((line) => line.includes('"usage-implausible"'))
    .map((line) => JSON.parse(line));

const alertOf = async (id: string): Promise<Json> => {
  await waitFor(() => alerts().some((alert) => alert.request_id === id));
  return alerts().find((alert) => alert.request_id === id);
};

const explanationOf = async (id: string): Promise<string> =>
  (await server.call(`/v1/usage/${id}`, { headers: bearer(key) })).body.explanation;

async function alertsCounted(provider: string, model: string): Promise<number> {
  const { text } = await server.call('/metrics');
  const label = `provider="${provider}",model="${model}"`;
  return Number(new RegExp(`tollgate_implausible_usage_total\\{${label}\\} (\\d+)`).exec(text)?.[1] ?? 0);
}

for (const { name, path, ask: question, shown } of countingDialects) {
  describe.each(countingWires)(`counts of the wire %s, requested in ${name}`, (wire) => {
    test.each([
      true,
      false,
    ])('cuts an impossible count to the window and the ceiling with an alert (stream: %p) [CRD-43]', async (stream) => {
      const model = `on-${wire}`;
      const provider = `hidden-${wire}`;
      const before = await alertsCounted(provider, model);
      upstream.counts(reportsOn[wire](`${HUGE}`, `${HUGE}`));
      const { id, answer, ...entry } = await ask(path, question(model, { stream }));
      expect(entry).toMatchObject({ input: WINDOW, output: CEILING, estimated: true });
      const reported = { input: HUGE, output: HUGE };
      expect(await alertOf(id)).toMatchObject({
        level: 'warn',
        provider,
        model,
        reported: reported,
        billed: { input: WINDOW, output: CEILING },
      });
      expect(await alertsCounted(provider, model)).toBe(before + 1);
      expectNoTrace(answer);
      expect(shown(answer.text, { stream })).toMatchObject({ input: WINDOW, output: CEILING });
      // Nowhere in the answer, not even on the way.
      expect(answer.text).not.toContain(`${HUGE}`);
      expect(await explanationOf(id)).toContain('reported more tokens than this request can use');
    });

    test.each([true, false])('accepts a count within the bounds (stream: %p) [CRD-43]', async (stream) => {
      upstream.counts(reportsOn[wire](`${WINDOW - CEILING}`, `${CEILING}`));
      const { id, ...entry } = await ask(path, question(`on-${wire}`, { stream }));
      expect(entry).toMatchObject({ input: WINDOW - CEILING, output: CEILING, estimated: false });
      expect(alerts().filter((alert) => alert.request_id === id)).toEqual([]);
    });

    test.each([
      ['text', '"12"', '"34"'],
      ['below zero', '-12', '-34'],
      ['infinite', '1e999', '1e999'],
      ['beyond all windows', '1e15', '1e15'],
      ['no number', 'null', 'true'],
    ])('estimates usage in place of a count that is %s', async (_, input, output) => {
      upstream.counts(reportsOn[wire](input, output));
      const entry = await ask(path, question(`on-${wire}`, { stream: true }));
      expect(entry.input).toBeWithin(1, 50);
      expect(entry).toMatchObject({ output: 2, estimated: true });
    });

    test('ignores fractions of tokens', async () => {
      upstream.counts(reportsOn[wire]('12.75', '34.5'));
      const entry = await ask(path, question(`on-${wire}`, { stream: false }));
      expect(entry).toMatchObject({ input: 12, output: 34, estimated: false });
    });
  });
}

describe('the usage shown in place of an impossible count [CRD-43]', () => {
  const details: Record<string, Json> = {
    'openai-chat': {
      prompt_tokens: 7,
      completion_tokens: HUGE,
      total_tokens: HUGE + 7,
      prompt_tokens_details: { cached_tokens: 3 },
      queue_time: HUGE,
      completion_tokens_details: { reasoning_tokens: HUGE - 1 },
    },
    'anthropic-messages': {
      input_tokens: HUGE,
      output_tokens: 5,
      cache_creation_input_tokens: HUGE,
      cache_creation: { ephemeral_5m_input_tokens: HUGE, ephemeral_1h_input_tokens: 0 },
      iterations: [{ type: 'message', input_tokens: HUGE }],
    },
    'openai-responses': {
      input_tokens: HUGE,
      output_tokens: 5,
      total_tokens: HUGE + 5,
      input_tokens_details: { cached_tokens: HUGE },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  };

  for (const { name, path, wire, ask: question, shown } of countingDialects)
    test.each([
      true,
      false,
    ])(`in ${name} is the billed usage, in every detail (stream: %p)`, async (stream) => {
      upstream.counts(details[wire] ?? details['openai-chat']);
      const { answer, id, estimated, ...entry } = await ask(path, question(`on-${wire}`, { stream }));
      expect(estimated).toBe(true);
      expect(shown(answer.text, { stream })).toEqual(entry as ReturnType<typeof shown>);
      expect(answer.text).not.toMatch(/1000000\d\d|99999999/);
    });

  test('is the same in a stored response', async () => {
    upstream.counts(reportsOn['openai-responses'](`${HUGE}`, `${HUGE}`));
    const { answer } = await ask(
      '/v1/responses',
      countingDialects[3]!.ask('on-openai-responses', { stream: false }),
    );
    const again = await server.call(`/v1/responses/${answer.body.id}`, { headers: bearer(key) });
    expect(again.body.usage).toMatchObject({ input_tokens: WINDOW, output_tokens: CEILING });
  });

  test.each([
    true,
    false,
  ])('is also corrected for hosts that count in a choice (stream: %p)', async (stream) => {
    const usage = { prompt_tokens: HUGE, completion_tokens: 5, total_tokens: HUGE + 5 };
    const choice = { index: 0, finish_reason: 'stop', usage };
    const said = stream ? { delta: { content: 'one' } } : { message: { role: 'assistant', content: 'one' } };
    const body = { id: 'hidden', choices: [{ ...choice, ...said }] };
    scripted.answer('hidden-several', () =>
      stream ? streamed(new Response(dataEvent(body) + DONE).body!) : Response.json(body),
    );
    const { answer } = await chat('several', countingDialects[0]!.ask('several', { stream }));
    expect(countingDialects[0]!.shown(answer.text, { stream })).toMatchObject({ input: WINDOW, output: 5 });
    expect(answer.text).not.toContain(`${HUGE}`);
  });

  test.each([true, false])('is the billed sum of several answers (stream: %p)', async (stream) => {
    upstream.counts(reportsOn['anthropic-messages'](`${HUGE}`, `${HUGE}`));
    const { path, ask: question, shown } = countingDialects[0]!;
    const { answer, ...entry } = await ask(path, { ...question('on-anthropic-messages', { stream }), n: 2 });
    expect(shown(answer.text, { stream })).toMatchObject({ input: entry.input, output: entry.output });
    expect(entry).toMatchObject({ input: 2 * WINDOW, output: 2 * CEILING });
  });

  test("is the host's own if it is possible", async () => {
    const usage = { ...details['openai-chat'], completion_tokens: 9, total_tokens: 16, queue_time: 0.5 };
    upstream.counts({ ...usage, completion_tokens_details: { reasoning_tokens: 2 } });
    const { answer } = await chat('on-openai-chat', { max_tokens: 100 });
    expect(answer.body.usage).toMatchObject({ completion_tokens: 9, queue_time: 0.5 });
  });
});

describe('without an output ceiling, the model bounds the usage [CRD-43]', () => {
  test('by its longest answer', async () => {
    upstream.counts(reportsOn['openai-chat']('7', `${HUGE}`));
    expect(await chat('bounded')).toMatchObject({ input: 7, output: 8_000, estimated: true });
  });

  test.each([
    ['openai-completions', 1_024],
    ['openai-chat', 5_000],
    ['anthropic-messages', 5_000],
  ] as const)('by the default ceiling of legacy completions, if it was sent: on %s', async (wire, output) => {
    upstream.counts(reportsOn[wire]('7', '5000'));
    const body = { model: `on-${wire}`, prompt: 'hello' };
    expect(await ask('/v1/completions', body)).toMatchObject({ output, estimated: output < 5_000 });
  });

  test('by the rest of the window, if its answers have no bound', async () => {
    upstream.counts(reportsOn['openai-chat']('1000', `${HUGE}`));
    expect(await chat('on-openai-chat')).toMatchObject({ input: 1_000, output: WINDOW - 1_000 });
  });
});

describe('large but honest reports are accepted', () => {
  const completion = (choices: number, usage: Json): Response =>
    Response.json({
      id: 'hidden',
      choices: Array.from({ length: choices }, (_, index) => ({
        index,
        message: { role: 'assistant', content: 'one' },
        finish_reason: 'stop',
      })),
      usage,
    });

  test('reasoning of a host that does not count it in the ceiling', async () => {
    const usage = {
      prompt_tokens: 7,
      completion_tokens: 50,
      total_tokens: 30_057,
      completion_tokens_details: { reasoning_tokens: 30_000 },
    };
    scripted.answer('hidden-several', () => completion(1, usage));
    expect(await chat('several', { max_tokens: 100 })).toMatchObject({ output: 30_050, estimated: false });
  });

  test('several answers, each as long as the ceiling', async () => {
    const usage = { prompt_tokens: 7, completion_tokens: 300, total_tokens: 307 };
    scripted.answer('hidden-several', () => completion(3, usage));
    expect(await chat('several', { max_tokens: 100, n: 3 })).toMatchObject({ output: 300, estimated: false });
    const more = { ...usage, completion_tokens: HUGE };
    scripted.answer('hidden-several', () => completion(3, more));
    expect(await chat('several', { max_tokens: 100, n: 3 })).toMatchObject({ output: 300, estimated: true });
  });

  test('the best of several answers, all of them generated', async () => {
    upstream.counts(reportsOn['openai-completions']('7', '300'));
    const body = { model: 'on-openai-completions', prompt: 'hello', max_tokens: 100, best_of: 3 };
    expect(await ask('/v1/completions', body)).toMatchObject({ output: 300, estimated: false });
    upstream.counts(reportsOn['openai-completions']('7', `${HUGE}`));
    expect(await ask('/v1/completions', body)).toMatchObject({ output: 300, estimated: true });
  });

  test('a list of prompts, each as long as the window', async () => {
    upstream.counts(reportsOn['google-generate'](`${WINDOW - 100}`, '100'));
    const body = { model: 'on-google-generate', prompt: ['hello', 'hi'], max_tokens: 100 };
    const entry = await ask('/v1/completions', body);
    expect(entry).toMatchObject({ input: 2 * (WINDOW - 100), output: 200, estimated: false });
  });

  test('several answers in separate calls, each with its own prompt', async () => {
    upstream.counts(reportsOn['anthropic-messages'](`${WINDOW - 100}`, '100'));
    const fields = { n: 3, max_tokens: 100 };
    const honest = { input: 3 * (WINDOW - 100), output: 300, estimated: false };
    expect(await chat('on-anthropic-messages', fields)).toMatchObject(honest);
    upstream.counts(reportsOn['anthropic-messages'](`${HUGE}`, `${HUGE}`));
    const bounded = { input: 3 * WINDOW, output: 300, estimated: true };
    expect(await chat('on-anthropic-messages', fields)).toMatchObject(bounded);
  });

  test('a list of texts to embed, each as long as the window; a contradicting total is ignored', async () => {
    const reported = { prompt_tokens: 3 * WINDOW, total_tokens: HUGE };
    const data = [0, 1, 2].map((index) => ({ object: 'embedding', index, embedding: [0, 1] }));
    const embed = () => ask('/v1/embeddings', { model: 'vectors', input: ['a', 'b', 'c'] });
    scripted.answer('hidden-vectors', () => Response.json({ object: 'list', data, usage: reported }));
    const { answer, ...entry } = await embed();
    expect(entry).toMatchObject({ input: 3 * WINDOW, output: 0, estimated: false });
    expect(answer.body.usage).toEqual({ prompt_tokens: 3 * WINDOW, total_tokens: 3 * WINDOW });
    const usage = { prompt_tokens: HUGE, total_tokens: HUGE };
    scripted.answer('hidden-vectors', () => Response.json({ object: 'list', data, usage }));
    const bounded = await embed();
    expect(bounded).toMatchObject({ input: 3 * WINDOW, output: 0, estimated: true });
    expect(bounded.answer.body.usage).toEqual({ prompt_tokens: 3 * WINDOW, total_tokens: 3 * WINDOW });
  });

  test('a prompt that the vendor reads again for each hosted tool', async () => {
    const question = countingDialects.find((dialect) => dialect.name === 'messages')!;
    const body = question.ask('on-anthropic-messages', { stream: false });
    upstream.counts(reportsOn['anthropic-messages'](`${10 * WINDOW}`, '50'));
    const hosted = { ...body, tools: [{ type: 'web_search_20250305', name: 'web_search' }] };
    expect(await ask(question.path, hosted)).toMatchObject({ input: 10 * WINDOW, estimated: false });
    const own = { ...body, tools: [{ type: 'bash_20250124', name: 'bash' }] };
    expect(await ask(question.path, own)).toMatchObject({ input: WINDOW, estimated: true });
  });
});

test('the window of a substitute bounds its own counts [CRD-43]', async () => {
  const usage = { prompt_tokens: HUGE, completion_tokens: 3, total_tokens: HUGE + 3 };
  scripted.answer('hidden-wide', () => new Response('', { status: 500 }));
  scripted.answer('hidden-narrow', () =>
    Response.json({
      id: 'hidden',
      choices: [{ index: 0, message: { role: 'assistant', content: 'one' }, finish_reason: 'stop' }],
      usage,
    }),
  );
  const { id, ...entry } = await chat('wide', { max_tokens: 100 });
  expect(entry).toMatchObject({ input: 150_000, output: 3, estimated: true });
  expect(await alertOf(id)).toMatchObject({ model: 'narrow', provider: 'hidden-scripted-openai-chat' });
});

test("bounds the upstream's counts of a stream that its client left [CRD-43]", async () => {
  const message = { id: 'hidden', type: 'message', role: 'assistant', model: 'hidden', content: [] };
  const beginning =
    typedEvent('message_start', {
      message: { ...message, usage: { input_tokens: HUGE, output_tokens: 1 } },
    }) +
    typedEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
    typedEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'one' } });
  const open = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(beginning)),
  });
  scripted.answer('hidden-leaving', () => streamed(open));
  const body = countingDialects[2]!.ask('leaving', { stream: true });
  const headers = await leaveStream(`${server.url}/v1/messages`, { headers: bearer(key), body });
  const id = headers.get('x-svc-request-id')!;
  await alertOf(id);
  await waitFor(async () => (await newest()).id === id);
  expect(await newest()).toMatchObject({ input: WINDOW, estimated: true });
});
