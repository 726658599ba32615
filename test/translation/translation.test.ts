import { afterAll, describe, expect, test } from 'bun:test';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { isOwnSignature } from '../../src/simulator/serving/sign-thinking.ts';
import { aiSpeakers } from '../support/ai-speakers.ts';
import type { Json } from '../support/call.ts';
import { chatSpeaker } from '../support/chat-speaker.ts';
import { googleSpeaker } from '../support/google-speaker.ts';
import { interactionsSpeaker } from '../support/interactions-speaker.ts';
import { isFull } from '../support/is-full.ts';
import { isLong } from '../support/is-long.ts';
import { messagesSpeaker } from '../support/messages-speaker.ts';
import { responsesSpeaker } from '../support/responses-speaker.ts';
import type { Ask, Speaker } from '../support/speaker.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, chatWires, simulated } from '../support/wire-models.ts';

const watched = serveSimulator();
const server = await startServer({
  config: {
    simulator: { mode: 'on' },
    providers: [{ id: 'hidden-watched', wire: 'google-generate', base_url: `${watched.url}/v1beta` }],
    catalog: {
      default: false,
      models: [
        ...chatWires.map((wire) => ableModel(`on-${wire}`, [simulated(wire)])),
        ableModel('watched', [{ provider: 'hidden-watched', model: 'hidden-gemini' }]),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await watched.stop();
});

const { key } = await server.createKey('enterprise');
const openai = new OpenAI({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
const speakers: Speaker[] = [
  chatSpeaker(openai),
  responsesSpeaker(openai),
  messagesSpeaker(new Anthropic({ apiKey: key, authToken: null, baseURL: server.url, maxRetries: 0 })),
  googleSpeaker(new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: server.url } })),
  interactionsSpeaker(new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: server.url } })),
  ...aiSpeakers(server.url, key),
];

const SIGNED = '1 thinking part, 1 with an intact signature';
/**
 * The simulator's report on thinking that a client sends back.
 * Google signs the call, not the thinking: see below.
 */
const gaveBack: Record<(typeof chatWires)[number], string> = {
  'openai-chat': '1 thinking part',
  'openai-responses': SIGNED,
  'anthropic-messages': SIGNED,
  'google-generate': '',
  'google-interactions': SIGNED,
  'bedrock-converse': SIGNED,
};

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, count: { type: 'integer' } },
  required: ['city', 'count'],
  additionalProperties: false,
};

/** Returns the simulator's report on a tool result. Some wires accept only objects. */
const resultOf = (text: string) =>
  new RegExp(String.raw`Tool result [\w-]+: "(\{\\"output\\":\\")?${text}(\\"\})?"`);

/**
 * In the ordinary run, each client meets every second wire, and in a full run each one.
 * Streamed and whole answers take turns.
 */
const cases = speakers.flatMap((speaker, row) =>
  chatWires.flatMap((wire, column) =>
    !isFull && (row + column) % 4 > 1
      ? []
      : (isLong ? [false, true] : [(row + column) % 2 === 0]).map((stream) => ({ speaker, wire, stream })),
  ),
);

