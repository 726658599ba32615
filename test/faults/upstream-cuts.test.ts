import { afterAll, expect, test } from 'bun:test';
import { usageEntries } from '../support/ledger-entries.ts';
import { type RawScript, startRawUpstream, streamHead } from '../support/raw-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { DONE } from '../support/stream-events.ts';
import { ableModel } from '../support/wire-models.ts';

// Upstreams that break the connection, or end without usage.

const upstream = startRawUpstream();
const to = (model: string) => [{ provider: 'host', model }];
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: [{ id: 'host', wire: 'openai-chat', base_url: upstream.url }],
    catalog: {
      default: false,
      models: [
        ableModel('resetting', to('up-resetting'), { delivery: 'optimized', comparable: ['standing-in'] }),
        ableModel('standing-in', to('up-standing-in')),
        ableModel('uncounted', to('up-uncounted')),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  upstream.stop();
});

const delta = (content: string) =>
  `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
const STOP = `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`;
const USAGE = `data: ${JSON.stringify({ id: 'x', choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } })}\n\n`;

/** Scripts by the upstream's model, and how often each was called. */
function calls(scripts: Record<string, RawScript>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [model, script] of Object.entries(scripts)) {
    counts[model] = 0;
    upstream.answer(model, (answer) => {
      counts[model]!++;
      return script(answer);
    });
  }
  return counts;
}

const answering: RawScript = async ({ send, end }) => {
  send(streamHead + delta('from another') + STOP + USAGE + DONE);
  await end();
};

test('a reset after the head leads to a comparable model, unnoticed by the client', async () => {
  const { key, account } = await server.createKey('enterprise');
  const counts = calls({
    'up-resetting': async ({ send, pause, reset }) => {
      send(streamHead);
      await pause();
      reset();
    },
    'up-standing-in': answering,
  });
  const { status, text, headers } = await server.chat(key, 'resetting', { stream: true });
  expect({ status, servedBy: headers.get('x-svc-served-by') }).toEqual({
    status: 200,
    servedBy: 'standing-in',
  });
  expect(text).toContain('from another');
  expect(text).not.toContain('error');
  expect(text).toEndWith(DONE);
  expect(counts).toEqual({ 'up-resetting': 1, 'up-standing-in': 1 });
  expect(await usageEntries(server, account)).toHaveLength(1);
});

test('a reset after the first text ends the stream with an error, without a retry or a charge', async () => {
  const { key, account } = await server.createKey('enterprise');
  const counts = calls({
    'up-resetting': async ({ send, pause, reset }) => {
      send(streamHead + delta('once '));
      await pause();
      send(delta('and again '));
      await Bun.sleep(100); // the first of it has gone out
      reset();
    },
    'up-standing-in': answering,
  });
  const { status, text } = await server.chat(key, 'resetting', { stream: true });
  expect(status).toBe(200);
  expect(text).toContain('once ');
  expect(text).toContain('upstream_unavailable');
  expect(text).not.toContain('from another');
  expect(text).not.toContain('[DONE]');
  expect(counts).toEqual({ 'up-resetting': 1, 'up-standing-in': 0 });
  expect(await usageEntries(server, account)).toEqual([]);
});

const said = 'word '.repeat(100);
const wholeBody = JSON.stringify({
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: said }, finish_reason: 'stop' }],
});
const uncounted: Record<string, [stream: boolean, RawScript]> = {
  'stream that ends': [
    true,
    async ({ send, end }) => {
      send(streamHead + delta(said) + STOP + DONE);
      await end();
    },
  ],
  'whole answer': [
    false,
    async ({ send, end }) => {
      send(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n${wholeBody}`);
      await end();
    },
  ],
};

for (const [what, [stream, script]] of Object.entries(uncounted))
  test(`counts, bills and marks a ${what} without usage as estimated`, async () => {
    const { key, account } = await server.createKey('enterprise');
    calls({ 'up-uncounted': script });
    const { status, text } = await server.chat(key, 'uncounted', { stream });
    expect({ status, text }).toEqual({ status: 200, text: expect.stringContaining(said.trim()) });
    const [entry, ...more] = await usageEntries(server, account);
    expect(more).toEqual([]);
    expect(entry.receipt.estimated).toBe(true);
    expect(entry.output_tokens).toBeWithin(80, 121);
    expect(entry.microcredits).toBeGreaterThan(0);
  });
