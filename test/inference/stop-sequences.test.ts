import { afterAll, describe, expect, test } from 'bun:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import type { Json } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, chatWires, wireProviders } from '../support/wire-models.ts';

const upstream = serveSimulator();
const server = await startServer({
  config: {
    providers: wireProviders(upstream.url),
    catalog: {
      default: false,
      models: [
        ...chatWires.map((wire) => ableModel(`on-${wire}`, [{ provider: wire, model: `hidden-${wire}` }])),
        ableModel('on-gpt', [{ provider: 'openai-chat', model: 'gpt-5' }]),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const { key } = await server.createKey('enterprise');
const openai = new OpenAI({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
const anthropic = new Anthropic({ apiKey: key, authToken: null, baseURL: server.url, maxRetries: 0 });
const messages = [{ role: 'user' as const, content: 'count to 20' }];
const sent = (): Json => upstream.requests().at(-1)!.body;

type Ask = { model: string; stop: string[]; stream: boolean };

async function asMessages({ model, stop, stream }: Ask) {
  const body = { model, messages, max_tokens: 1_000, stop_sequences: stop };
  const { content, stop_reason, stop_sequence, usage } = stream
    ? await anthropic.messages.stream(body).finalMessage()
    : await anthropic.messages.create({ ...body, stream: false });
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  return { text, stop_reason, stop_sequence, output: usage.output_tokens };
}

async function asChat({ model, stop, stream }: Ask) {
  const body = { model, messages, stop };
  if (!stream) {
    const { choices } = await openai.chat.completions.create(body);
    return { text: choices[0]!.message.content, finish: choices[0]!.finish_reason };
  }
  const { choices } = await openai.chat.completions.stream(body).finalChatCompletion();
  return { text: choices[0]!.message.content, finish: choices[0]!.finish_reason };
}

/** The wires whose upstreams name the stop sequence that ended an answer. */
const naming = new Set<string>(['openai-responses', 'anthropic-messages']);
const STOPPED = '[simulated] 1 2 3 4 5 6 ';

for (const wire of chatWires) {
  for (const stream of [false, true]) {
    describe(`on ${wire}, ${stream ? 'streamed' : 'whole'}`, () => {
      const model = `on-${wire}`;

      test('messages end at the stop sequence and report it [MSG-09]', async () => {
        const seen = await asMessages({ model, stop: ['7'], stream });
        expect(seen).toMatchObject({ text: STOPPED, stop_reason: 'stop_sequence', stop_sequence: '7' });
        expect(seen.output).toBeGreaterThan(0);
      });

      test('messages name the stop sequence that ended them, if it can be known', async () => {
        const seen = await asMessages({ model, stop: ['13', '7'], stream });
        const stop_sequence = naming.has(wire) ? '7' : null;
        expect(seen).toMatchObject({ text: STOPPED, stop_reason: 'stop_sequence', stop_sequence });
      });

      test('honors any number of stop sequences, even those that the wire cannot take', async () => {
        const many = ['21', '22', '23', '24', '25', '26', '7'];
        expect((await asMessages({ model, stop: many, stream })).text).toBe(STOPPED);
      });

      test('chat completions end at the stop sequence and finish with stop [CHT-15]', async () => {
        expect(await asChat({ model, stop: ['13', '7'], stream })).toEqual({ text: STOPPED, finish: 'stop' });
      });
    });
  }
}

test('honors stop sequences on a reasoning model that takes none', async () => {
  for (const stream of [false, true]) {
    const seen = await asMessages({ model: 'on-gpt', stop: ['13', '7'], stream });
    expect(seen).toMatchObject({ text: STOPPED, stop_reason: 'stop_sequence', stop_sequence: '7' });
    expect(sent().stop).toBeUndefined();
  }
});

test('an answer without a stop sequence ends by itself', async () => {
  for (const wire of ['openai-responses', 'anthropic-messages', 'bedrock-converse']) {
    const seen = await asMessages({ model: `on-${wire}`, stop: ['none of it'], stream: true });
    expect(seen).toMatchObject({ stop_reason: 'end_turn', stop_sequence: null });
  }
});