for (const { speaker, wire, stream } of cases) {
  const ask = (messages: Ask['messages'], fields: Partial<Ask> = {}) =>
    speaker.ask({ model: `on-${wire}`, messages, stream, ...fields });
  const { user, results } = speaker;

  describe(`${speaker.name} on ${wire}, ${stream ? 'streamed' : 'whole'}`, () => {
    test('answers with text', async () => {
      const seen = await ask([user('say: äöü 🙂 yes')]);
      expect(seen).toMatchObject({ text: '[simulated] äöü 🙂 yes', thinking: '', calls: [], stop: 'end' });
    });

    test('calls a tool and accepts its result', async () => {
      const first = user('call weather with {"place": "Rome"}');
      const seen = await ask([first], { tools: ['weather', 'clock'] });
      expect(seen).toMatchObject({ calls: [{ name: 'weather', input: { place: 'Rome' } }], stop: 'tools' });
      const then = await ask([first, seen.turn, ...results(seen, ['22 degrees']), user('and?')], {
        tools: ['weather', 'clock'],
      });
      expect(then.text).toMatch(resultOf('22 degrees'));
      expect(then.stop).toBe('end');
    });

    test('is forced to call a tool, any tool or a named one', async () => {
      for (const force of ['any', 'clock']) {
        const { calls, stop } = await ask([user('hello')], { tools: ['weather', 'clock'], force });
        expect({ name: calls[0]?.name, callCount: calls.length, stop }).toEqual({
          name: force === 'any' ? 'weather' : 'clock',
          callCount: 1,
          stop: 'tools',
        });
      }
    });

    test('calls two tools at once and accepts both results', async () => {
      const first = user('ask the weather and the clock');
      const seen = await ask([first], { tools: ['weather', 'clock'] });
      expect(seen.calls.map(({ name }) => name)).toEqual(['weather', 'clock']);
      const then = await ask([first, seen.turn, ...results(seen, ['rain', 'noon'])], {
        tools: ['weather', 'clock'],
      });
      for (const result of ['rain', 'noon']) expect(then.text).toMatch(resultOf(result));
    });

    test('answers in the form of a schema', async () => {
      const { text } = await ask([user('a city')], { schema });
      expect(JSON.parse(text)).toEqual({ city: expect.any(String), count: expect.any(Number) });
    });

    test('reads an image and a PDF', async () => {
      expect((await ask([user('look', 'image')])).text).toMatch(/Image( "[^"]*")? image\/png of 70 bytes/);
      expect((await ask([user('read', 'pdf')])).text).toMatch(
        /Document( "[^"]*")? application\/pdf of \d+ bytes/,
      );
    });

    test('returns its thinking on request and accepts it back unchanged', async () => {
      const first = user('call weather with {"place": "Rome"}');
      const seen = await ask([first], { tools: ['weather'], thinks: true });
      const isSeen = speaker.thoughts !== 'unseen';
      expect(seen.thinking.startsWith('[simulated thinking]')).toBe(isSeen);
      const history = [first, seen.turn, ...results(seen, ['rain'])];
      const then = await ask([...history, user('and?')], { tools: ['weather'], thinks: true });
      expect(then.text).toMatch(resultOf('rain'));
      if (speaker.thoughts === 'proven') expect(then.text).toContain(gaveBack[wire]);
    });

    test('stops at the output limit of the client', async () => {
      const { stop, usage } = await ask([user('count to 500')], { maxTokens: 20 });
      expect(stop).toBe('length');
      expect(usage.output).toBeLessThanOrEqual(20);
    });

    test('reports the same usage streamed and whole', async () => {
      const { usage } = await ask([user('count to 20')]);
      const other = await ask([user('count to 20')], { stream: !stream });
      expect(usage).toEqual(other.usage);
      expect(Math.min(usage.input, usage.output)).toBeGreaterThan(5);
    });
  });
}

for (const speaker of speakers.filter(({ thoughts }) => thoughts === 'proven')) {
  for (const stream of [false, true]) {
    for (const thinks of [true, false]) {
      const way = `${stream ? 'streamed' : 'whole'}, ${thinks ? 'with' : 'without'} thinking`;

      test(`${speaker.name} returns Google's signature on the call that it signs, ${way}`, async () => {
        const first = speaker.user('call weather with {"place": "Rome"}');
        const asked = { model: 'watched', stream, tools: ['weather'], thinks };
        const seen = await speaker.ask({ ...asked, messages: [first] });
        await speaker.ask({ ...asked, messages: [first, seen.turn, ...speaker.results(seen, ['rain'])] });
        const { contents } = watched.requests().at(-1)!.body as Json;
        const part = contents[1].parts.find(({ functionCall }: Json) => functionCall);
        expect(isOwnSignature(part.thoughtSignature)).toBe(thinks);
      });
    }
  }
}
