import { afterAll, describe, expect, test } from 'bun:test';
import { acceptedOrError } from '../../base/errors/accepted-or-error.ts';
import { entriesOf } from '../../base/lib/records.ts';
import { serveSimulator } from '../../simulator/serving/serve-simulator.ts';
import { RawJson } from '../canonical/raw-json.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import { plainRequest } from '../canonical/testing/plain-request.ts';
import { inputTotal, outputTotal } from '../canonical/usage.ts';
import { SseSplitter } from '../framing/sse-splitter.ts';
import { AwsEventStream } from './bedrock/aws-event-stream.ts';
import { bedrockWire } from './bedrock/bedrock-wire.ts';
import { googleWire } from './google/google-wire.ts';
import { askSimulator, type SimulatedWire } from './testing/ask-simulator.ts';

const KEY = 'simulator-key-0123';

const simulator = serveSimulator({ apiKey: KEY });
afterAll(() => simulator.stop());

const say = (text: string, changes: Partial<CanonicalRequest> = {}) =>
  plainRequest({ turns: [{ role: 'user', parts: [{ kind: 'text', text }] }], ...changes });

const schema = new RawJson('{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}');
const tools: CanonicalRequest['tools'] = [
  { kind: 'function', name: 'get_weather', inputSchema: schema },
  { kind: 'function', name: 'get_time', inputSchema: schema },
];
const thinking = { mode: 'enabled', budgetTokens: 2_000, effortIsRequired: false, visible: true } as const;

const wires = {
  bedrock: (): SimulatedWire => ({
    codec: bedrockWire,
    baseUrl: simulator.url,
    headers: { authorization: `Bearer ${KEY}` },
    newSplitter: () => new AwsEventStream(),
  }),
  google: (): SimulatedWire => ({
    codec: googleWire,
    baseUrl: `${simulator.url}/v1beta`,
    headers: { 'x-goog-api-key': KEY },
    newSplitter: () => new SseSplitter(),
  }),
};

describe.each(entriesOf(wires))('the wire %s', (issuer, wireAt) => {
  const ask = (request: CanonicalRequest, misbehaviour?: string) =>
    askSimulator(wireAt(), request, misbehaviour);

  /** Returns both answers without the fields that differ between calls. */
  async function answers(request: CanonicalRequest) {
    const both = [];
    for (const stream of [false, true]) {
      const { events, response: answered } = await ask({ ...request, stream });
      const response = acceptedOrError(answered);
      expect(events[0]!.type).toBe('response-start');
      expect(events.filter(({ type }) => type === 'response-end')).toHaveLength(1);
      expect(events.at(-1)!.type).toBe('response-end');
      const { responseId: _, model: __, parts, ...rest } = response;
      const named = parts.map((part) => (part.kind === 'tool-call' ? { ...part, callId: '' } : part));
      both.push({ ...rest, parts: named });
    }
    expect(both[1]).toEqual(both[0]!);
    return both[0]!;
  }

  test('returns the same text and usage for unary and streamed answers', async () => {
    const { parts, usage, stop } = await answers(say('say: häß 🜁 "quoted"\\n'));
    expect(parts).toEqual([{ kind: 'text', text: expect.stringContaining('häß 🜁 "quoted"') }]);
    expect(stop.kind).toBe('end-turn');
    expect(inputTotal(usage!)).toBeGreaterThan(0);
    expect(outputTotal(usage!)).toBeGreaterThan(0);
  });

  test('returns parallel calls with their exact arguments', async () => {
    const { parts, stop } = await answers(say('get_weather and get_time', { tools }));
    const calls = parts.filter((part) => part.kind === 'tool-call');
    expect(calls.map(({ name }) => name)).toEqual(['get_weather', 'get_time']);
    expect(calls.map(({ input }) => JSON.parse(input.text))).toEqual([
      { city: 'simulated city' },
      { city: 'simulated city' },
    ]);
    expect(stop.kind).toBe('tool-call');
  });

  test('returns thinking with the signature for the next turn', async () => {
    const request = say('get_weather', { tools, thinking });
    const { parts } = await answers(request);
    expect(parts[0]).toMatchObject({ kind: 'thinking' });
    expect(parts.some((part) => 'replay' in part && part.replay?.issuer === issuer)).toBe(true);
    const response = acceptedOrError((await ask(request)).response);
    const results = response.parts.flatMap((part) =>
      part.kind === 'tool-call'
        ? [
            {
              kind: 'tool-result' as const,
              callId: part.callId,
              content: [{ kind: 'text' as const, text: '7 °C' }],
            },
          ]
        : [],
    );
    const next = await ask({
      ...request,
      turns: [
        ...request.turns,
        { role: 'assistant', parts: response.parts },
        { role: 'user', parts: results },
      ],
    });
    expect(next.response).toMatchObject({ stop: { kind: 'end-turn' } });
  });

  test('keeps a forced format and reports a truncated answer', async () => {
    const { parts } = await answers(
      say('hello', { format: { kind: 'json-schema', name: 'a', schema, strict: true } }),
    );
    expect(parts[0]).toMatchObject({ kind: 'text', text: '{"city":"simulated city"}' });
    expect((await answers(say('count to 100', { maxOutputTokens: 5 }))).stop.kind).toBe('max-tokens');
  });

  test('ends the stream with a gateway refusal at an error', async () => {
    for (const [status, code] of [
      [429, 'upstream_overloaded'],
      [500, 'upstream_unavailable'],
    ] as const) {
      const misbehaviour = `error-after=3,error-status=${status}`;
      const { events, response } = await ask(say('count to 50', { stream: true }), misbehaviour);
      expect(events.at(-1)!.type).toBe('response-error');
      expect(response).toMatchObject({ code });
    }
  });

  test('ends a stream without usage and throws at a malformed one', async () => {
    const stream = say('count to 50', { stream: true });
    const { events, response } = await ask(stream, 'usage=none');
    expect(events.at(-1)!.type).toBe('response-end');
    expect(response).not.toHaveProperty('usage');
    await expect(ask(stream, 'malformed-after=3')).rejects.toThrow(SyntaxError);
  });
});
