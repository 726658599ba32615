import { afterAll, expect, test } from 'bun:test';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { fullTest } from '../support/full-test.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { openRawClient, type RawClient, rawRequest } from '../support/raw-client.ts';
import { type RawScript, startRawUpstream, streamHead } from '../support/raw-upstream.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { DONE, dataEvent, typedEvent } from '../support/stream-events.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

// Charges of clients that stop reading and are cut off.

/** Long enough for a busy machine: only the waits for the reader may exceed it. */
const TOTAL_MS = 6_000;
const SLOW_READER_S = 16;
const upstream = startRawUpstream();
const routed = (id: string, provider: string) => ableModel(id, [{ provider, model: `hidden-${id}` }]);
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: [
      { id: 'hidden-chat', wire: 'openai-chat', base_url: upstream.url },
      {
        id: 'brief-chat',
        wire: 'openai-chat',
        base_url: upstream.url,
        timeouts: { total_ms: TOTAL_MS },
      },
      { id: 'hidden-messages', wire: 'anthropic-messages', base_url: upstream.url },
    ],
    catalog: {
      default: false,
      models: [
        routed('endless', 'hidden-chat'),
        routed('slow', 'brief-chat'),
        routed('slower', 'hidden-chat'),
        routed('parts', 'hidden-messages'),
        routed('whole', 'hidden-chat'),
      ],
    },
    server: { header_timeout_s: 1 },
    limits: { stalled_write_s: 3, slow_reader_s: SLOW_READER_S, usage_grace_s: 0.5 },
  },
});
afterAll(async () => {
  await server.stop();
  upstream.stop();
});

const WORDS = 8_000;
/** Far less than the upstream sends, and enough to count as progress. */
const SLOW_BYTES_PER_SECOND = 1_000_000;
const words = 'word '.repeat(WORDS);
const delta = dataEvent({ id: 'x', choices: [{ index: 0, delta: { content: words }, finish_reason: null }] });
const message = { id: 'x', type: 'message', role: 'assistant', model: 'x', content: [], stop_reason: null };
const messageStart =
  typedEvent('message_start', { message: { ...message, usage: { input_tokens: 10, output_tokens: 1 } } }) +
  typedEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
const textDelta = typedEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text: words } });

type Sending = { script: RawScript; words: () => number; finish(last: string): void };

/** Sends and counts pieces while the connection accepts them. */
function sending(first: string, piece: string): Sending {
  let sent = 0;
  let last: string | undefined;
  const script: RawScript = async (answer) => {
    let isClosed = false;
    void answer.closed.then(() => {
      isClosed = true;
    });
    answer.send(streamHead + first);
    while (!isClosed && last === undefined) {
      if (answer.waitingBytes() > 0) await answer.pause();
      else {
        answer.send(piece);
        sent += WORDS;
      }
    }
    if (last !== undefined) answer.send(last);
    await answer.end();
  };
  const finish = (text: string) => {
    last = text;
  };
  return { script, words: () => sent, finish };
}

/** The window of the models, which bounds what an answer can cost. */
const WINDOW = 200_000;
/** Returns the least number of tokens that a client owes for the text that it has received. */
const leastOf = (client: RawClient): number =>
  0.9 * Math.min(client.received().match(/word /g)?.length ?? 0, WINDOW);

/** Asks, reads the first of the answer and no more, and waits until it is cut off. */
async function stall(key: CreatedKey, fields: Json): Promise<RawClient> {
  const client = openRawClient(server.url);
  const body = chatBody(fields.model, fields);
  // A pause after a wait would come too late on a busy machine: the rest would fit in the sockets' buffers.
  client.socket.once('data', () => client.socket.pause());
  client.send(rawRequest('POST /v1/chat/completions', { headers: bearer(key.key), body }));
  await waitFor(() => client.received() !== '');
  return client;
}

const entriesOf = ({ account }: CreatedKey): Promise<Json[]> => usageEntries(server, account);

async function receiptOf(key: CreatedKey, client: RawClient): Promise<Json> {
  const id = /x-svc-request-id: (\S+)/.exec(client.received())![1];
  const { status, body } = await server.call(`/v1/usage/${id}`, { headers: bearer(key.key) });
  expect(status).toBe(200);
  return body;
}

const errors = (): string[] =>
  server
    .log()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));

