import { describe, expect, test } from 'bun:test';
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import { acceptedOrError } from '../../../base/errors/accepted-or-error.ts';
import { createSimulator } from '../../../simulator/serving/simulator.ts';
import { collect } from '../../canonical/collect.ts';
import type { StreamEvent } from '../../canonical/event.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import { plainRequest } from '../../canonical/testing/plain-request.ts';
import { END_OF_BODY, type Frame } from '../../contract/frame.ts';
import { SseSplitter } from '../../framing/sse-splitter.ts';
import { headsWith } from '../testing/heads-with.ts';
import { createChatDialectCodec } from './create-chat-dialect-codec.ts';
import { createChatWireCodec } from './create-chat-wire-codec.ts';

const headOf = headsWith('chatcmpl-1');

const wire = createChatWireCodec();
const dialect = createChatDialectCodec();
const simulator = createSimulator();

async function ask(request: Partial<CanonicalRequest>, upstreamModel = 'sim'): Promise<StreamEvent[]> {
  const turns = [
    { role: 'user' as const, parts: [{ kind: 'text' as const, text: 'Tell me about the sea.' }] },
  ];
  const asked = plainRequest({ turns, ...request });
  const target = { upstreamModel, reasoning: true, reasoningEfforts: ['low'] };
  const encoded = acceptedOrError(wire.encodeRequest(asked, target));
  const url = `http://sim.test/v1${wire.path(asked, target)}`;
  const response = await simulator.handle(new Request(url, { method: 'POST', body: encoded.body }));
  expect(response.status).toBe(200);
  const frames = asked.stream ? await framesOf(response) : wire.splitAnswer(await response.text());
  const decode = wire.streamDecoder();
  return [...frames, END_OF_BODY].flatMap(decode);
}

async function framesOf(response: Response): Promise<Frame[]> {
  const splitter = new SseSplitter();
  const frames = splitter.push(new Uint8Array(await response.arrayBuffer()));
  return [...frames, ...splitter.end()];
}

/** Returns the completion that the official client builds from these events. */
async function clientView(events: StreamEvent[]) {
  const encode = dialect.streamEncoder(headOf({ stream: true }));
  const lines = events.flatMap(encode).filter(({ data }) => data !== '[DONE]');
  const text = lines.map(({ data }) => `${data}\n`).join('');
  const stream = ChatCompletionStream.fromReadableStream(new Response(text).body!);
  return await stream.finalChatCompletion();
}

const tools: CanonicalRequest['tools'] = ['f', 'g'].map((name) => ({
  kind: 'function',
  name,
  inputSchema: new RawJson('{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"]}'),
}));

/** Removes ids, which differ between the simulator's requests. */
const withoutIds = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (key, value) => (/^(response|call)Id$/.test(key) ? undefined : value)));

describe.each<[string, Partial<CanonicalRequest>]>([
  ['a text', {}],
  ['a text cut short', { maxOutputTokens: 3 }],
  ['a call', { tools, toolChoice: { kind: 'any' } }],
  ['a thought', { thinking: { mode: 'default', effort: 'low', effortIsRequired: true, visible: true } }],
])('%s of the simulator', (_, request) => {
  test('is the same unary and streamed', async () => {
    const [whole, streamed] = [false, true].map(async (stream) => collect(await ask({ ...request, stream })));
    expect(withoutIds(await streamed!)).toEqual(withoutIds(await whole!));
    expect(await whole!).toHaveProperty('usage.input.uncached');
  });

  test('is joined by the official client to the unary answer', async () => {
    const events = await ask({ ...request, stream: true });
    const response = acceptedOrError(collect(events));
    const whole = dialect.encodeResponse(response, headOf()) as Awaited<ReturnType<typeof clientView>>;
    const seen = await clientView(events);
    expect(seen.choices[0]?.message.content || null).toEqual(whole.choices[0]?.message.content || null);
    const calls = whole.choices[0]?.message.tool_calls ?? [];
    expect(seen.choices[0]?.message.tool_calls ?? []).toMatchObject(calls);
    expect(seen.choices[0]?.finish_reason).toBe(whole.choices[0]!.finish_reason);
  });
});

test('ends the answer at an error in the stream of the simulator', async () => {
  const events = await ask({ stream: true }, 'sim!error-after=3,error-status=429');
  expect(events.at(-1)).toMatchObject({ type: 'response-error', refusal: { code: 'upstream_overloaded' } });
});

test('throws at a malformed event of the simulator', async () => {
  await expect(ask({ stream: true }, 'sim!malformed-after=3')).rejects.toThrow(SyntaxError);
});