/** This one reads slowly while the other tests run. */
const slower = readSlower();

async function readSlower() {
  const { script, words: sent } = sending('', delta);
  upstream.answer('hidden-slower', script);
  const key = await server.createKey('enterprise');
  const client = await stall(key, { model: 'slower', stream: true });
  return { sent, key, client, hurry: client.readSlowly(SLOW_BYTES_PER_SECOND) };
}

for (const [what, model, fields, { first, piece }] of [
  ['one answer', 'endless', {}, { first: '', piece: delta }],
  ['several answers', 'parts', { n: 2 }, { first: messageStart, piece: textDelta }],
] as const)
  (model === 'endless' ? test : fullTest)(
    `bills the output of ${what} that was cut because its reader stopped, and reports it`,
    async () => {
      const { script, words: sent } = sending(first, piece);
      upstream.answer(`hidden-${model}`, script);
      const key = await server.createKey('enterprise');
      const client = await stall(key, { model, stream: true, ...fields });
      await waitFor(async () => (await entriesOf(key)).length > 0, 45_000);
      const [entry] = await entriesOf(key);
      expect(entry.receipt).toMatchObject({ outcome: 'left', estimated: true });
      // Text that the upstream could not produce must not be charged.
      expect(entry.output_tokens).toBeWithin(Math.max(1, leastOf(client)), sent() + 1);
      expect(await receiptOf(key, client)).toMatchObject({
        outcome: 'left',
        delivered: 'no',
        explanation: expect.stringContaining('stopped reading before the answer ended'),
      });
      client.socket.resume();
      expect(await client.closed).not.toContain('[DONE]');
      expect(await entriesOf(key)).toHaveLength(1);
      expect(errors()).toEqual([]);
    },
  );

test("does not count the waits for a slow reader in the provider's total time [CRD-50]", async () => {
  const { script, finish } = sending('', delta);
  upstream.answer('hidden-slow', script);
  const key = await server.createKey('enterprise');
  const client = await stall(key, { model: 'slow', stream: true });
  const startedAt = performance.now();
  const hurry = client.readSlowly(SLOW_BYTES_PER_SECOND);
  await waitFor(() => performance.now() - startedAt > 1.4 * TOTAL_MS);
  const usage = { prompt_tokens: 7, completion_tokens: 5_000 };
  const choices = [{ index: 0, delta: {}, finish_reason: 'stop' }];
  finish(`${dataEvent({ id: 'x', choices, usage })}${DONE}`);
  hurry();
  await waitFor(() => client.received().includes('[DONE]'), 45_000);
  client.leave();
  const [entry] = await entriesOf(key);
  expect(entry).toMatchObject({ output_tokens: 5_000, receipt: { outcome: 'complete', estimated: false } });
});

test('bills a client that keeps the gateway waiting longer than slow_reader_s like one that left [CRD-50]', async () => {
  const { sent, key, client, hurry } = await slower;
  await waitFor(async () => (await entriesOf(key)).length > 0, 45_000);
  const [entry] = await entriesOf(key);
  expect(entry.receipt).toMatchObject({ outcome: 'left', estimated: true });
  expect(entry.output_tokens).toBeWithin(Math.max(1, leastOf(client)), sent() + 1);
  hurry();
  expect(await client.closed).not.toContain('[DONE]');
  expect(errors()).toEqual([]);
});

test('a whole answer is complete and billed once although its reader stopped', async () => {
  const content = 'word '.repeat(2_400_000);
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
  const usage = { prompt_tokens: 7, completion_tokens: 100_000 };
  const answer = JSON.stringify({ id: 'x', choices, usage });
  upstream.answer('hidden-whole', async (to) => {
    to.send(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`,
    );
  });
  const key = await server.createKey('enterprise');
  const client = await stall(key, { model: 'whole' });
  const stalled = async () =>
    (await server.call('/metrics')).text.includes('closed_total{reason="stalled"} 1');
  await waitFor(stalled);
  const [entry, ...others] = await entriesOf(key);
  expect({ output_tokens: entry.output_tokens, outcome: entry.receipt.outcome, others }).toEqual({
    output_tokens: 100_000,
    outcome: 'complete',
    others: [],
  });
  client.socket.resume();
  expect((await client.closed).length).toBeLessThan(answer.length);
});
